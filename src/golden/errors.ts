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

/** Every error of the golden databases. The message is a sentence, and nothing was overwritten. */
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

export function errorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
}
