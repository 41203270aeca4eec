/** The queries on an open file that the parts of a connection use. */
export interface Queries {
  run(sql: string, ...parameters: unknown[]): number
  /** Runs an insert and returns the row id it made. */
  insert(sql: string, ...parameters: unknown[]): number
  get<Row>(sql: string, ...parameters: unknown[]): Row | undefined
  all<Row>(sql: string, ...parameters: unknown[]): Row[]
  /** The values of a statement that has one column. */
  column<Value>(sql: string, ...parameters: unknown[]): Value[]
  pragma(text: string): unknown
  /** Throws unless the file has the schema that this connection reads and writes. */
  requireSchema(): void
  /** In a transaction that writes, it differs from what it was in an earlier one if anyone else has written to the file since. */
  readonly foreignChanges: string | null
}
