import type { Committed, OperationRecord } from '../../core/backend.ts'
import { MemoryStoreBackendError } from '../../core/errors.ts'
import { rememberedFor } from '../../core/operation.ts'
import type { SessionHead } from '../../core/session-state.ts'
import type { TransactionWatch } from './group-commit.ts'
import { OperationResults } from './operation-results.ts'
import type { Queries } from './queries.ts'

/** At least this many of the last ones are kept, unless they are too old to be repeated. */
const leastKept = 4096

/** What a transaction makes of a session. */
interface Written {
  readonly session: number
  /** Whether the transaction begins it. */
  readonly isNew: boolean
  readonly head: SessionHead
}

/** What a transaction writes. */
interface Attempt {
  readonly operations: OperationResults
  readonly sessions: Map<string, Written>
}

/**
 * The results of operations that no caller named. Only the store repeats such an operation, soon after, through the same backend. So they are
 * not in the file. Whether a transaction was applied is known, unless COMMIT fails with an I/O error; then the sessions that it would have written
 * tell, at the beginning of the next transaction.
 */
export class UnnamedOperations implements Omit<TransactionWatch, 'ending'> {
  readonly #connection: Queries
  /** Two generations: the older one is dropped as a whole, so that nothing has to be removed one by one. */
  #known = new OperationResults()
  #knownSince = 0
  #older = new OperationResults()
  #attempt = emptyAttempt()
  #inDoubt: Attempt | null = null

  constructor(connection: Queries) {
    this.#connection = connection
  }

  find(session: string, operation: string): OperationRecord | null {
    const { operations } = this.#attempt
    let committed = operations.size === 0 ? undefined : operations.get(session, operation)
    if (committed === undefined) committed = this.#known.get(session, operation)
    if (committed === undefined) committed = this.#older.get(session, operation)
    if (committed === null) throw unknownOutcome()
    return committed === undefined ? null : { digest: '', committed, ended: false }
  }

  /** Within the transaction that applies it. */
  add(session: string, operation: string, committed: Committed): void {
    this.#attempt.operations.add(session, operation, committed)
  }

  /** A commit within the open transaction, named or not. */
  wrote(id: string, written: Written): void {
    const isNew = this.#attempt.sessions.get(id)?.isNew ?? false
    this.#attempt.sessions.set(id, isNew && !written.isNew ? { ...written, isNew } : written)
  }

  /** Within the open transaction. */
  erased(id: string): void {
    this.#attempt.sessions.delete(id)
  }

  begun(): void {
    this.#attempt = emptyAttempt()
    if (this.#inDoubt === null) return
    const outcome = outcomeOf(this.#connection, this.#inDoubt)
    if (outcome !== 'not applied') this.#keep(this.#inDoubt, outcome)
    this.#inDoubt = null
  }

  ended(outcome: 'applied' | 'not applied' | 'unknown'): void {
    if (outcome === 'applied') this.#keep(this.#attempt, outcome)
    if (outcome === 'unknown') this.#inDoubt = this.#attempt
    this.#attempt = emptyAttempt()
  }

  #keep({ operations }: Attempt, outcome: 'applied' | 'unknown'): void {
    const now = performance.now()
    if (this.#known.size >= leastKept || now - this.#knownSince > rememberedFor) {
      this.#older = this.#known
      this.#known = new OperationResults()
      this.#knownSince = now
    }
    this.#known.addAll(operations, outcome)
  }
}

function emptyAttempt(): Attempt {
  return { operations: new OperationResults(), sessions: new Map() }
}

/** All of a transaction is applied or nothing is, so one session that tells is enough. */
function outcomeOf(connection: Queries, { sessions }: Attempt): 'applied' | 'not applied' | 'unknown' {
  for (const [id, { session, isNew, head }] of sessions) {
    const found = connection.get<{ birth: string; counter: number; nonce: string }>(
      'SELECT birth, counter, nonce FROM sessions WHERE id = ?',
      id,
    )
    if (found?.birth === head.birth && found.counter === head.counter && found.nonce === head.nonce) return 'applied'
    if (found?.birth === head.birth && found.counter <= head.counter) return 'not applied'
    if (isNew && !hasBegun(connection, session)) return 'not applied'
  }
  return 'unknown'
}

/** Whether a session with that number was ever begun. Numbers ascend and are not reused; that of a staged one was given out before. */
function hasBegun(connection: Queries, session: number): boolean {
  const [last] = connection.column<number>("SELECT seq FROM sqlite_sequence WHERE name = 'sessions'")
  if (last === undefined || last < session) return false
  return connection.get('SELECT 1 FROM staged WHERE session = ?', session) === undefined
}

function unknownOutcome(): MemoryStoreBackendError {
  const message = 'writing failed, and others have written since: it is not known whether the change was applied'
  return new MemoryStoreBackendError('BACKEND_FAILED', message, { applied: 'unknown' })
}
