import type { DatabaseDiff, RowChange, TableDiff } from './diff.ts'

const precision = 1e6

/** How much of the rows differs: the part of each cell that only one side has, and the rows. Tells which of two ways to compare explains more. */
export function sizeOfDiff({ tables }: DatabaseDiff): number {
  const size = tables.reduce((sum, table) => sum + sizeOfTable(table), 0)
  return Math.round(size * precision)
}

function sizeOfTable({ columns, rows, changed, removed, added }: TableDiff): number {
  const surplus = new Map<string, number>()
  const count = (word: string, weight: number) => surplus.set(word, (surplus.get(word) ?? 0) + weight)
  for (const row of rows) for (const [word, weight] of wordsOf(row)) count(word, weight)
  const words = [...surplus.values()].reduce((sum, number) => sum + Math.abs(number), 0)
  const differing = changed + removed + added
  return words + differing + (differing - rows.length) * columns.length
}

function wordsOf(row: RowChange): [word: string, weight: number][] {
  const words = (column: string, value: string | null, sign: number) => {
    const found = value?.match(/<[^<>]*>|\w+/g) ?? []
    return found.map((word): [string, number] => [`${column} ${word}`, sign / found.length])
  }
  if (row.kind === 'changed')
    return row.cells.flatMap(({ column, before, after }) => [...words(column, before, 1), ...words(column, after, -1)])
  return row.cells.flatMap(({ column, value }) => words(column, value, row.kind === 'removed' ? 1 : -1))
}
