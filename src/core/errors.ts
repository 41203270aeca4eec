/**
 * The codes of a `MemoryStoreBackendError`. They are part of the contract: messages may change, codes do not.
 *
 * - `BACKEND_FAILED`: The backend failed, or the file was replaced while it was open.
 * - `TIMEOUT`: A call to the backend did not end within the store's `timeout`, or the path kept changing for that long.
 * - `CANNOT_OPEN`: The memory could not be opened: the file, the server or its driver is missing or does not fit.
 * - `NOT_A_MEMORY`: The file, the keys or the schema hold something that is not an unforget memory.
 * - `SCHEMA_TOO_NEW`: A newer version of unforget wrote the memory.
 * - `SCHEMA_TOO_OLD`: The memory has an older schema, and was opened in a way that does not upgrade it.
 * - `READ_ONLY`: The memory was opened read-only, or the server refuses writes.
 * - `DISK_FULL`: The disk is full. What was acknowledged is kept.
 * - `OUT_OF_MEMORY`: The server has no memory left for the write.
 * - `NOT_REPLICATED`: Fewer replicas than `waitForReplicas` have the write. The primary has it.
 */
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

/**
 * The codes of a `MemoryStoreError`: those of `BackendErrorCode`, and these. They are part of the contract: messages
 * may change, codes do not.
 *
 * - `MEMORY_LOST`: Memory that must be there is missing or unreadable.
 * - `VERSION_CONFLICT`: `ifVersion` or `ifEpoch` did not hold.
 * - `OPERATION_CONFLICT`: The `operationId` was used for something else.
 * - `SNAPSHOT_NOT_FOUND`: The session has no such snapshot.
 * - `SNAPSHOT_EXISTS`: The session already has a snapshot with this id.
 * - `SESSION_EXISTS`: `fork` or `importSession` was asked to create a session that already exists.
 * - `SESSION_NOT_FOUND`: `fork`, `describe` or `exportSession` was asked to use a session that does not exist.
 * - `SESSION_BUSY`: Someone else holds the session's turn and did not end it within `wait`.
 * - `TURN_LOST`: The turn that a write belongs to has ended, or its lease has.
 * - `COPY_LOST`: Part of a long `fork` or `importSession` was gone before the copy was published.
 * - `SEQ_NOT_FOUND`: There is no entry with this seq on the path.
 * - `DIMENSION_MISMATCH`: The query of `recall` has a different number of dimensions than a stored embedding.
 * - `INVALID_ENTRY`: An entry has the wrong shape or holds something that cannot be stored.
 * - `RESULT_GONE`: The operation was applied, and what it returns no longer exists.
 * - `STORE_CLOSED`: The store is closed.
 */
export type ErrorCode =
  | BackendErrorCode
  | 'MEMORY_LOST'
  | 'VERSION_CONFLICT'
  | 'OPERATION_CONFLICT'
  | 'SNAPSHOT_NOT_FOUND'
  | 'SNAPSHOT_EXISTS'
  | 'SESSION_EXISTS'
  | 'SESSION_NOT_FOUND'
  | 'SESSION_BUSY'
  | 'TURN_LOST'
  | 'COPY_LOST'
  | 'SEQ_NOT_FOUND'
  | 'DIMENSION_MISMATCH'
  | 'INVALID_ENTRY'
  | 'RESULT_GONE'
  | 'STORE_CLOSED'

const brand = Symbol.for('unforget.MemoryStoreError')

/**
 * The base of every error that the store throws. Misuse of the API is the one exception: that is a `TypeError` with the
 * code `INVALID_ARGUMENT`.
 *
 * With any of these errors except a `MemoryStoreBackendError` and a `ResultGoneError`, the call wrote nothing.
 * `clearAll` and `deleteAllSessions` change many sessions, so their error concerns a single session.
 */
