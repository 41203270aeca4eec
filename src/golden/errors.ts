import type { DatabaseDiff } from './compare/diff.ts'

/** Stable: part of the contract. Messages may change, codes do not. */
export type GoldenErrorCode =
  | 'MISSING'
  | 'NOT_A_DATABASE'
  | 'IS_DIRECTORY'
  | 'CORRUPT'
  | 'TOO_NEW'
  | 'CANNOT_READ'
  | 'CANNOT_WRITE'
  | 'TRANSACTION_OPEN'
  | 'LOCKED'
  | 'SEED_FAILED'
  | 'SEED_EMPTY'
  | 'START_STALE'
  | 'NAME_TAKEN'
  | 'BAD_OPTION'
  | 'MISMATCH'
  | 'REPORT_STALE'
  | 'OBSOLETE'
  | 'PROCESS_FAILED'
  | 'PROCESS_TIMEOUT'
  | 'NOT_REACHED'
  | 'NO_TYPESCRIPT'
  | 'NO_DRIVER'

/** Every error of the golden databases: a sentence, and nothing was overwritten. */
export class GoldenError extends Error {
  readonly code: GoldenErrorCode

  constructor(code: GoldenErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
  }

  override get name(): string {
    return this.constructor.name
  }
}

/** What a test left does not match its goldens; the message is the readable diff. */
export class GoldenMismatchError extends GoldenError {
  readonly mismatches: readonly Mismatch[]

  constructor(message: string, mismatches: readonly Mismatch[]) {
    super('MISMATCH', message)
    this.mismatches = mismatches
    Object.defineProperty(this, 'mismatches', { enumerable: false })
  }
}

export interface Mismatch {
  /** The golden's file. */
  readonly golden: string
  /** The step's name, or null for the end of the test. */
  readonly step: string | null
  /** What differs; null where there is no golden to compare with. */
  readonly diff: DatabaseDiff | null
  /** Where the new state waits for a review, if it was written. */
  readonly pending: string | null
  /** The `volatile` entries that would make it match, where only values that change on every run differ. */
  readonly proposal: Readonly<Record<string, 'uuid' | 'time' | 'random'>> | null
}

export function errorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
}

export function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error)
}
