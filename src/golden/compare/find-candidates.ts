import type { Cell, ChangedCell, DatabaseDiff } from './diff.ts'
import { showJsonPath } from './json/json-path.ts'
import { jsonScalar } from './json/json-scalar.ts'
import { type JsonValue, jsonValues } from './json/json-values.ts'
import { groupBy } from './rows/group-by.ts'
import { parseLiteral, type SqlValue } from './rows/values.ts'
import { guessKind, type VolatileColumns, type VolatileKind } from './volatile/shapes.ts'

export type Candidate = readonly [column: string, kind: VolatileKind]

/** The columns, and the places inside of JSON, whose differing values all look like ids, times or random tokens. */
export function findCandidates(diff: DatabaseDiff, known: VolatileColumns): Candidate[] {
  return diff.tables.flatMap(({ table, columns, rows }) =>
    columns.flatMap((column): Candidate[] => {
      const name = `${table}.${column}`
      if (name in known) return []
      const cells = rows.flatMap((row): (Cell | ChangedCell)[] => row.cells.filter((cell) => cell.column === column))
      const whole = kindOf(cells.flatMap(literalsOf).map(parseLiteral))
      if (whole !== null) return [[name, whole]]
      return [...groupBy(cells.flatMap(leavesOf), ({ path }) => path)].flatMap(([path, leaves]): Candidate[] => {
        const kind = kindOf(leaves.map(({ value }) => value))
        return kind === null || `${name}${path}` in known ? [] : [[`${name}${path}`, kind]]
      })
    }),
  )
}

/** The one kind that all values look like. */
function kindOf(values: readonly (SqlValue | undefined)[]): VolatileKind | null {
  const kinds = new Set(
    values.filter((value) => value !== null).map((value) => (value === undefined ? null : guessKind(value))),
  )
  const [kind = null] = kinds
  return kinds.size === 1 ? kind : null
}

const literalsOf = (cell: Cell | ChangedCell): string[] =>
  'value' in cell ? [cell.value] : [cell.before, cell.after].filter((value) => value !== null)

interface Leaf {
  readonly path: string
  readonly value: SqlValue
}

/** The scalars inside of a JSON text; of a changed one, those that differ. */
function leavesOf(cell: Cell | ChangedCell): Leaf[] {
  const [one = [], other] = literalsOf(cell).map((literal) => {
    const text = parseLiteral(literal)
    return typeof text === 'string' ? scalarsIn(text) : []
  })
  if (other === undefined) return one.map(({ leaf }) => leaf)
  const [before, after] = [one, other].map((found) => new Set(found.map(({ exact }) => exact)))
  return [
    ...one.filter(({ exact }) => after?.has(exact) !== true),
    ...other.filter(({ exact }) => before?.has(exact) !== true),
  ].map(({ leaf }) => leaf)
}

function scalarsIn(text: string): { exact: string; leaf: Leaf }[] {
  return jsonValues(text)
    .filter(({ path, start }) => path.length > 0 && !/[{[]/.test(text[start] ?? ''))
    .map(({ path, start, end }: JsonValue) => {
      const json = text.slice(start, end)
      return { exact: JSON.stringify([path, json]), leaf: { path: showJsonPath(path), value: jsonScalar(json) } }
    })
}
