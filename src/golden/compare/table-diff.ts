import type { Cell, ChangedCell, RowChange, TableDiff } from './diff.ts'
import { groupBy } from './rows/group-by.ts'
import { hasLoneColumns, sharedColumns } from './rows/lone-columns.ts'
import type { DifferingRow, RowSource } from './rows/row-source.ts'
import { type Row, toLiteral } from './rows/values.ts'
import type { PlainRow, PlainRows } from './volatile/match-volatile.ts'

/** Counts the rows that differ, and keeps the first. Rows that differ only because a column came or went are kept last. */
class TableDiffBuilder {
  readonly #source: RowSource
  readonly #limit: number
  readonly #counts = { changed: 0, removed: 0, added: 0 }
  readonly #rows: RowChange[] = []
  readonly #kept: RowChange[] = []

  constructor(source: RowSource, limit: number) {
    this.#source = source
    this.#limit = limit
  }

  /** Takes functions, because rows past the limit are never rendered. */
  add(before: (() => PlainRow) | null, after: (() => PlainRow) | null): void {
    const kind = before === null ? 'added' : after === null ? 'removed' : 'changed'
    this.#counts[kind]++
    if (this.#rows.length >= this.#limit) return
    if (before === null || after === null)
      this.#rows.push({ kind: before === null ? 'added' : 'removed', cells: this.#cells((before ?? after)?.() ?? []) })
    else this.#addChanged(this.#changed(before(), after()))
  }

  build(): TableDiff {
    const { name, key, columns } = this.#source
    const rows = [...this.#rows, ...this.#kept].slice(0, this.#limit)
    return { table: name, key, columns, ...this.#counts, rows }
  }

  #addChanged(row: RowChange & { kind: 'changed' }): void {
    const isKept = row.cells.every(({ before, after }) => before === null || after === null)
    if (!isKept) this.#rows.push(row)
    else if (this.#kept.length < this.#limit) this.#kept.push(row)
  }

  #cells(row: PlainRow): Cell[] {
    return row.flatMap((value, index) => (value === null ? [] : [{ column: this.#source.columns[index] ?? '', value }]))
  }

  #changed(before: PlainRow, after: PlainRow): RowChange & { kind: 'changed' } {
    const { key, columns } = this.#source
    return {
      kind: 'changed',
      key: this.#cells(before).filter(({ column }) => key.includes(column)),
      cells: columns.flatMap((column, index): ChangedCell[] => {
        const [was = null, is = null] = [before[index], after[index]]
        return was === is ? [] : [{ column, before: was, after: is }]
      }),
    }
  }
}

const toPlain = (row: Row): PlainRow => row.map((value) => (value === undefined ? null : toLiteral(value)))

export function diffOfRows(source: RowSource, rows: Iterable<DifferingRow>, limit: number): TableDiff {
  const builder = new TableDiffBuilder(source, limit)
  for (const { before, after } of rows) {
    builder.add(before && (() => toPlain(before)), after && (() => toPlain(after)))
  }
  return builder.build()
}

/** For rows with placeholders: equal ones cancel out, the others are paired by key. */
export function diffOfPlainRows(source: RowSource, rows: PlainRows, limit: number): TableDiff {
  const remaining = groupBy(rows.after, (row) => JSON.stringify(row))
  const unmatched = rows.before.filter((row) => remaining.get(JSON.stringify(row))?.pop() === undefined)
  const pairing = source.key.length === 0 && hasLoneColumns(source) ? sharedColumns(source) : source.key
  const positions = pairing.map((column) => source.columns.indexOf(column))
  const keyOf = (row: PlainRow) => JSON.stringify(positions.map((position) => row[position]))
  const added = new Set([...remaining.values()].flat())
  const byKey = positions.length === 0 ? new Map<string, PlainRow[]>() : groupBy(added, keyOf)
  const builder = new TableDiffBuilder(source, limit)
  for (const before of unmatched) {
    const after = byKey.get(keyOf(before))?.shift()
    if (after !== undefined) added.delete(after)
    builder.add(() => before, after === undefined ? null : () => after)
  }
  for (const after of added) builder.add(null, () => after)
  return builder.build()
}
