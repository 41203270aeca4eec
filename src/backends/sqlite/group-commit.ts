import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { MemoryStoreError } from '../../core/errors.ts'
import type { Connection } from './connection.ts'
import { LockTurns } from './lock-turns.ts'
import { busyTooLong } from './retry-while-busy.ts'
import { inDoubt, isBusy, isDiskFull, isFull, isInputOutput, toBackendError } from './sqlite-error.ts'
import { RowGone } from './written-sessions.ts'

/** Runs inside the transaction. To reject, it throws a `MemoryStoreError` before it has written anything. */
type Write<T> = () => T

/** Learns what becomes of each transaction. */
export interface TransactionWatch {
  /** Within a transaction that has just begun. */
  begun(): void
  /** Everything is written, and COMMIT comes next. */
  ending(): void
  /** It is over. The outcome is unknown if COMMIT fails with an I/O error. */
  ended(outcome: 'applied' | 'not applied' | 'unknown'): void
}

interface Queued {
  readonly write: Write<unknown>
  readonly bytes: number | null
  readonly deadline: number
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  /** Whether it is unknown what became of the last transaction that it was part of. */
  isInDoubt: boolean
}

/** Limits how long a transaction blocks the event loop. */
const maxWritesPerTransaction = 256

/**
 * Concurrent writes share one transaction, and so one fsync. Each is acknowledged after the commit. A write that is
 * rejected harms no other; if SQLite fails, each is retried in its own transaction, so that only the faulty one is rejected.
 */
export class GroupCommit {
  readonly #connection: Connection
  readonly #watch: TransactionWatch | undefined
  readonly #turns = new LockTurns()
  #queue: Queued[] = []
  #flushing: Promise<void> | undefined
  #triedAgain: Queued | undefined

  constructor(connection: Connection, watch?: TransactionWatch) {
    this.#connection = connection
    this.#watch = watch
  }

  /**
   * `bytes`: about how much it adds; `null` if it removes, which is possible on a full disk too. `explain`: what to reject with instead of an
   * error.
   */
  add<T>(write: Write<T>, bytes: number | null, deadline: number, explain?: (error: unknown) => unknown): Promise<T> {
    const result = new Promise<T>((resolve, reject) => {
      this.#queue.push({
        write,
        bytes,
        deadline,
        resolve: resolve as (value: unknown) => void,
        reject: explain === undefined ? reject : (error) => reject(explain(error)),
        isInDoubt: false,
      })
    })
    this.#flushing ??= this.#flush()
    return result
  }

  /** Resolves when nothing is queued anymore. */
  async idle(): Promise<void> {
    await this.#flushing
  }

  async #flush(): Promise<void> {
    try {
      for (let isBusyNow = false; this.#queue.length > 0; ) {
        if (!isBusyNow) await nextTurn()
        const rest = this.#turns.restNow()
        if (rest > 0) await pause(rest)
        const begun = this.#begin(this.#queue.slice(0, maxWritesPerTransaction))
        if (begun === true) {
          isBusyNow = false
          this.#turns.begun(this.#connection.foreignChanges)
          this.#commitTogether(this.#queue.splice(0, maxWritesPerTransaction))
          this.#turns.ended()
        } else if (isDiskFull(begun)) {
          this.#commitOneByOne(this.#queue.splice(0, maxWritesPerTransaction))
        } else if (isBusy(begun)) {
          this.#rejectLate(begun)
          isBusyNow = true
          await pause(this.#turns.waitAgain(this.#soonestDeadline()))
        } else {
          this.#rejectAll(this.#queue.splice(0), begun)
        }
      }
    } finally {
      this.#flushing = undefined
    }
  }

  #soonestDeadline(): number {
    return this.#queue.reduce((least, { deadline }) => Math.min(least, deadline), Number.POSITIVE_INFINITY)
  }

  #begin(batch: readonly Queued[]): true | unknown {
    let bytes: number | null = null
    for (const queued of batch) if (queued.bytes !== null) bytes = (bytes ?? 0) + queued.bytes
    try {
      this.#connection.beginWriting(bytes)
      this.#watch?.begun()
      return true
    } catch (error) {
      this.#rollback(error)
      return error
    }
  }

  /** The transaction has begun; it is over when this returns. */
  #commitTogether(batch: readonly Queued[]): void {
    let isCommitting = false
    let isOver = false
    try {
      const settle = batch.map((queued) => run(queued))
      this.#watch?.ending()
      isCommitting = true
      this.#connection.run('COMMIT')
      isOver = true
      this.#watch?.ended('applied')
      this.#connection.confirmDurability()
      for (const acknowledge of settle) acknowledge()
    } catch (error) {
      this.#rollback(error)
      const isUnknown = isCommitting && !isOver && isInputOutput(error)
      if (!isOver) this.#watch?.ended(isUnknown ? 'unknown' : 'not applied')
      for (const queued of batch) queued.isInDoubt = isUnknown
      if (batch.length > 1 || error instanceof RowGone || this.#hasGivenBack(error, batch)) this.#commitOneByOne(batch)
      else this.#rejectAll(batch, error)
    }
  }

  #commitOneByOne(batch: readonly Queued[]): void {
    for (const [index, queued] of batch.entries()) {
      const begun = this.#begin([queued])
      if (begun === true) {
        this.#commitTogether([queued])
      } else if (isBusy(begun)) {
        this.#queue.unshift(...batch.slice(index))
        return
      } else {
        this.#rejectAll([queued], begun)
      }
    }
  }

  /** On a full disk, the log may hold space that it can free: tried once for each write, which is then retried. */
  #hasGivenBack(error: unknown, [queued]: readonly Queued[]): boolean {
    if (!isFull(error) || queued === undefined || this.#triedAgain === queued) return false
    this.#triedAgain = queued
    this.#connection.forgetLog()
    return true
  }

  #rollback(error: unknown): void {
    if (this.#connection.isInTransaction) this.#connection.run('ROLLBACK')
    if (isInputOutput(error)) this.#connection.discard()
  }

  #rejectLate(cause: unknown): void {
    const now = performance.now()
    const late = this.#queue.filter(({ deadline }) => deadline <= now)
    this.#queue = this.#queue.filter(({ deadline }) => deadline > now)
    this.#rejectAll(late, busyTooLong(this.#connection.file, cause))
  }

  #rejectAll(batch: readonly Queued[], error: unknown): void {
    for (const { reject, isInDoubt } of batch) {
      const rejection = toBackendError(error, this.#connection.file, isInDoubt ? 'unknown' : 'no')
      reject(isInDoubt ? inDoubt(rejection) : rejection)
    }
  }
}

/** Runs one write and returns how to tell its caller once the transaction is committed. */
function run({ write, resolve, reject }: Queued): () => void {
  try {
    const value = write()
    return () => resolve(value)
  } catch (error) {
    if (!(error instanceof MemoryStoreError)) throw error
    return () => reject(error)
  }
}