export class MemoryStoreError extends Error {
  /** What went wrong. Branch on this, not on the message. */
  readonly code: ErrorCode
  /** Whether the same call, repeated as it is, can succeed. The store has already retried until its timeout. */
  readonly retryable: boolean

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; retryable?: boolean } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.code = code
    this.retryable = options.retryable ?? false
  }

  /** The name of the class, such as `MemoryLostError`. */
  override get name(): string {
    return this.constructor.name
  }

  /** Marks the errors of every copy of this package. */
  get [brand](): true {
    return true
  }

  /**
   * Tells whether a value is an error of the store. It recognizes errors of another copy of this package, which
   * `instanceof` does not.
   */
  static is(value: unknown): value is MemoryStoreError {
    return value instanceof Error && brand in value
  }
}

/** The backend failed: the file, the server, or the connection to it. The error it gave is in `cause`. */
export class MemoryStoreBackendError extends MemoryStoreError {
  /**
   * Whether the write was applied. `no`: nothing was written. `unknown`: it may have been written, whole or not at all;
   * repeat it under the same `operationId`, and it applies once.
   */
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

/**
 * Memory that must be there is missing or unreadable (`MEMORY_LOST`). Thrown instead of returning less than was kept.
 */
export class MemoryLostError extends MemoryStoreError {
  /** The session that lost memory. */
  readonly session: string
  /** The seqs of the entries that are missing or unreadable; empty if it is not known which. */
  readonly seqs: readonly number[]
  /** What is lost, without the session id. */
  readonly reason: string

  constructor(session: string, seqs: readonly number[], reason: string, options: { cause?: unknown } = {}) {
    super('MEMORY_LOST', `memory of session ${quote(session)} is lost: ${reason}`, options)
    this.session = session
    this.seqs = seqs
    this.reason = reason
  }
}

/** `ifVersion` or `ifEpoch` did not hold (`VERSION_CONFLICT`). Nothing was changed. Read again, and decide again. */
export class VersionConflictError extends MemoryStoreError {
  /** The session to write to. */
  readonly session: string
  /** Which condition failed. */
  readonly subject: 'version' | 'epoch' | 'path'
  /** The token that was given. */
  readonly expected: string | null
  /** The token of the session now; `null` if there is no session. */
  readonly actual: string | null

