import { type BackendErrorCode, MemoryStoreBackendError, MemoryStoreError } from '../../core/errors.ts'
import { messageOf } from '../../plain/message-of.ts'
import { NotConnected } from '../../plain/not-connected.ts'

/** An error reply of the server; nothing was written. */
const refusals: readonly { prefix: RegExp; code: BackendErrorCode; retryable: boolean; reason: string }[] = [
  { prefix: /^OOM /, code: 'OUT_OF_MEMORY', retryable: false, reason: 'the server is out of memory' },
  { prefix: /^READONLY /, code: 'READ_ONLY', retryable: false, reason: 'the server is a read-only replica' },
  { prefix: /^LOADING /, code: 'BACKEND_FAILED', retryable: true, reason: 'the server is still loading its memory' },
  { prefix: /^BUSY /, code: 'BACKEND_FAILED', retryable: true, reason: 'the server is busy with a script' },
  {
    prefix: /^(CLUSTERDOWN|MASTERDOWN|TRYAGAIN|MOVED|ASK) /,
    code: 'BACKEND_FAILED',
    retryable: true,
    reason: 'the cluster is changing',
  },
  {
    prefix: /^NOREPLICAS /,
    code: 'BACKEND_FAILED',
    retryable: true,
    reason: 'the server has too few replicas to accept writes',
  },
  {
    prefix: /^MISCONF /,
    code: 'BACKEND_FAILED',
    retryable: false,
    reason: 'the server rejects writes because it cannot write to its disk',
  },
  {
    prefix: /^(NOAUTH|WRONGPASS|NOPERM) /,
    code: 'CANNOT_OPEN',
    retryable: false,
    reason: 'the server denied access to this user',
  },
  {
    prefix: /^(ERR )?(WRONGTYPE|Error running script.*WRONGTYPE)/,
    code: 'NOT_A_MEMORY',
    retryable: false,
    reason: 'a key of the memory holds something else',
  },
]

/** Translates an error of the client or the server into an error of the contract. `ifCut`: what a lost connection means for what was sent. */
export function toBackendError(cause: unknown, ifCut: 'no' | 'unknown'): MemoryStoreError {
  if (cause instanceof MemoryStoreError) return cause
  const message = messageOf(cause)
  if (cause instanceof NotConnected) {
    const refused = refusals.find(({ prefix }) => prefix.test(messageOf(cause.cause)))
    if (refused) return refusal(refused, messageOf(cause.cause), cause)
    return new MemoryStoreBackendError('BACKEND_FAILED', `Redis: ${message}`, { applied: 'no', retryable: true, cause })
  }
  const refused = refusals.find(({ prefix }) => prefix.test(message))
  if (refused) return refusal(refused, message, cause)
  if (isNamed(cause, ['ClientClosedError', 'ClientOfflineError', 'RootNodesUnavailableError'])) {
    return new MemoryStoreBackendError('BACKEND_FAILED', `Redis: no connection: ${message}`, {
      applied: 'no',
      retryable: true,
      cause,
    })
  }
  const isReply = isNamed(cause, ['SimpleError', 'BlobError', 'ErrorReply'])
  return new MemoryStoreBackendError('BACKEND_FAILED', `Redis: ${message}`, {
    applied: ifCut,
    retryable: !isReply,
    cause,
  })
}

/** The same for what a command said that failed within a script, of which an earlier one may have written. */
export function errorReply(message: string): MemoryStoreError {
  const refused = refusals.find(({ prefix }) => prefix.test(message))
  if (refused) return refusal(refused, message, undefined)
  return new MemoryStoreBackendError('BACKEND_FAILED', `Redis: ${message}`, { applied: 'unknown' })
}

function refusal({ code, retryable, reason }: (typeof refusals)[number], message: string, cause: unknown) {
  return new MemoryStoreBackendError(code, `Redis: ${reason} (${message})`, { applied: 'no', retryable, cause })
}

function isNamed(error: unknown, names: readonly string[]): boolean {
  return error instanceof Error && names.includes(error.constructor.name)
}
