import type { Cell, DatabaseDiff, TableDiff } from '../../golden/compare/diff.ts'
import { cutValue } from '../../golden/render/cut-value.ts'
import { visibleLine, visibleLines } from '../../plain/visible-text.ts'

const longestLine = 160

/**
 * A whole database as lines: settings, declarations, rows. `diff` is its difference from an empty database. The same content gives the same
 * lines, so that texts can be compared instead of databases.
 */
export function renderContent(diff: DatabaseDiff, valueWidth = Number.POSITIVE_INFINITY): string[] {
  const settings = diff.settings.map(({ name, after }) => `${name} ${after}`)
  const declarations = diff.schema.map(({ type, name, after }) => [
    `${type} ${visibleLine(name)}`,
    ...visibleLines(after ?? '').map((line) => `  ${line}`),
  ])
  const rows = diff.tables.map((table) => [
    `rows of ${visibleLine(table.table)}: ${table.added.toLocaleString('en')}`,
    ...table.rows.flatMap((row) => (row.kind === 'changed' ? [] : renderRow(row.cells, table, valueWidth))),
    ...restOf(table),
  ])
  const sections = [settings, ...declarations, ...rows].filter((lines) => lines.length > 0)
  return sections.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))
}

/** On one line, or one line per column if that would be too long to read. */
function renderRow(cells: readonly Cell[], { key }: TableDiff, valueWidth: number): string[] {
  const shown = cells.map(({ column, value }) => ({
    column: visibleLine(column),
    value: visibleLine(cutValue(value, valueWidth)),
  }))
  const line = shown.map(({ column, value }) => `${column}=${value}`).join(' ')
  if (line.length <= longestLine || cells.length === 1) return [`  ${line}`]
  const isKey = (column: string) => key.includes(column)
  const head = shown.filter((_, index) => isKey(cells[index]?.column ?? ''))
  const others = shown.filter((_, index) => !isKey(cells[index]?.column ?? ''))
  return [
    `  ${head.length === 0 ? '(row)' : head.map(({ column, value }) => `${column}=${value}`).join(' ')}`,
    ...others.map(({ column, value }) => `      ${column}=${value}`),
  ]
}

function restOf({ added, rows }: TableDiff): string[] {
  const rest = added - rows.length
  return rest === 0 ? [] : [`  … and ${rest.toLocaleString('en')} more`]
}
