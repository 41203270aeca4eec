import { type CompareOptions, compareDatabases } from './compare-databases.ts'
import { type DatabaseDiff, isEmptyDiff } from './diff.ts'
import { findCandidates } from './find-candidates.ts'
import { sizeOfDiff } from './size-of-diff.ts'
import type { VolatileKind } from './volatile/shapes.ts'

/** Among more columns than this, the proposal is not reduced to the ones that are needed. */
const reducible = 16
/** Rows per table that are looked at. */
const sample = 200

export type Proposal = Readonly<Record<string, VolatileKind>>

/** Columns that look as if they change on every run, and what would differ still if they were declared so. */
export interface Suggestion {
  readonly proposal: Proposal
  /** Such as `orders.note` or `orders: 1 row added`. Empty: the two databases are equal then. */
  readonly stillDiffers: readonly string[]
}

/**
 * The columns to declare so that fewer values differ: those with nothing but ids, times or random tokens in the rows that differ. Null if there are none.
 * `diff` must be of the same two files and options.
 */
export function proposeVolatile(
  before: string,
  after: string,
  diff: DatabaseDiff,
  options: CompareOptions,
): Suggestion | null {
  const compareWith = (proposal: Proposal) =>
    compareDatabases(before, after, { volatile: { ...options.volatile, ...proposal }, rowLimit: sample })
  const candidates = findCandidates(diff, options.volatile ?? {})
  if (candidates.length === 0) return null
  let best: Proposal = Object.fromEntries(candidates)
  let rest = compareWith(best)
  if (sizeOfDiff(rest) >= sizeOfDiff(compareWith({}))) return null
  for (const [column] of candidates.length > reducible ? [] : candidates.toReversed()) {
    const { [column]: _, ...fewer } = best
    const found = compareWith(fewer)
    if (sizeOfDiff(found) > sizeOfDiff(rest)) continue
    best = fewer
    rest = found
  }
  return { proposal: best, stillDiffers: isEmptyDiff(rest) ? [] : listOf(rest) }
}

/** As it is written in the options of a test. */
export function showProposal(proposal: Proposal): string {
  const entries = Object.entries(proposal).map(([column, kind]) => `${quote(column)}: '${kind}'`)
  return `volatile: { ${entries.join(', ')} }`
}

const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

function listOf({ settings, schema, tables, brokenForeignKeys }: DatabaseDiff): string[] {
  const ofTables = tables.flatMap(({ table, rows, removed, added }) => {
    const columns = new Set(
      rows.flatMap((row) => (row.kind === 'changed' ? row.cells.map(({ column }) => column) : [])),
    )
    const counts = Object.entries({ removed, added }).filter(([, number]) => number > 0)
    return [
      ...[...columns].map((column) => `${table}.${column}`),
      ...counts.map(([what, number]) => `${table}: ${number} ${number === 1 ? 'row' : 'rows'} ${what}`),
    ]
  })
  return [
    ...settings.map(({ name }) => name),
    ...schema.map(({ type, name }) => `the declaration of ${type} ${name}`),
    ...ofTables,
    ...(brokenForeignKeys.length > 0 ? ['foreign keys'] : []),
  ]
}
