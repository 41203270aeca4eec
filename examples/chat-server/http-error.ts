import { MemoryStoreError } from 'unforget'

/** A request that cannot be served as it is. */
export class HttpError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export interface Problem {
  readonly status: number
  readonly code: string
  readonly message: string
}

const statuses: Readonly<Record<string, number>> = {
  VERSION_CONFLICT: 409,
  OPERATION_CONFLICT: 409,
  SEQ_NOT_FOUND: 404,
  SNAPSHOT_NOT_FOUND: 404,
  RESULT_GONE: 410,
  SESSION_BUSY: 503,
  TURN_LOST: 503,
  STORE_CLOSED: 503,
  TIMEOUT: 503,
}

/** What the client is told of an error. After a 503, the same request may be sent again under the same request id. */
export function problemOf(error: unknown): Problem {
  if (error instanceof HttpError) return { status: error.status, code: 'BAD_REQUEST', message: error.message }
  const { message } = error instanceof Error ? error : new Error(String(error))
  if (!MemoryStoreError.is(error)) return { status: 500, code: 'FAILED', message }
  return { status: statuses[error.code] ?? 500, code: error.code, message }
}
