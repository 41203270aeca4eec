import type { Side } from './database-pair.ts'
import type { Row } from './values.ts'

/** What is compared as one table: where its rows are on each side (null if absent), and how they are paired. */
export interface RowSource {
  readonly name: string
  readonly from: Readonly<Record<Side, string | null>>
  /** Those of both sides first. */
  readonly columns: readonly string[]
  /** The columns that only this side has. */
  readonly lone: Readonly<Record<Side, readonly string[]>>
  /** Empty: rows are a bag. */
  readonly key: readonly string[]
  readonly keyMayBeNull: boolean
  readonly rowid: string | null
}

/** A row that only one side has, or two rows with the same key. */
export interface DifferingRow {
  readonly before: Row | null
  readonly after: Row | null
}
