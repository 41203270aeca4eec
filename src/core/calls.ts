import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type {
  Backend,
  Change,
  Committed,
  Drop,
  Erasure,
  ListedPage,
  Reading,
  Reclaimed,
  ReclaimScope,
  SnapshotList,
  StagedEntry,
  Usage,
  Want,
} from './backend.ts'
import { publish } from './diagnostics.ts'
import { type BackendErrorCode, MemoryStoreBackendError, misuse, quote } from './errors.ts'
import { makeGiveWay } from './give-way.ts'
import { settledWithin } from './operation.ts'
import type { ClosedRange } from './path.ts'
import { isBackendError } from './recognize-error.ts'
import { within } from './within.ts'

/** How long a backend may overrun its deadline before we stop waiting. */
const grace = 20

/** The longest delay a timer supports. */
const longestTimer = 2 ** 31 - 1

/**
 * Every call to the backend goes through here: it ends within its deadline, and transient failures are retried until then. A commit
 * is retried under the same operation id, which also settles an unknown outcome, as long as the operation is guaranteed to be remembered.
 */
export class Calls {
  readonly #backend: Backend
  readonly timeout: number
  /** The store's own time to live for sessions. */
  readonly ttl: number | undefined
  readonly #giveWay = makeGiveWay()
  readonly #onCommit: () => void

  constructor(backend: Backend, options: { timeout: number; ttl: number | undefined }, onCommit = () => {}) {
    this.#backend = backend
    this.#onCommit = onCommit
    this.timeout = options.timeout
    this.ttl = options.ttl
  }

  read(session: string, want: Want): Promise<Reading> {
    return this.#attempt('read', session, 'no', (deadline) => this.#backend.read(session, want, deadline))
  }

  async commit(session: string, change: Change): Promise<Committed> {
    const withTtl = this.ttl === undefined ? change : { ...change, ttl: this.ttl }
    const committed = await this.#attempt('commit', session, 'unknown', (deadline) =>
      this.#backend.commit(session, withTtl, deadline),
    )
    this.#onCommit()
    return committed
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
      throw misuse(`options.owner: the backend ${quote(backend.name)} offers no lists by owner`)
    }
    const list = backend.sessionsOf.bind(backend)
    return this.#attempt('sessionsOf', null, 'no', (deadline) => list(owner, cursor, limit, deadline))
  }

  erase(session: string, conditions: Omit<Erasure, 'operation'> = {}): Promise<boolean> {
    const erasure = { ...conditions, operation: randomUUID() }
    return this.#attempt('erase', session, 'unknown', (deadline) => this.#backend.erase(session, erasure, deadline))
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

  async #attempt<T>(
    method: string,
    session: string | null,
    ifHung: 'no' | 'unknown',
    call: (deadline: number) => Promise<T>,
  ): Promise<T> {
    if (method !== 'commit') await this.#giveWay()
    const started = performance.now()
    let deadline = started + this.timeout
    let applied: 'no' | 'unknown' = 'no'
    let reason: MemoryStoreBackendError | undefined
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#guard(call(deadline), method, ifHung, deadline)
      } catch (error) {
        if (!isBackendError(error)) throw error
        if (error.applied === 'unknown') {
          applied = 'unknown'
          deadline = Math.min(deadline, started + settledWithin)
        }
        if (reason === undefined || error.code !== 'TIMEOUT' || error.applied === 'unknown') reason = error
        const wait = Math.random() * Math.min(10 * 2 ** attempt, 500)
        if (!error.retryable || performance.now() + wait >= deadline) {
          throw reason.applied === applied ? reason : overall(reason, applied)
        }
        publish('retry', { method, session, attempt, error })
        await pause(wait)
      }
    }
  }

  #guard<T>(call: Promise<T>, method: string, applied: 'no' | 'unknown', deadline: number): Promise<T> {
    const milliseconds = Math.min(deadline + grace - performance.now(), longestTimer)
    return within(
      milliseconds,
      call,
      () =>
        new MemoryStoreBackendError('TIMEOUT', `${method}: the backend did not respond within ${this.timeout} ms`, {
          applied,
        }),
    )
  }
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
  return new MemoryStoreBackendError('BACKEND_FAILED', 'one attempt had an unknown outcome, another failed', {
    applied,
    cause: last,
  })
}
