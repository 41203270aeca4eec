import { visibleLine } from '../../plain/visible-text.ts'
import { cut, pad, widthOf, wrap } from './text-layout.ts'

export interface Column {
  readonly title: string
  readonly align?: 'left' | 'right'
  /** The minimum width it may be cut to if the table is too wide. */
  readonly least?: number
}

const gap = '  '

/** A table within the given width; if even its narrowest form does not fit, each row becomes a block of lines. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
  bold: (text: string) => string,
): string {
  const cells = rows.map((row) => row.map(visibleLine))
  const widths = fitWidths(columns, cells, width)
  if (widths === undefined) return cells.map((row) => renderFields(titled(columns, row), width, bold)).join('\n')
  const renderRow = (row: readonly string[]) =>
    row
      .map((cell, index) => pad(cut(cell, widths[index] ?? 0), widths[index] ?? 0, columns[index]?.align))
      .join(gap)
      .trimEnd()
  const titles = renderRow(columns.map(({ title }) => title))
  return [bold(titles), ...cells.map(renderRow)].map((line) => `${line}\n`).join('')
}

/** Repeatedly narrows the widest column that may be cut; `undefined` if that is not enough. */
function fitWidths(columns: readonly Column[], cells: readonly (readonly string[])[], width: number) {
  const widths = columns.map(({ title }, index) =>
    cells.reduce((most, row) => Math.max(most, widthOf(row[index] ?? '')), widthOf(title)),
  )
  const least = columns.map(({ title, least: given }, index) =>
    given === undefined ? (widths[index] ?? 0) : Math.max(widthOf(title), Math.min(given, widths[index] ?? 0)),
  )
  const room = width - gap.length * (columns.length - 1)
  for (let excess = sum(widths) - room; excess > 0; excess--) {
    const slack = widths.map((one, index) => one - (least[index] ?? 0))
    const widest = widths.reduce(
      (best, one, index) => ((slack[index] ?? 0) > 0 && one > (widths[best] ?? 0) ? index : best),
      -1,
    )
    if (widest === -1) return undefined
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

type Field = readonly [title: string, text: string]

/** Titles with their values, each on its own line, or on several if it is long. */
export function renderFields(fields: readonly Field[], width: number, bold: (text: string) => string): string {
  const indent = Math.max(...fields.map(([title]) => widthOf(title))) + gap.length
  return fields
    .flatMap(([title, text]) =>
      wrap(visibleLine(text), Math.max(1, width - indent)).map((line, number) =>
        `${number === 0 ? bold(pad(title, indent)) : ' '.repeat(indent)}${line}`.trimEnd(),
      ),
    )
    .map((line) => `${line}\n`)
    .join('')
}

function titled(columns: readonly Column[], row: readonly string[]): Field[] {
  return columns.map(({ title }, index) => [title, row[index] ?? ''])
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
