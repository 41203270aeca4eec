import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { DatabaseDiff, RowChange } from '../../golden/compare/diff.ts'
import { diffGoldens } from '../../golden/compare/diff-goldens.ts'
import { GoldenError } from '../../golden/errors.ts'
import type { PendingGolden } from '../../golden/files/golden-files.ts'
import { readSubject } from '../../golden/files/report.ts'

/** A pending state as it was when it was grouped. */
export interface SeenPending extends PendingGolden {
  readonly fingerprint: string
}

/** Tells whether a test has run meanwhile: only what was shown may be decided on. */
export const fingerprintOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

/** Groups pending states that change their goldens in the same way, in the order of the first of each group. */
export function groupPending(all: readonly PendingGolden[]): SeenPending[][] {
  const groups = new Map<string, SeenPending[]>()
  for (const pending of all) {
    const seen = { ...pending, fingerprint: fingerprintOf(pending.pending) }
    const way = wayOf(pending)
    groups.set(way, [...(groups.get(way) ?? []), seen])
  }
  return [...groups.values()]
}

/**
 * What a change does, but not to how many rows and with which keys: the same declarations and settings, the same values that came, went and changed.
 * The numbers of placeholders are those of one database, so they do not count.
 */
function wayOf({ golden, pending }: PendingGolden): string {
  try {
    const options = { volatile: readSubject(pending)?.volatile, rowLimit: Number.POSITIVE_INFINITY }
    return describe(diffGoldens(existsSync(golden) ? golden : null, pending, options))
  } catch (error) {
    if (error instanceof GoldenError) return pending
    throw error
  }
}

function describe({ settings, schema, tables, brokenForeignKeys }: DatabaseDiff): string {
  const rows = tables.map(({ table, rows: found }) => [table, ...new Set(found.map(describeRow))].sort())
  return JSON.stringify([settings, schema, rows, brokenForeignKeys])
}

function describeRow(row: RowChange): string {
  if (row.kind !== 'changed') return JSON.stringify([row.kind, ...row.cells.map((cell) => withoutNumbers(cell.value))])
  return JSON.stringify(row.cells.map(({ column, before, after }) => [column, ...[before, after].map(withoutNumbers)]))
}

/** A literal in quotes has no placeholders. */
const withoutNumbers = (value: string | null) =>
  value === null || value.startsWith("'") ? value : value.replaceAll(/<([\w ]+) \d+>/g, '<$1>')
