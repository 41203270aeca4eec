import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type {
  Backend,
  Change,
  Committed,
  Drop,
  Erasure,
  Lease,
  ListedPage,
  Reading,
  Reclaimed,
  ReclaimScope,
  SnapshotList,
  StagedEntry,
  Usage,
  Want,
} from './backend.ts'
import { Deadlines } from './deadlines.ts'
import { publish } from './diagnostics.ts'
import { type BackendErrorCode, MemoryStoreBackendError, misuse, quote, type TurnLostError } from './errors.ts'
import { makeGiveWay } from './give-way.ts'
import { settledWithin } from './operation.ts'
import type { ClosedRange } from './path.ts'
import { isBackendError, isTurnLost } from './recognize-error.ts'
import { traceAttempt } from './trace-call.ts'

/** How long a backend may overrun its deadline before we stop waiting. */
const grace = 20

/** A write that others kept out is not tried again with less than this part of its time left: a late response would turn `no` into `unknown`. */
const leftToWaitForOthers = 1 / 4

/** A turn as its writes see it. */
export interface CallTurn {
  readonly session: string
  /** What its writes carry. Once the turn is over, it is a token that nobody holds. */
  readonly token: string
  /** The backend rejected a write of this turn. */
  lose(error: TurnLostError): void
}

/** What the calls of one public method belong to: a turn, whose token its writes carry, and a signal that ends them. */
interface CallScope {
  readonly turn?: CallTurn
  readonly signal?: AbortSignal
  /** Called after every commit. */
  readonly onCommit?: () => void
}

/**
 * Every call to the backend goes through here: it ends within its deadline, and transient failures are retried until then. A commit
 * is retried under the same operation id, which also settles an unknown outcome, as long as the operation is guaranteed to be remembered.
 */
export class Calls {
  readonly #backend: Backend
  readonly timeout: number
  /** The store's own time to live for sessions. */
  readonly ttl: number | undefined
  readonly #giveWay: () => Promise<void> | undefined
  readonly #deadlines: Deadlines
  readonly #scope: CallScope

  constructor(
    backend: Backend,
    options: { timeout: number; ttl: number | undefined },
    scope: CallScope = {},
    giveWay = makeGiveWay(),
    deadlines = new Deadlines(),
  ) {
    this.#backend = backend
    this.timeout = options.timeout
    this.ttl = options.ttl
    this.#scope = scope
    this.#giveWay = giveWay
    this.#deadlines = deadlines
  }

  /** The same calls, for the writes of a turn. */
  inTurn(turn: CallTurn): Calls {
    return this.#within({ turn })
  }

  /** The same calls, but none starts after the signal has aborted. */
  until(signal: AbortSignal | undefined): Calls {
    return signal === undefined ? this : this.#within({ signal })
  }

  read(session: string, want: Want): Promise<Reading> {
    return this.#attempt('read', session, 'no', (deadline) => this.#backend.read(session, want, deadline))
  }

  commit(session: string, change: Change): Promise<Committed> {
    const { turn, onCommit } = this.#scope
    const isWhole = this.ttl === undefined && turn === undefined
    const full = isWhole
      ? change
      : { ...change, ...(this.ttl !== undefined && { ttl: this.ttl }), ...this.#turnOf(session) }
    const commit = (deadline: number) => this.#backend.commit(session, full, deadline)
    return this.#inTurn(session, () => this.#attempt('commit', session, 'unknown', commit, onCommit))
  }

  /** Whatever fails, no session was created. */
  stage(session: string, copy: string, entries: readonly StagedEntry[]): Promise<void> {
    return this.#attempt('stage', session, 'no', (deadline) =>
      this.#backend.stage(session, copy, entries, deadline).catch(nothingApplied),
    )
  }

  unstage(session: string, copy: string): Promise<boolean> {
    return this.#attempt('unstage', session, 'unknown', (deadline) => this.#backend.unstage(session, copy, deadline))
  }

  snapshots(session: string): Promise<SnapshotList> {
    return this.#attempt('snapshots', session, 'no', (deadline) => this.#backend.snapshots(session, deadline))
  }

  drop(session: string, drop: Drop): Promise<Reclaimed | null> {
    return this.#attempt('drop', session, 'unknown', (deadline) => this.#backend.drop(session, drop, deadline))
  }

  sessions(cursor: string | null, limit: number): Promise<ListedPage> {
    return this.#attempt('sessions', null, 'no', (deadline) => this.#backend.sessions(cursor, limit, deadline))
  }

  sessionsOf(owner: string, cursor: string | null, limit: number): Promise<ListedPage> {
    const backend = this.#backend
    if (backend.sessionsOf === undefined) {
      throw misuse(`options.owner: the backend ${quote(backend.name)} does not support lists by owner`)
    }
    const list = backend.sessionsOf.bind(backend)
    return this.#attempt('sessionsOf', null, 'no', (deadline) => list(owner, cursor, limit, deadline))
  }

  erase(session: string, conditions: Omit<Erasure, 'operation'> = {}): Promise<boolean> {
    const erasure = { ...conditions, ...this.#turnOf(session), operation: randomUUID() }
    return this.#inTurn(session, () =>
      this.#attempt('erase', session, 'unknown', (deadline) => this.#backend.erase(session, erasure, deadline)),
    )
  }

