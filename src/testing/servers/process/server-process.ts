import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { sendToTree } from './signal-tree.ts'
import { type KeptCommand, logOf, spawnKept } from './spawn-kept.ts'

export interface ServerCommand extends KeptCommand {
  /** Whether the process with this id is ready. Throwing ends the wait. */
  readonly isReady: (pid: number) => Promise<boolean>
  /** The signal for an orderly shutdown. */
  readonly endsBy: 'SIGTERM' | 'SIGINT'
}

const PATIENCE = 30_000

/** A server that can be stopped and started again in the same folder. Signals reach its children as well. */
export class ServerProcess {
  readonly #command: ServerCommand
  #child: ChildProcess | undefined
  #ended: Promise<unknown> = Promise.resolve()

  constructor(command: ServerCommand) {
    this.#command = command
  }

  get folder(): string {
    return this.#command.folder
  }

  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error('the server is not running: it was killed or stopped')
    return this.#child.pid
  }

  get runs(): boolean {
    return this.#child !== undefined
  }

  async start(): Promise<void> {
    const { child, ended } = await spawnKept(this.#command)
    this.#child = child
    this.#ended = ended.then(() => {
      this.#child = undefined
    })
    child.unref()
    const failure = await this.#ready()
    if (failure === null) return
    await this.kill()
    throw new Error(`${this.#command.command[0]} ${failure}:\n${await readFile(logOf(this.folder), 'utf8')}`)
  }

  pause(): void {
    sendToTree(this.pid, 'STOP')
  }

  resume(): void {
    sendToTree(this.pid, 'CONT')
  }

  /** Kills it. */
  async kill(): Promise<void> {
    if (!this.runs) return
    this.#child?.ref()
    sendToTree(this.pid, 'KILL')
    await this.#ended
  }

  /** Shuts it down in order, even if it is paused. Asks repeatedly: Redis declines while it writes its first append-only file. */
  async shutDown(): Promise<void> {
    if (this.runs) this.resume()
    while (this.runs) {
      this.#child?.kill(this.#command.endsBy)
      await Promise.race([this.#ended, wait(200)])
    }
  }

  async restart(): Promise<void> {
    await this.shutDown()
    await this.start()
  }

  /** What went wrong; null if it is ready. */
  async #ready(): Promise<string | null> {
    const deadline = Date.now() + PATIENCE
    while (Date.now() < deadline) {
      if (!this.runs) return 'ended instead of listening'
      try {
        if (await this.#command.isReady(this.pid)) return null
      } catch (error) {
        if (this.runs) return `was not ready: ${(error as Error).message}`
      }
      await wait(2)
    }
    return `was not ready within ${PATIENCE} ms`
  }
}
