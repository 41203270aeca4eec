/** better-sqlite3 cannot be used here; the message says why, and what to run. */
export class DriverError extends Error {
  override readonly name = 'DriverError'
}
