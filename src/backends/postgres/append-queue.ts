import { MemoryStoreBackendError } from '../../core/errors.ts'
import type { Append } from './plain-append.ts'
import { type Waiting, WaitingAppends } from './waiting-appends.ts'

/** So many statements are under way at a time. While they are, appends gather for the next. One that takes so long waits for a lock and is not counted. */
const parallel = 4
const waitsForLock = 50

/** How often, at most, those are looked for whose deadline has passed. */
const lookForLate = 10

/**
 * Sends appends at once while few are under way, else together with others: one round trip and one commit for all of them. Those to one session
 * go one statement after the other, for they would only wait for one another, on a connection each.
 */
export class AppendQueue {
  readonly #send: (appends: readonly Append[], deadline: number) => Promise<readonly string[]>
  readonly #waiting = new WaitingAppends()
  /** The statements that are counted, the oldest first. */
  readonly #underWay = new Set<{ readonly since: number }>()
  #uncounting: NodeJS.Timeout | undefined
  #lookingForLate: NodeJS.Timeout | undefined
  #firstLate = Number.POSITIVE_INFINITY

  /** `send` replies to each, `["BUSY"]` to those whose session is locked by others. It rejects with the same for all. */
  constructor(send: (appends: readonly Append[], deadline: number) => Promise<readonly string[]>) {
    this.#send = send
  }

  add(append: Append, deadline: number): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#waiting.add({ append, deadline, resolve, reject })
      this.#pump()
      if (this.#waiting.size > 0) this.#lookForLateBy(deadline)
    })
  }

  #pump(): void {
    while (this.#waiting.anyReady && this.#underWay.size < parallel) void this.#follow(this.#waiting.take())
    if (this.#waiting.anyReady) this.#uncounting ??= setTimeout(() => this.#uncount(), waitsForLock)
  }

  #uncount(): void {
    this.#uncounting = undefined
    const longAgo = performance.now() - waitsForLock
    for (const statement of this.#underWay) if (statement.since <= longAgo) this.#underWay.delete(statement)
    this.#pump()
  }

  #lookForLateBy(deadline: number): void {
    if (deadline >= this.#firstLate) return
    this.#firstLate = deadline
    clearTimeout(this.#lookingForLate)
    const milliseconds = Math.max(deadline - performance.now(), lookForLate)
    this.#lookingForLate = setTimeout(() => this.#rejectLate(), milliseconds).unref()
  }

  #rejectLate(): void {
    this.#firstLate = Number.POSITIVE_INFINITY
    const { late, next } = this.#waiting.takeLate(performance.now())
    for (const one of late) one.reject(tooLate())
    this.#lookForLateBy(next)
  }

  async #follow(batch: readonly Waiting[]): Promise<void> {
    const statement = { since: performance.now() }
    this.#underWay.add(statement)
    const again = await this.#sendBatch(batch)
    const held = new Set(again.flat().map(({ append }) => append.session))
    for (const { append } of batch) if (!held.has(append.session)) this.#waiting.release(append.session)
    this.#underWay.delete(statement)
    for (const part of again) void this.#follow(part)
    this.#pump()
  }

  /**
   * Settles those that were sent, and returns the others in the parts in which they are to be sent again. The statement has as long as the append
   * that has longest, or one that is nearly late would take the others with it.
   */
  async #sendBatch(batch: readonly Waiting[]): Promise<Waiting[][]> {
    try {
      const deadline = Math.max(...batch.map((one) => one.deadline))
      const replies = await this.#send(
        batch.map(({ append }) => append),
        deadline,
      )
      const busy = new Map<string, Waiting[]>()
      for (const [index, one] of batch.entries()) {
        const { session } = one.append
        const reply = replies[index] ?? '["BUSY"]'
        if (reply !== '["BUSY"]') one.resolve(reply)
        else busy.set(session, [...(busy.get(session) ?? []), one])
      }
      return [...busy.values()]
    } catch (error) {
      const isRefused = error instanceof MemoryStoreBackendError && error.applied === 'no' && !error.retryable
      if (batch.length > 1 && isRefused) return batch.map((one) => [one])
      for (const one of batch) one.reject(error)
      return []
    }
  }
}

function tooLate(): MemoryStoreBackendError {
  return new MemoryStoreBackendError('TIMEOUT', 'the append was not sent in time', {
    applied: 'no',
    retryable: true,
  })
}
