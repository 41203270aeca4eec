import { MemoryStoreBackendError } from '../../core/errors.ts'
import type { Append } from './plain-append.ts'
import type { Reply } from './reply.ts'
import { type LoneWrite, type WaitingAppend, WaitingWrites, type Write } from './waiting-writes.ts'

/** While these are in progress, appends gather for the next. A statement running longer than 50 ms is assumed blocked and stops counting. */
const maxConcurrentStatements = 4
const blockedAfterMilliseconds = 50

/** Each waiter takes a connection; other locked sessions are retried after a pause. */
const maxLockWaiters = 4
const lockedRetryMilliseconds = 20

/** The minimum interval between checks for passed deadlines, in milliseconds. */
const lookForLate = 10

/**
 * Replies to each; `BUSY` if its session is locked by others, unless it may wait. Rejects with the same error for all. Those that may wait
 * are for one session, because others would have to wait with the locked one.
 */
type Send = (appends: readonly Append[], deadline: number, mayWait: boolean) => Promise<readonly Reply[]>

/**
 * Sends appends immediately while few are in progress, else together with others: one round trip and one commit for all of them. Writes to one session
 * are sent one statement after the other, in order: concurrently they would only wait for each other, each on its own connection.
 */
export class WriteQueue {
  readonly #send: Send
  readonly #waiting = new WaitingWrites()
  /** The statements that are counted, the oldest first. */
  readonly #underWay = new Set<{ readonly since: number }>()
  #waiters = 0
  #uncounting: NodeJS.Timeout | undefined
  #lookingForLate: NodeJS.Timeout | undefined
  #firstLate = Number.POSITIVE_INFINITY

  constructor(send: Send) {
    this.#send = send
  }

  append(append: Append, deadline: number): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#add({ session: append.session, append, deadline, resolve, reject })
    })
  }

  /** A write that shares no statement, and is not counted: it starts as soon as nothing else is in progress for its session. May be restarted if it is `BUSY`. */
  alone(session: string, deadline: number, write: (mayWait: boolean) => Promise<Reply>): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const run = async (mayWait: boolean) => {
        try {
          const reply = await write(mayWait)
          if (reply.status === 'BUSY') return true
          resolve(reply)
        } catch (error) {
          reject(error)
        }
        return false
      }
      this.#add({ session, deadline, run, reject })
    })
  }

  #add(write: Write): void {
    this.#waiting.add(write)
    this.#pump()
    if (this.#waiting.size > 0) this.#lookForLateBy(write.deadline)
  }

  #pump(): void {
    for (let lone = this.#waiting.takeLone(); lone !== null; lone = this.#waiting.takeLone())
      void this.#followLone(lone)
    while (this.#waiting.anyAppend && this.#underWay.size < maxConcurrentStatements)
      void this.#follow(this.#waiting.takeAppends())
    if (this.#waiting.anyAppend) this.#uncounting ??= setTimeout(() => this.#uncount(), blockedAfterMilliseconds)
  }

  async #followLone(write: LoneWrite): Promise<void> {
    const mayWait = this.#waiters < maxLockWaiters
    if (mayWait) this.#waiters += 1
    const isLocked = await write.run(mayWait)
    if (mayWait) this.#waiters -= 1
    if (!isLocked) this.#waiting.release(write.session)
    else if (this.#waiters < maxLockWaiters) void this.#followLone(write)
    else this.#sendLater(write.session, [write])
    this.#pump()
  }

  #uncount(): void {
    this.#uncounting = undefined
    const longAgo = performance.now() - blockedAfterMilliseconds
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
    this.#pump()
  }

  async #follow(batch: readonly WaitingAppend[]): Promise<void> {
    const statement = { since: performance.now() }
    const mayWait = this.#waiters < maxLockWaiters && sessionsOf(batch).size === 1
    this.#underWay.add(statement)
    if (mayWait) this.#waiters += 1
    const locked = sessionsOf(await this.#sendBatch(batch, mayWait))
    if (mayWait) this.#waiters -= 1
    this.#underWay.delete(statement)
    for (const { session } of batch) if (!locked.has(session)) this.#waiting.release(session)
    for (const [session, part] of locked) {
      if (this.#waiters < maxLockWaiters) void this.#follow(part)
      else this.#sendLater(session, part)
    }
    this.#pump()
  }

  #sendLater(session: string, part: readonly Write[]): void {
    this.#waiting.putBack(session, part)
    for (const { deadline } of part) this.#lookForLateBy(deadline)
    const release = () => {
      this.#waiting.release(session)
      this.#pump()
    }
    setTimeout(release, lockedRetryMilliseconds)
  }

  /**
   * Settles what was sent, except the locked ones, which it returns. The statement gets the longest deadline of its appends; otherwise one that is
   * nearly late would take the others with it. If the server rejects them together, each half is sent separately, except what comes after a locked one.
   */
  async #sendBatch(batch: readonly WaitingAppend[], mayWait: boolean): Promise<WaitingAppend[]> {
    try {
      const deadline = Math.max(...batch.map((one) => one.deadline))
      const appends = batch.map(({ append }) => append)
      const replies = await this.#send(appends, deadline, mayWait)
      return batch.filter((one, index) => {
        const reply = replies[index]
        const isLocked = reply === undefined || reply.status === 'BUSY'
        if (!isLocked) one.resolve(reply)
        return isLocked
      })
    } catch (error) {
      const isRefused = error instanceof MemoryStoreBackendError && error.applied === 'no' && !error.retryable
      if (batch.length > 1 && isRefused) {
        const middle = batch.length >> 1
        const locked = await this.#sendBatch(batch.slice(0, middle), mayWait)
        const sessions = sessionsOf(locked)
        const behind = batch.slice(middle).filter(({ session }) => sessions.has(session))
        const others = batch.slice(middle).filter(({ session }) => !sessions.has(session))
        return [...locked, ...behind, ...(others.length === 0 ? [] : await this.#sendBatch(others, mayWait))]
      }
      for (const one of batch) one.reject(error)
      return []
    }
  }
}

function sessionsOf(appends: readonly WaitingAppend[]): Map<string, WaitingAppend[]> {
  const sessions = new Map<string, WaitingAppend[]>()
  for (const one of appends) {
    const { session } = one
    const others = sessions.get(session)
    if (others === undefined) sessions.set(session, [one])
    else others.push(one)
  }
  return sessions
}

function tooLate(): MemoryStoreBackendError {
  return new MemoryStoreBackendError('TIMEOUT', 'the write was not sent in time', {
    applied: 'no',
    retryable: true,
  })
}
