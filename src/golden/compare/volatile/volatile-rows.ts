import type { DifferingRow, RowSource } from '../rows/row-source.ts'
import type { VolatileTable } from './volatile-columns.ts'

/** The rows of a table that differ, and how its columns vary. */
export interface VolatileRows {
  readonly source: RowSource
  readonly volatile: VolatileTable
  /** The columns that point to another row. */
  readonly references: ReadonlySet<string>
  readonly differing: readonly DifferingRow[]
}
