import type { RowChange, TableDiff } from './diff.ts'
import type { DifferingRow, RowSource } from './rows/differing-rows.ts'
import { groupBy } from './rows/group-by.ts'
import { toLiteral } from './rows/values.ts'
import type { PlainRows } from './volatile/match-volatile.ts'

type Plain = readonly string[]

/** Counts the rows that differ, and keeps the first. */
class TableDiffBuilder {
  readonly #source: RowSource
  readonly #limit: number
  readonly #counts = { changed: 0, removed: 0, added: 0 }
  readonly #rows: RowChange[] = []

  constructor(source: RowSource, limit: number) {
    this.#source = source
    this.#limit = limit
  }

  /** Takes functions, because rows past the limit are never rendered. */
  add(before: (() => Plain) | null, after: (() => Plain) | null): void {
    const kind = before === null ? 'added' : after === null ? 'removed' : 'changed'
    this.#counts[kind]++
    if (this.#rows.length >= this.#limit) return
    if (before !== null && after !== null) this.#rows.push(this.#changed(before(), after()))
    else
      this.#rows.push({ kind: before === null ? 'added' : 'removed', cells: this.#cells((before ?? after)?.() ?? []) })
  }

  build(): TableDiff {
    const { name, key, columns } = this.#source
    return { table: name, key, columns, ...this.#counts, rows: this.#rows }
  }

  #cells(row: Plain) {
    return row.map((value, index) => ({ column: this.#source.columns[index] ?? '', value }))
  }

  #changed(before: Plain, after: Plain): RowChange {
    const { key } = this.#source
    return {
      kind: 'changed',
      key: this.#cells(before).filter(({ column }) => key.includes(column)),
      cells: this.#cells(before).flatMap(({ column, value }, index) => {
        const now = after[index] ?? ''
        return value === now ? [] : [{ column, before: value, after: now }]
      }),
    }
  }
}

export function diffOfRows(source: RowSource, rows: Iterable<DifferingRow>, limit: number): TableDiff {
  const builder = new TableDiffBuilder(source, limit)
  for (const { before, after } of rows) {
    builder.add(before && (() => before.map(toLiteral)), after && (() => after.map(toLiteral)))
  }
  return builder.build()
}

/** For rows with placeholders: equal ones cancel out, the others are paired by key. */
export function diffOfPlainRows(source: RowSource, rows: PlainRows, limit: number): TableDiff {
  const remaining = groupBy(rows.after, (row) => JSON.stringify(row))
  const unmatched = rows.before.filter((row) => remaining.get(JSON.stringify(row))?.pop() === undefined)
  const positions = source.key.map((column) => source.columns.indexOf(column))
  const keyOf = (row: Plain) => JSON.stringify(positions.map((position) => row[position]))
  const added = new Set([...remaining.values()].flat())
  const byKey = new Map(positions.length === 0 ? [] : [...added].map((row) => [keyOf(row), row]))
  const builder = new TableDiffBuilder(source, limit)
  for (const before of unmatched) {
    const after = byKey.get(keyOf(before))
    const isPair = after !== undefined && added.delete(after)
    builder.add(() => before, isPair ? () => after : null)
  }
  for (const after of added) builder.add(null, () => after)
  return builder.build()
}
