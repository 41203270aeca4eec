import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { GoldenError, type GoldenErrorCode } from '../errors.ts'
import { loaderFlags, neighborModule } from '../system/typescript-loader.ts'

export interface FreezeRequest {
  readonly id: number
  readonly source: string
  readonly target: string
}

export interface FreezeAnswer {
  readonly id: number
  readonly error: { readonly code: GoldenErrorCode; readonly message: string } | null
}

interface Waiting {
  readonly resolve: () => void
  readonly reject: (error: GoldenError) => void
}

/**
 * Freezes databases in one helper process, which ends with this one. A process of its own, because the test may hold the database open
 * with another SQLite library: in the same process the two would not see each other's locks, and closing the file would drop them.
 */
class Freezer {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, Waiting>()
  #requests = 0

  constructor(ended: () => void) {
    const module = neighborModule(import.meta.url, 'freezer-child')
    this.#child = fork(fileURLToPath(module), [], {
      execArgv: loaderFlags(module),
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.#child.on('message', ({ id, error }: FreezeAnswer) => {
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      this.#rest()
      if (error === null) waiting?.resolve()
      else waiting?.reject(new GoldenError(error.code, error.message))
    })
    const end = (reason: string) => {
      ended()
      for (const { reject } of this.#waiting.values()) {
        reject(new GoldenError('PROCESS_FAILED', `The process that reads databases ended: ${reason}.`))
      }
      this.#waiting.clear()
    }
    this.#child.on('error', (error) => end(error.message))
    this.#child.on('exit', (code, signal) => end(signal ?? `code ${code}`))
    this.#rest()
  }

  freeze(source: string, target: string): Promise<void> {
    const id = ++this.#requests
    this.#child.ref()
    this.#child.channel?.ref()
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#child.send({ id, source, target } satisfies FreezeRequest, () => {})
    })
  }

  stop(): void {
    if (this.#child.connected) this.#child.disconnect()
  }

  #rest(): void {
    if (this.#waiting.size > 0) return
    this.#child.unref()
    this.#child.channel?.unref()
  }
}

let freezer: Freezer | undefined

/** Writes the committed state of a database of any driver as one canonical file. `target` must not exist. */
export function freeze(source: string, target: string): Promise<void> {
  if (freezer === undefined) {
    const begun = new Freezer(() => {
      if (freezer === begun) freezer = undefined
    })
    freezer = begun
  }
  return freezer.freeze(source, target)
}

/** Ends the helper process; the next freeze begins another. */
export function stopFreezer(): void {
  freezer?.stop()
  freezer = undefined
}
