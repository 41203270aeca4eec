import type { Path } from './path.ts'

/** A session's state without its path, which an append does not need. */
export interface SessionHead {
  /** Generated when the session is created: distinguishes it from an earlier session with the same id. */
  readonly birth: string
  /** Counts commits. */
  readonly counter: number
  /** Changes with every commit. */
  readonly nonce: string
  readonly epoch: number
  /** The nonce of the commit that started the epoch. */
  readonly epochNonce: string
  /** The last assigned seq. */
  readonly end: number
  readonly createdAt: number
  readonly updatedAt: number
  /** Slides on every write; `null` if it does not. */
  readonly ttl: number | null
  /** Whether the session has its own time to live. */
  readonly ownTtl: boolean
  readonly expiresAt: number | null
}

export interface SessionState extends SessionHead {
  readonly path: Path
  /** Identifies the log: new whenever a session is created or imported, although an import keeps its birth. Never leaves its store. */
  readonly log: string
}

/** Opaque to callers. */
export function versionOf(state: SessionHead): string {
  return `${state.birth}.${state.counter}.${state.nonce}`
}

/** Opaque to callers. */
export function epochOf(state: SessionHead): string {
  return `${state.birth}.${state.epoch}.${state.epochNonce}`
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
