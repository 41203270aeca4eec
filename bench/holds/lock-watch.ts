import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Another process that wants to write to the same file. */
export class LockWatch {
  readonly #child: ChildProcess

  static async open(file: string): Promise<LockWatch> {
    const child = fork(fileURLToPath(new URL('./lock-process.ts', import.meta.url)), [file], {
      execArgv: ['--import', 'tsx'],
    })
    await once(child, 'message')
    return new LockWatch(child)
  }

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  /** The longest wait since this was last asked, in milliseconds. */
  async longest(): Promise<number> {
    const answer = once(this.#child, 'message')
    this.#child.send('longest')
    return Number((await answer)[0])
  }

  async close(): Promise<void> {
    const end = once(this.#child, 'exit')
    this.#child.disconnect()
    await end
  }
}