  /** Resolves to `null` and the time before the attempt that took it, or to the milliseconds until it may be free. */
  async takeTurn(session: string, lease: Lease): Promise<{ readonly freeIn: number | null; readonly since: number }> {
    let since = 0
    const freeIn = await this.#attempt('takeTurn', session, 'unknown', async (deadline) => {
      since = performance.now()
      return (this.#backend.takeTurn ?? noTurns).call(this.#backend, session, lease, deadline)
    })
    return { freeIn, since }
  }

  /** Resolves to the time before the attempt that renewed it, or to `null` if it is lost. */
  async renewTurn(session: string, lease: Lease): Promise<number | null> {
    let since = 0
    const isHeld = await this.#attempt('renewTurn', session, 'unknown', async (deadline) => {
      since = performance.now()
      return (this.#backend.renewTurn ?? noTurns).call(this.#backend, session, lease, deadline)
    })
    return isHeld ? since : null
  }

  endTurn(session: string, token: string): Promise<void> {
    return this.#attempt('endTurn', session, 'unknown', async (deadline) =>
      (this.#backend.endTurn ?? noTurns).call(this.#backend, session, token, deadline),
    )
  }

  reclaim(scope: ReclaimScope): Promise<Reclaimed> {
    return this.#attempt('reclaim', null, 'unknown', (deadline) => this.#backend.reclaim(scope, deadline))
  }

  measure(session: string | null, ranges: readonly ClosedRange[]): Promise<Usage> {
    return this.#attempt('measure', session, 'no', (deadline) => this.#backend.measure(session, ranges, deadline))
  }

  damage(): ReturnType<Backend['damage']> {
    return this.#attempt('damage', null, 'no', (deadline) => this.#backend.damage(deadline))
  }

  health(): ReturnType<Backend['health']> {
    return this.#attempt('health', null, 'no', (deadline) => this.#backend.health(deadline))
  }

  /** `onSuccess`: called before the result is returned. */
  async #attempt<T>(
    method: string,
    session: string | null,
    ifHung: 'no' | 'unknown',
    call: (deadline: number) => Promise<T>,
    onSuccess?: () => void,
  ): Promise<T> {
    this.#scope.signal?.throwIfAborted()
    if (method !== 'commit') await this.#giveWay()
    const started = performance.now()
    let deadline = started + this.timeout
    let applied: 'no' | 'unknown' = 'no'
    let reason: MemoryStoreBackendError | undefined
    for (let attempt = 1; ; attempt++) {
      try {
        const result = await this.#guard(call(deadline), method, ifHung, deadline)
        onSuccess?.()
        return result
      } catch (error) {
        if (!isBackendError(error)) throw error
        if (error.applied === 'unknown') {
          applied = 'unknown'
          deadline = Math.min(deadline, started + settledWithin)
        }
        if (reason === undefined || error.code !== 'TIMEOUT' || error.applied === 'unknown') reason = error
        const wait = Math.random() * Math.min(10 * 2 ** attempt, 500)
        const isKeptOut = ifHung === 'unknown' && applied === 'no' && error.code === 'TIMEOUT'
        const end = isKeptOut ? deadline - this.timeout * leftToWaitForOthers : deadline
        if (!error.retryable || performance.now() + wait >= end) {
          throw reason.applied === applied ? reason : overall(reason, applied)
        }
        publish('retry', { method, session, attempt, error })
        traceAttempt(attempt + 1)
        await pause(wait)
      }
    }
  }

  #within(scope: CallScope): Calls {
    return new Calls(this.#backend, this, { ...this.#scope, ...scope }, this.#giveWay, this.#deadlines)
  }

  /** Writes to another session, such as a fork's, are not part of the turn. */
  #turnOf(session: string): { readonly ifTurn?: string } {
    const { turn } = this.#scope
    return turn?.session === session ? { ifTurn: turn.token } : {}
  }

  #inTurn<T>(session: string, write: () => Promise<T>): Promise<T> {
    const { turn } = this.#scope
    if (turn?.session !== session) return write()
    return write().catch((error: unknown) => {
      if (isTurnLost(error)) turn.lose(error)
      throw error
    })
  }

  #guard<T>(call: Promise<T>, method: string, applied: 'no' | 'unknown', deadline: number): Promise<T> {
    return this.#deadlines.within(
      deadline + grace,
      call,
      () =>
        new MemoryStoreBackendError('TIMEOUT', `${method}: the backend did not respond within ${this.timeout} ms`, {
          applied,
        }),
    )
  }
}

function noTurns(): never {
  throw misuse('this backend does not support turns')
}

function nothingApplied(error: unknown): never {
  if (!isBackendError(error) || error.applied === 'no') throw error
  const { code, retryable } = error
  throw new MemoryStoreBackendError(code as BackendErrorCode, 'a slice of a copy could not be written', {
    applied: 'no',
    retryable,
    cause: error,
  })
}

/** This attempt wrote nothing, but another may have. */
function overall(last: MemoryStoreBackendError, applied: 'no' | 'unknown'): MemoryStoreBackendError {
  return new MemoryStoreBackendError('BACKEND_FAILED', 'one attempt had an unknown outcome, and another one failed', {
    applied,
    cause: last,
  })
}
