import { escapeHidden, quoteVisibly } from '../../plain/visible-text.ts'
import type { Cell, DatabaseDiff, RowChange, SchemaChange, TableDiff } from '../compare/diff.ts'
import { cutPair, cutValue } from './cut-value.ts'
import { diffLines } from './diff-lines.ts'

export interface RenderOptions {
  /** Off by default. */
  readonly color?: boolean | undefined
  /** Longer values are cut in the middle. 60 by default. */
  readonly valueWidth?: number | undefined
}

const colors = { '-': 31, '+': 32, '~': 33, head: 1 } as const

/** The diff as a person reads it: table by table, row by row, only the columns that changed. */
export function renderDiff(diff: DatabaseDiff, { color = false, valueWidth = 60 }: RenderOptions = {}): string {
  const paint = (style: keyof typeof colors, text: string) =>
    color ? `\u001b[${colors[style]}m${text}\u001b[0m` : text
  const sections = [
    diff.settings.map(({ name, before, after }) => `${paint('head', name)}: ${before} → ${after}`),
    ...diff.schema.map((change) => schemaLines(change, paint)),
    ...diff.tables.map((table) => [
      `${paint('head', `table ${showName(table.table)}`)}: ${countsOf(table)}`,
      ...table.rows.flatMap((row) => rowLines(row, table, valueWidth, paint)),
      ...restOf(table),
    ]),
    diff.brokenForeignKeys.slice(0, 10).map((line) => `${paint('-', 'broken foreign key')}: ${escapeHidden(line)}`),
  ]
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}

type Paint = (style: keyof typeof colors, text: string) => string

function schemaLines({ type, name, before, after }: SchemaChange, paint: Paint): string[] {
  const what = before === null ? 'added' : after === null ? 'removed' : 'changed'
  const lines =
    before !== null && after !== null
      ? diffLines(before, after)
      : (before ?? after ?? '')
          .split('\n')
          .map((text) => ({ sign: before === null ? ('+' as const) : ('-' as const), text }))
  const shown = lines.map(({ sign, text }) =>
    sign === ' ' ? `    ${escapeHidden(text)}` : `  ${paint(sign, `${sign} ${escapeHidden(text)}`)}`,
  )
  return [`${paint('head', `${type} ${showName(name)}`)}: declaration ${what}`, ...shown]
}

function rowLines(row: RowChange, { key, columns }: TableDiff, width: number, paint: Paint): string[] {
  if (row.kind !== 'changed') {
    const sign = row.kind === 'removed' ? '-' : '+'
    return [`  ${paint(sign, `${sign} ${showCells(row.cells, width)}`)}`]
  }
  const names = row.cells.map(({ column }) => showName(column))
  const aligned = names.filter((_, index) => row.cells[index]?.before !== null && row.cells[index]?.after !== null)
  const padding = Math.min(24, Math.max(0, ...aligned.map((name) => name.length)))
  const where = key.length === 0 || columns.length === 0 ? '' : ` ${showCells(row.key, width)}`
  return [
    `  ${paint('~', `~${where}`)}`,
    ...row.cells.map(({ before, after }, index) => {
      if (before === null || after === null)
        return `      ${paint(...loneValue(names[index] ?? '', before, after, width))}`
      const [was, is] = cutPair(before, after, width)
      return `      ${(names[index] ?? '').padEnd(padding)}  ${paint('-', was)} → ${paint('+', is)}`
    }),
  ]
}

/** The value of a column that only one side has. */
function loneValue(name: string, before: string | null, after: string | null, width: number): ['-' | '+', string] {
  return before === null
    ? ['+', `${name} (new) = ${cutValue(after ?? '', width)}`]
    : ['-', `${name} (dropped) = ${cutValue(before, width)}`]
}

const showCells = (cells: readonly Cell[], width: number) =>
  cells.map(({ column, value }) => `${showName(column)}=${cutValue(value, width)}`).join(' ')

/** Names can contain anything: all but plain words are quoted, on one line. */
const showName = (name: string) => (/^[\w ().-]+$/.test(name) ? name : quoteVisibly(name))

function countsOf({ changed, removed, added }: TableDiff): string {
  const counts = [
    [changed, 'changed'],
    [removed, 'removed'],
    [added, 'added'],
  ] as const
  return counts
    .flatMap(([count, what]) => (count === 0 ? [] : `${count} ${count === 1 ? 'row' : 'rows'} ${what}`))
    .join(', ')
}

function restOf({ changed, removed, added, rows }: TableDiff): string[] {
  const rest = changed + removed + added - rows.length
  return rest === 0 ? [] : [`  … and ${rest} more`]
}
