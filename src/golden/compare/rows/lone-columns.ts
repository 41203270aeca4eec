import { type DatabasePair, otherSide, type Side } from './database-pair.ts'
import { groupBy } from './group-by.ts'
import type { DifferingRow, RowSource } from './row-source.ts'
import { quoteName } from './sql-names.ts'
import { decodeRow, type Row, selectExact, toLiteral } from './values.ts'

/** Whether a column exists on one side only. Then every row differs, because its value must be shown. */
export const hasLoneColumns = ({ lone }: RowSource): boolean => lone.before.length + lone.after.length > 0

/** The columns that both sides have. They come first. */
export const sharedColumns = ({ columns, lone }: RowSource): readonly string[] =>
  columns.slice(0, columns.length - lone.before.length - lone.after.length)

/** Selects all columns of one side, for `decodeSide`. */
export function selectSide(source: RowSource, side: Side, alias: string): string {
  const missing = new Set(source.lone[otherSide(side)])
  return selectExact(source.columns.map((column) => (missing.has(column) ? 'NULL' : `${alias}.${quoteName(column)}`)))
}

export function decodeSide(source: RowSource, side: Side, raw: readonly unknown[], at: number, encoding: string): Row {
  const missing = new Set(source.lone[otherSide(side)])
  const row = decodeRow(raw, at, source.columns.length, encoding)
  return missing.size === 0
    ? row
    : row.map((value, index) => (missing.has(source.columns[index] ?? '') ? undefined : value))
}

/** The rows of both sides as a bag, paired by the columns that both have; if they have none in common, no rows are. */
export function* pairedBag(
  pair: DatabasePair,
  source: RowSource,
  where: (side: Side) => string,
): Generator<DifferingRow> {
  const width = sharedColumns(source).length
  const sharedOf = (row: Row) => JSON.stringify(row.slice(0, width).map((value) => toLiteral(value ?? null)))
  const read = (side: Side) =>
    [...pair.rows(`SELECT ${selectSide(source, side, 't')} FROM ${source.from[side]} AS t ${where(side)}`)].map((raw) =>
      decodeSide(source, side, raw, 0, pair.encodings[side]),
    )
  const waiting = groupBy(read('after'), sharedOf)
  for (const before of read('before')) {
    const after = width === 0 ? undefined : waiting.get(sharedOf(before))?.shift()
    yield { before, after: after ?? null }
  }
  for (const after of [...waiting.values()].flat()) yield { before: null, after }
}
