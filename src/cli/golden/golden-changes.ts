import { existsSync } from 'node:fs'
import type { CompareOptions } from '../../golden/compare/compare-databases.ts'
import type { DatabaseDiff } from '../../golden/compare/diff.ts'
import { diffGoldens, proposeForGoldens } from '../../golden/compare/diff-goldens.ts'
import type { Suggestion } from '../../golden/compare/propose-volatile.ts'
import { GoldenError } from '../../golden/errors.ts'
import type { PendingGolden } from '../../golden/files/golden-files.ts'
import { readSubject } from '../../golden/files/report.ts'
import { count } from '../terminal/wording.ts'

/** A pending change of a golden. */
export interface PendingChange extends PendingGolden {
  /** Null if the report that names them is missing. */
  readonly test: string | null
  readonly step: string | null
  /** Null if the two cannot be compared. */
  readonly diff: DatabaseDiff | null
  /** Why they cannot. */
  readonly problem: string | null
  /** The columns that the test compares with functions, which only the test has. */
  readonly notApplied: readonly string[]
}

export function readChange(pending: PendingGolden): PendingChange {
  const subject = readSubject(pending.pending)
  const notApplied = subject?.functions ?? []
  const named = { ...pending, test: subject?.test ?? null, step: subject?.step ?? null, notApplied }
  try {
    return { ...named, diff: diffGoldens(beforeOf(pending), pending.pending, optionsOf(pending)), problem: null }
  } catch (error) {
    if (error instanceof GoldenError) return { ...named, diff: null, problem: error.message }
    throw error
  }
}

/** The test and its step; null if they are unknown. */
export const nameOf = ({ test, step }: Pick<PendingChange, 'test' | 'step'>): string | null =>
  test === null || step === null ? test : `${test}, ${step}`

/** One sentence, so that nobody mistakes for a change what the test itself ignores. */
export function showNotApplied(columns: readonly string[]): string {
  const [functions, whose] = columns.length === 1 ? ['a function', 'its'] : ['functions', 'their']
  return `The test compares ${columns.join(', ')} with ${functions} of its own, which only the test can apply: ${whose} values are compared as they are here.`
}

/** What to add to a test if values differ that look as if they change on every run. */
export function suggestionFor(change: PendingChange): Suggestion | null {
  const before = beforeOf(change)
  if (before === null || change.diff === null) return null
  return proposeForGoldens(before, change.pending, change.diff, optionsOf(change))
}

/** `messages: 1 row changed, 2 rows added; declarations: 1 changed`. */
export function summarize({ settings, schema, tables, brokenForeignKeys }: DatabaseDiff): string {
  const rows = tables.map(({ table, changed, removed, added }) => {
    const counts = Object.entries({ changed, removed, added }).filter(([, number]) => number > 0)
    return `${table}: ${counts.map(([what, number]) => `${count(number, 'row')} ${what}`).join(', ')}`
  })
  const others = Object.entries({
    settings: settings.length,
    declarations: schema.length,
    'broken foreign keys': brokenForeignKeys.length,
  }).filter(([, number]) => number > 0)
  const all = [...rows, ...others.map(([what, number]) => `${what}: ${number}`)]
  return all.length === 0 ? 'nothing differs' : all.join('; ')
}

const beforeOf = ({ golden }: PendingGolden) => (existsSync(golden) ? golden : null)

function optionsOf({ pending }: PendingGolden): CompareOptions {
  return { volatile: readSubject(pending)?.volatile }
}
