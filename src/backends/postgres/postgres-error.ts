import { type BackendErrorCode, MemoryStoreBackendError, MemoryStoreError } from '../../core/errors.ts'
import { messageOf } from '../../plain/message-of.ts'
import { NotConnected } from '../../plain/not-connected.ts'
import { Overrun } from './link.ts'
import { stateOf } from './state-of.ts'

interface Meaning {
  readonly codes: RegExp
  readonly code: BackendErrorCode
  readonly reason: string
  readonly retryable?: true
  /** The server may have done it anyway. */
  readonly unknown?: true
}

/** What the server's error codes mean; what is not here failed, and nothing was written. */
const meanings: readonly Meaning[] = [
  { codes: /^25006$/, code: 'READ_ONLY', reason: 'the server is read-only' },
  { codes: /^25P0[34]$/, code: 'BACKEND_FAILED', reason: 'the server canceled it', retryable: true },
  { codes: /^42501$/, code: 'READ_ONLY', reason: 'the role lacks the privilege' },
  { codes: /^53100$/, code: 'DISK_FULL', reason: 'the disk of the server is full' },
  { codes: /^53200$/, code: 'OUT_OF_MEMORY', reason: 'the server is out of memory', retryable: true },
  { codes: /^53/, code: 'BACKEND_FAILED', reason: 'the server accepts no more connections', retryable: true },
  { codes: /^40003$/, code: 'BACKEND_FAILED', reason: 'the outcome is not known', retryable: true, unknown: true },
  { codes: /^40/, code: 'BACKEND_FAILED', reason: 'it conflicted with another transaction', retryable: true },
  { codes: /^55P03$/, code: 'TIMEOUT', reason: 'the session is locked by others', retryable: true },
  { codes: /^57014$/, code: 'BACKEND_FAILED', reason: 'the server canceled it', retryable: true },
  { codes: /^57P03$/, code: 'BACKEND_FAILED', reason: 'the server is starting or stopping', retryable: true },
  { codes: /^57P/, code: 'BACKEND_FAILED', reason: 'the server ended it', retryable: true, unknown: true },
  { codes: /^08/, code: 'BACKEND_FAILED', reason: 'the connection failed', retryable: true, unknown: true },
  { codes: /^(28|3D)/, code: 'CANNOT_OPEN', reason: 'the server denied access to this role' },
  { codes: /^(26000|42P05)$/, code: 'BACKEND_FAILED', reason: 'a pooler is in between', retryable: true },
  { codes: /^42883$/, code: 'SCHEMA_TOO_NEW', reason: 'the schema was upgraded or removed meanwhile' },
  { codes: /^(3F000|42P01|42703|42P07|42723)$/, code: 'NOT_A_MEMORY', reason: 'the tables are not those of a memory' },
]

/** The same work; its failure becomes an error of the contract. */
export function toldAsBackendError<T>(ifCut: 'no' | 'unknown', work: Promise<T>): Promise<T> {
  return work.catch((error) => {
    throw toBackendError(error, ifCut)
  })
}

/** Translates an error of the client or the server into an error of the contract. `ifCut`: what a lost connection means for what was sent. */
export function toBackendError(cause: unknown, ifCut: 'no' | 'unknown'): MemoryStoreError {
  if (cause instanceof MemoryStoreError) return cause
  const message = messageOf(cause)
  if (cause instanceof Overrun) {
    return new MemoryStoreBackendError('TIMEOUT', `PostgreSQL: ${message}`, { applied: ifCut, retryable: true, cause })
  }
  const isUnsent = cause instanceof NotConnected
  const state = stateOf(isUnsent ? cause.cause : cause)
  const meaning = state === undefined ? undefined : meanings.find(({ codes }) => codes.test(state))
  if (meaning !== undefined) {
    return new MemoryStoreBackendError(meaning.code, `PostgreSQL: ${meaning.reason} (${message})`, {
      applied: meaning.unknown && !isUnsent ? ifCut : 'no',
      retryable: meaning.retryable ?? false,
      cause,
    })
  }
  return new MemoryStoreBackendError('BACKEND_FAILED', `PostgreSQL: ${message}`, {
    applied: isUnsent || state !== undefined ? 'no' : ifCut,
    retryable: state === undefined,
    cause,
  })
}
