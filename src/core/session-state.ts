import type { Path } from './path.ts'

/** A session's state without its path, which an append does not need. */
export interface SessionHead {
  /** Made when the session begins: tells it from an earlier session of the same id. */
  readonly birth: string
  /** Counts commits. */
  readonly counter: number
  /** Renewed by every commit. */
  readonly nonce: string
  readonly epoch: number
  /** The nonce of the commit that began the epoch. */
  readonly epochNonce: string
  /** The last seq given out. */
  readonly end: number
  readonly createdAt: number
  readonly updatedAt: number
  /** Slides on every write; `null` if it does not. */
  readonly ttl: number | null
  /** Whether the session was given a time to live of its own. */
  readonly ownTtl: boolean
  readonly expiresAt: number | null
}

export interface SessionState extends SessionHead {
  readonly path: Path
  /** Which log it is: another one whenever a session begins or is imported, though an imported one has its old birth. It stays in its store. */
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

/**
 * What a server compares with a version or an epoch: the empty text for `null`, and `-`, at which no session is, for what callers made up and no server
 * may be able to read.
 */
export function tokenToText(token: string | null): string {
  if (token === null) return ''
  return /^[\w-]+\.\d+\.[\w-]+$/.test(token) ? token : '-'
}

/** Whether the state holds all that was there at `version`, as far as it can tell. */
export function reaches(state: SessionHead | null, version: string): boolean {
  if (state === null) return false
  const [birth, counter, nonce] = version.split('.')
  if (birth !== state.birth) return false
  return state.counter > Number(counter) || (state.counter === Number(counter) && nonce === state.nonce)
}

export function isExpired(state: { readonly expiresAt: number | null }, now: number): boolean {
  return state.expiresAt !== null && state.expiresAt <= now
}