  constructor(session: string, subject: 'version' | 'epoch' | 'path', expected: string | null, actual: string | null) {
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

/** The `operationId` was used in this session for something else (`OPERATION_CONFLICT`). Nothing was changed. */
export class OperationConflictError extends MemoryStoreError {
  /** The session to write to. */
  readonly session: string
  /** The id that is taken. */
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

/**
 * The operation was applied, and what it returns no longer exists (`RESULT_GONE`). `operation` throws it if the entries
 * were swept; `rewind` if it is repeated after a sweep, or if the session was deleted before the cut entries were read
 * back.
 */
export class ResultGoneError extends MemoryStoreError {
  /** The session that was written. */
  readonly session: string
  /** The id of the operation that was applied. */
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

/** The session has no snapshot with this id (`SNAPSHOT_NOT_FOUND`). Nothing was changed. */
export class SnapshotNotFoundError extends MemoryStoreError {
  /** The session that was searched. */
  readonly session: string
  /** The id that was given. */
  readonly snapshotId: string

  constructor(session: string, snapshotId: string) {
    super('SNAPSHOT_NOT_FOUND', `session ${quote(session)} has no snapshot ${quote(snapshotId)}; nothing was changed`)
    this.session = session
    this.snapshotId = snapshotId
  }
}

/** The session already has a snapshot with this id (`SNAPSHOT_EXISTS`). Nothing was changed. */
export class SnapshotExistsError extends MemoryStoreError {
  /** The session that has it. */
  readonly session: string
  /** The id that is taken. */
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

/**
 * `fork` or `importSession` was asked to create a session that already exists (`SESSION_EXISTS`). Nothing was changed.
 */
export class SessionExistsError extends MemoryStoreError {
  /** The session that exists. */
  readonly session: string

  constructor(session: string) {
    super('SESSION_EXISTS', `session ${quote(session)} already exists; nothing was changed`)
    this.session = session
  }
}

/**
 * Part of a long `fork` or `importSession` was gone before the copy was published (`COPY_LOST`). Nothing was changed.
 * The same call again starts over.
 */
export class CopyLostError extends MemoryStoreError {
  /** The session to create. */
  readonly session: string
  /** How many entries were written. */
  readonly expected: number
  /** How many were still there. */
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

/**
 * `fork`, `describe` or `exportSession` was asked to use a session that does not exist (`SESSION_NOT_FOUND`). Nothing
 * was changed.
 */
export class SessionNotFoundError extends MemoryStoreError {
  /** The id that was given. */
  readonly session: string

  constructor(session: string) {
    super('SESSION_NOT_FOUND', `there is no session ${quote(session)}; nothing was changed`)
    this.session = session
  }
}

/** Someone else holds the session's turn and did not end it in time (`SESSION_BUSY`). Nothing was done. */
export class SessionBusyError extends MemoryStoreError {
  /** The session whose turn is taken. */
  readonly session: string

  constructor(session: string, wait: number) {
    super('SESSION_BUSY', `the turn of session ${quote(session)} was not free within ${wait} ms; nothing was done`, {
      retryable: true,
    })
    this.session = session
  }
}

/**
 * The turn has ended, or its lease has (`TURN_LOST`). A write that throws it changed nothing. What the turn wrote
 * before is kept.
 */
export class TurnLostError extends MemoryStoreError {
  /** The session whose turn it was. */
  readonly session: string

  constructor(session: string) {
    super('TURN_LOST', `the turn of session ${quote(session)} was lost; nothing was changed`)
    this.session = session
  }
}

/** There is no entry with this seq on the path (`SEQ_NOT_FOUND`). Nothing was changed. */
export class SeqNotFoundError extends MemoryStoreError {
  /** The session that was read, rewound or forked. */
  readonly session: string
  /** The seq that was given. */
  readonly seq: number
  /** The nearest lower seq on the path; `null` if there is none. */
  readonly below: number | null
  /** The nearest higher seq on the path; `null` if there is none. */
  readonly above: number | null

  constructor(session: string, seq: number, nearest: { readonly below: number | null; readonly above: number | null }) {
    const seqs = [nearest.below, nearest.above].filter((one) => one !== null)
    const found =
      seqs.length === 0 ? 'it is empty' : `the nearest ${seqs.length === 1 ? 'is' : 'are'} ${seqs.join(' and ')}`
    super('SEQ_NOT_FOUND', `session ${quote(session)} has no entry ${seq} on its path: ${found}; nothing was changed`)
    this.session = session
    this.seq = seq
    this.below = nearest.below
    this.above = nearest.above
  }
}

/**
 * The query of `recall` has a different number of dimensions than a summary it is compared with (`DIMENSION_MISMATCH`).
 */
export class DimensionMismatchError extends MemoryStoreError {
  /** The dimensions of the stored embedding. */
  readonly expected: number
  /** The dimensions of the query. */
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

/**
 * A value has the wrong shape, or holds something that cannot be stored (`INVALID_ENTRY`). It was rejected before
 * anything was written.
 */
export class InvalidEntryError extends MemoryStoreError {
  /** Where the value is, such as `messages[0].metadata.when`. */
  readonly path: string
  /** What is wrong with it. */
  readonly reason: string

  constructor(path: string, reason: string) {
    super('INVALID_ENTRY', `${path}: ${reason}; nothing was written`)
    this.path = path
    this.reason = reason
  }
}

/** The store is closed (`STORE_CLOSED`). Nothing was done. */
export class StoreClosedError extends MemoryStoreError {
  constructor() {
    super('STORE_CLOSED', 'the store is closed; nothing was done')
  }
}

/** A `TypeError` with the code `INVALID_ARGUMENT`, for backends and stores that reject an argument. */
export function misuse(message: string): TypeError {
  return Object.assign(new TypeError(message), { code: 'INVALID_ARGUMENT' })
}

/** Text as it stands in a message: in quotes, and shortened to 80 characters. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text)
}
