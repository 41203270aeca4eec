import { type CompareOptions, compareDatabases } from './compare-databases.ts'
import { type DatabaseDiff, isEmptyDiff } from './diff.ts'
import { parseLiteral } from './rows/values.ts'
import { guessKind, type VolatileColumns, type VolatileKind } from './volatile/shapes.ts'

/** Among more columns than this, the proposal is not reduced to the ones that are needed. */
const reducible = 12

export type Proposal = Readonly<Record<string, VolatileKind>>

/**
 * If only values that look like ids, times or random tokens differ: the columns to declare so that the two databases are equal;
 * otherwise null. `diff` must be of the same two files and options.
 */
export function proposeVolatile(
  before: string,
  after: string,
  diff: DatabaseDiff,
  options: CompareOptions,
): Proposal | null {
  if (diff.settings.length + diff.schema.length > 0) return null
  const candidates = findCandidates(diff, options.volatile ?? {})
  const equalWith = (proposal: Proposal) =>
    isEmptyDiff(compareDatabases(before, after, { volatile: { ...options.volatile, ...proposal }, rowLimit: 0 }))
  const all = Object.fromEntries(candidates)
  if (candidates.length === 0 || !equalWith(all)) return null
  if (candidates.length > reducible) return all
  return candidates.reduceRight<Proposal>((proposal, [column]) => {
    const { [column]: _, ...fewer } = proposal
    return equalWith(fewer) ? fewer : proposal
  }, all)
}

/** As it is written in the options of a test. */
export function showProposal(proposal: Proposal): string {
  const entries = Object.entries(proposal).map(([column, kind]) => `${quote(column)}: '${kind}'`)
  return `volatile: { ${entries.join(', ')} }`
}

const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

function findCandidates(diff: DatabaseDiff, known: VolatileColumns): [column: string, kind: VolatileKind][] {
  return diff.tables.flatMap(({ table, columns, rows }) =>
    columns.flatMap((column): [string, VolatileKind][] => {
      const name = `${table}.${column}`
      const literals = rows.flatMap((row) =>
        row.cells.flatMap((cell) => (cell.column === column ? valuesOf(cell) : [])),
      )
      const values = literals.filter((literal) => literal !== 'NULL').map(parseLiteral)
      const kinds = new Set(values.map((value) => (value === undefined ? null : guessKind(value))))
      const [kind] = kinds
      return name in known || kinds.size !== 1 || kind === undefined || kind === null ? [] : [[name, kind]]
    }),
  )
}

const valuesOf = (cell: { value: string } | { before: string; after: string }) =>
  'value' in cell ? [cell.value] : [cell.before, cell.after]
