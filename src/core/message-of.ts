/** The message of anything that was thrown. An AggregateError, as from a host with several addresses, has no message itself. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
