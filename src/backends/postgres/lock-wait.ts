import { MemoryStoreBackendError } from '../../core/errors.ts'

/** How long to wait for a lock, in milliseconds, so that an answer is here before it is no longer waited for; throws if nothing is left. */
export function lockWait(until: number): number {
  const left = until - performance.now()
  const toAnswer = Math.max(25, left / 5, Math.min(500, left / 2))
  const wait = Math.floor(left - toAnswer)
  if (wait > 0) return wait
  throw new MemoryStoreBackendError('TIMEOUT', 'there was no time left to send the call', {
    applied: 'no',
    retryable: true,
  })
}
