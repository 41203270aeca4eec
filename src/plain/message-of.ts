/** What an error says, whatever was thrown. Several at once, as of a host with several addresses, say nothing by themselves. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ')
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error)
}
