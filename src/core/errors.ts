/** Stable: part of the contract. Messages may change, codes do not. */
export type ErrorCode =
  | 'BACKEND_FAILED'
  | 'TIMEOUT'
  | 'CANNOT_OPEN'
  | 'NOT_A_MEMORY'
  | 'SCHEMA_TOO_NEW'
  | 'SCHEMA_TOO_OLD'
  | 'READ_ONLY'
  | 'DISK_FULL'
  | 'OUT_OF_MEMORY'
  | 'NOT_REPLICATED'
  | 'MEMORY_LOST'
  | 'VERSION_CONFLICT'
  | 'OPERATION_CONFLICT'
  | 'SNAPSHOT_NOT_FOUND'
  | 'SNAPSHOT_EXISTS'
  | 'SESSION_EXISTS'
  | 'SESSION_NOT_FOUND'
  | 'COPY_LOST'
  | 'SEQ_NOT_FOUND'
  | 'DIMENSION_MISMATCH'
  | 'INVALID_ENTRY'
  | 'RESULT_GONE'
  | 'STORE_CLOSED'

const brand = Symbol.for('unforget.MemoryStoreError')

/** Every error of the store except misuse of its API, which is a `TypeError` with the code `INVALID_ARGUMENT`. */
export class MemoryStoreError extends Error {
  readonly code: ErrorCode
  /** Whether repeating the same call can succeed. */
  readonly retryable: boolean

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; retryable?: boolean } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.code = code
    this.retryable = options.retryable ?? false
  }

  override get name(): string {
    return this.constructor.name
  }

  get [brand](): true {
    return true
  }

  /** Also recognizes errors of another copy of this package, which `instanceof` does not. */
  static is(value: unknown): value is MemoryStoreError {
    return value instanceof Error && brand in value
  }
}

export type BackendErrorCode =
  | 'BACKEND_FAILED'
  | 'TIMEOUT'
  | 'CANNOT_OPEN'
  | 'NOT_A_MEMORY'
  | 'SCHEMA_TOO_NEW'
  | 'SCHEMA_TOO_OLD'
  | 'READ_ONLY'
  | 'DISK_FULL'
  | 'OUT_OF_MEMORY'
  | 'NOT_REPLICATED'

/** The backend failed. `applied` says what happened to the change: `no`, nothing was written; `unknown`, it may have been. */
export class MemoryStoreBackendError extends MemoryStoreError {
  readonly applied: 'no' | 'unknown'

  constructor(
    code: BackendErrorCode,
    message: string,
    options: { applied: 'no' | 'unknown'; cause?: unknown; retryable?: boolean },
  ) {
    super(
      code,
      `${message} (${options.applied === 'no' ? 'nothing was written' : 'it may have been written'})`,
      options,
    )
    this.applied = options.applied
  }
}

/** Memory that must exist is missing or unreadable. Thrown instead of returning less than was stored. */
export class MemoryLostError extends MemoryStoreError {
  readonly session: string
  /** The entries that are missing or unreadable; empty if unknown. */
  readonly seqs: readonly number[]
  /** What is lost, without the session. */
  readonly reason: string

  constructor(session: string, seqs: readonly number[], reason: string, options: { cause?: unknown } = {}) {
    super('MEMORY_LOST', `memory of session ${quote(session)} is lost: ${reason}`, options)
    this.session = session
    this.seqs = seqs
    this.reason = reason
  }
}

/** `ifVersion` or `ifEpoch` did not hold; nothing was changed. */
export class VersionConflictError extends MemoryStoreError {
  readonly session: string
  readonly subject: 'version' | 'epoch'
  readonly expected: string | null
  readonly actual: string | null

  constructor(session: string, subject: 'version' | 'epoch', expected: string | null, actual: string | null) {
    super(
      'VERSION_CONFLICT',
      `session ${quote(session)} is at ${subject} ${actual ?? '(none)'}, not ${expected ?? '(none)'}; nothing was changed`,
    )
    this.session = session
    this.subject = subject
    this.expected = expected
    this.actual = actual
  }
}

