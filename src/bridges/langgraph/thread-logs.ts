import type { SessionMemory } from '../../core/session-memory.ts'
import { ThreadLog } from './thread-log.ts'

/** About how many bytes of threads are kept in memory. */
const maxWeight = 64 * 1024 * 1024

/** The threads that were used last. Each log can be dropped at any time, and is then read again. */
export class ThreadLogs {
  readonly #memoryOf: (session: string) => SessionMemory<object, object>
  readonly #logs = new Map<string, ThreadLog>()

  constructor(memoryOf: (session: string) => SessionMemory<object, object>) {
    this.#memoryOf = memoryOf
  }

  of(session: string): ThreadLog {
    const log = this.#logs.get(session) ?? new ThreadLog(this.#memoryOf(session))
    this.#logs.delete(session)
    this.#logs.set(session, log)
    this.#makeRoom()
    return log
  }

  drop(session: string): void {
    this.#logs.delete(session)
  }

  #makeRoom(): void {
    let weight = 0
    for (const log of this.#logs.values()) weight += log.weight + 1024
    for (const [session, log] of this.#logs) {
      if (weight <= maxWeight || this.#logs.size === 1) return
      weight -= log.weight + 1024
      this.#logs.delete(session)
    }
  }
}
