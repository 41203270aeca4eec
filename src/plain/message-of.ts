/** The message of anything that was thrown. An AggregateError, as from a host with several addresses, has no message itself. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ')
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error)
}