/** The operation id was already used in this session for something else; nothing was changed. */
export class OperationConflictError extends MemoryStoreError {
  readonly session: string
  readonly operationId: string

  constructor(session: string, operationId: string) {
    super(
      'OPERATION_CONFLICT',
      `operation ${quote(operationId)} was already used in session ${quote(session)} for something else; nothing was changed`,
    )
    this.session = session
    this.operationId = operationId
  }
}

/** The operation was applied before, and its result no longer exists. */
export class ResultGoneError extends MemoryStoreError {
  readonly session: string
  readonly operationId: string

  constructor(session: string, operationId: string) {
    super(
      'RESULT_GONE',
      `operation ${quote(operationId)} was already applied to session ${quote(session)}; its result has been removed since`,
    )
    this.session = session
    this.operationId = operationId
  }
}

export class SnapshotNotFoundError extends MemoryStoreError {
  readonly session: string
  readonly snapshotId: string

  constructor(session: string, snapshotId: string) {
    super('SNAPSHOT_NOT_FOUND', `session ${quote(session)} has no snapshot ${quote(snapshotId)}; nothing was changed`)
    this.session = session
    this.snapshotId = snapshotId
  }
}

export class SnapshotExistsError extends MemoryStoreError {
  readonly session: string
  readonly snapshotId: string

  constructor(session: string, snapshotId: string) {
    super(
      'SNAPSHOT_EXISTS',
      `session ${quote(session)} already has a snapshot ${quote(snapshotId)}; nothing was changed`,
    )
    this.session = session
    this.snapshotId = snapshotId
  }
}

export class SessionExistsError extends MemoryStoreError {
  readonly session: string

  constructor(session: string) {
    super('SESSION_EXISTS', `session ${quote(session)} already exists; nothing was changed`)
    this.session = session
  }
}

/** The staged part of a fork or an import was no longer complete when it was to be published; nothing was changed, and repeating the call starts over. */
export class CopyLostError extends MemoryStoreError {
  readonly session: string
  readonly expected: number
  readonly actual: number

  constructor(session: string, expected: number, actual: number) {
    const found = `${actual} of ${expected} entries were there`
    super('COPY_LOST', `the copy for session ${quote(session)} is incomplete: ${found}; nothing was changed`, {
      retryable: true,
    })
    this.session = session
    this.expected = expected
    this.actual = actual
  }
}

/** There is no such session, and reading it as empty would hide a mistake. */
export class SessionNotFoundError extends MemoryStoreError {
  readonly session: string

  constructor(session: string) {
    super('SESSION_NOT_FOUND', `there is no session ${quote(session)}; nothing was changed`)
    this.session = session
  }
}

/** The seq is not on the session's current path. */
export class SeqNotFoundError extends MemoryStoreError {
  readonly session: string
  readonly seq: number

  constructor(session: string, seq: number) {
    super('SEQ_NOT_FOUND', `session ${quote(session)} has no entry ${seq} on its path; nothing was changed`)
    this.session = session
    this.seq = seq
  }
}

/** The embedding has other dimensions than a summary it would be compared with. */
export class DimensionMismatchError extends MemoryStoreError {
  readonly expected: number
  readonly actual: number

  constructor(session: string, seq: number, stored: number, given: number) {
    super(
      'DIMENSION_MISMATCH',
      `the query has ${given} dimensions, summary ${seq} of session ${quote(session)} has ${stored}`,
    )
    this.expected = stored
    this.actual = given
  }
}

/** A value that cannot be stored or has the wrong shape; rejected before anything was written. */
export class InvalidEntryError extends MemoryStoreError {
  /** Where the value is, such as `messages[0].metadata.when`. */
  readonly path: string
  readonly reason: string

  constructor(path: string, reason: string) {
    super('INVALID_ENTRY', `${path}: ${reason}; nothing was written`)
    this.path = path
    this.reason = reason
  }
}

export class StoreClosedError extends MemoryStoreError {
  constructor() {
    super('STORE_CLOSED', 'the store is closed; nothing was done')
  }
}

export function misuse(message: string): TypeError {
  return Object.assign(new TypeError(message), { code: 'INVALID_ARGUMENT' })
}

export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text)
}
