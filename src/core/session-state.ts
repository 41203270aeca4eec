import type { Path } from './path.ts'

/** The state of a session without its path, which an append does not need. Times are milliseconds since 1970. */
export interface SessionHead {
  /** Made when the session is created. Distinguishes it from an earlier session with the same id. */
  readonly birth: string
  /** Counts commits, starting at 1. */
  readonly counter: number
  /** Renewed by every commit. With `birth` and `counter` it makes the version. */
  readonly nonce: string
  /** Counts paths, starting at 1. */
  readonly epoch: number
  /** The nonce of the commit that started the epoch. */
  readonly epochNonce: string
  /** The last seq given out; 0 before the first. */
  readonly end: number
  /** When the session was created, by the backend's clock. */
  readonly createdAt: number
  /** When the session was last written, by the backend's clock. */
  readonly updatedAt: number
  /** The time to live that every write restarts; `null` if there is none. */
  readonly ttl: number | null
  /** Whether `expire` set the expiry. The store's own `ttl` then no longer applies. */
  readonly ownTtl: boolean
  /** When the session expires; `null` for never. */
  readonly expiresAt: number | null
  /** The epoch that last took something back (rollback, rewind or clear); 1 if none did. */
  readonly takenBack: number
  /** The nonce of the commit that started it. With `birth` and `takenBack`, it makes the epoch that callers see. */
  readonly takenBackNonce: string
}

/** The whole state of a session: everything but its entries and snapshots. */
export interface SessionState extends SessionHead {
  /** What the session reads now. */
  readonly path: Path
  /**
   * Identifies the log within its store. A new session has a new one, and so has an imported one, although that keeps
   * its old `birth`. It never leaves the store.
   */
  readonly log: string
}

/** Opaque to callers. */
export function versionOf(state: SessionHead): string {
  return tokenOf(state.birth, state.counter, state.nonce)
}

/** Opaque to callers. Stays the same until something is taken back: trimming and compacting continue it. */
export function epochOf(state: SessionHead): string {
  return tokenOf(state.birth, state.takenBack, state.takenBackNonce)
}

/** Every change of the path makes another one. Never leaves the store. */
export function pathTokenOf(state: SessionHead): string {
  return tokenOf(state.birth, state.epoch, state.epochNonce)
}

/** Put together in this order, it takes half as many objects as from left to right. Every commit makes two, and they are remembered. */
function tokenOf(birth: string, number: number, nonce: string): string {
  const rest = `.${number}.${nonce}`
  return `${birth}${rest}`
}

/**
 * What a server compares with a version or an epoch: the empty text for `null`, and `-`, at which no session is, for what callers made up and no server
 * may be able to read.
 */
export function tokenToText(token: string | null): string {
  if (token === null) return ''
  return /^[\w-]+\.\d+\.[\w-]+$/.test(token) ? token : '-'
}

/** Whether the state holds everything that was there at `version`, as far as it can tell. */
export function reaches(state: SessionHead | null, version: string): boolean {
  if (state === null) return false
  const [birth, counter, nonce] = version.split('.')
  if (birth !== state.birth) return false
  return state.counter > Number(counter) || (state.counter === Number(counter) && nonce === state.nonce)
}

export function isExpired(state: { readonly expiresAt: number | null }, now: number): boolean {
  return state.expiresAt !== null && state.expiresAt <= now
}
