import { existsSync } from 'node:fs'
import { type DatabaseDiff, isEmptyDiff } from './compare/diff.ts'
import { diffGoldens, proposeForGoldens } from './compare/diff-goldens.ts'
import type { Mismatch } from './compare/golden-mismatch-error.ts'
import { haveSameBytes } from './compare/same-bytes.ts'
import type { VolatileColumns } from './compare/volatile/shapes.ts'
import { GoldenError } from './errors.ts'
import { pendingPath, reportPath } from './files/golden-names.ts'
import { isReportStale, type ReportSubject, removeReport, writeReport } from './files/report.ts'
import { requireDatabase } from './freezing/sqlite-header.ts'
import type { UpdateMode } from './mode.ts'
import { removeFile, replaceFile } from './system/replace-file.ts'

export interface Settlement {
  readonly golden: string
  /** The canonical file of the state that the test left. */
  readonly captured: string
  readonly subject: ReportSubject
  readonly volatile: VolatileColumns
  readonly mode: UpdateMode
}

export type Verdict = 'added' | 'matched' | 'updated' | 'unmatched'

/** The decision table: compares a captured state with its golden, and writes what the mode allows. */
export function settleGolden(settlement: Settlement): { verdict: Verdict; mismatch: Mismatch | null } {
  const { golden, captured, mode, volatile } = settlement
  if (!existsSync(golden))
    return mode === 'none' ? unmatched(settlement, null) : { verdict: accept(settlement, 'added'), mismatch: null }
  requireDatabase(golden)
  if (haveSameBytes(golden, captured)) return { verdict: keep(settlement), mismatch: null }
  const diff = diffGoldens(golden, captured, { volatile })
  if (isEmptyDiff(diff)) return { verdict: keep(settlement), mismatch: null }
  return mode === 'all' ? { verdict: accept(settlement, 'updated'), mismatch: null } : unmatched(settlement, diff)
}

function accept({ golden, captured, subject }: Settlement, verdict: Verdict): Verdict {
  replaceFile(captured, golden)
  writeReport(golden, subject)
  removePending(golden)
  return verdict
}

function keep({ golden, subject, mode }: Settlement): Verdict {
  if (mode !== 'none') removePending(golden)
  if (isReportStale(golden, subject)) {
    if (mode === 'none') {
      throw new GoldenError(
        'REPORT_STALE',
        `${reportPath(golden)} does not match ${golden}. Run the test locally and commit the report.`,
      )
    }
    writeReport(golden, subject)
  }
  return 'matched'
}

function unmatched(settlement: Settlement, diff: DatabaseDiff | null): { verdict: Verdict; mismatch: Mismatch } {
  const { golden, captured, subject, volatile, mode } = settlement
  const pending = mode === 'new' ? writePending(settlement) : null
  const suggestion = diff === null ? null : proposeForGoldens(golden, captured, diff, { volatile })
  const { proposal, stillDiffers } = suggestion ?? { proposal: null, stillDiffers: [] }
  return { verdict: 'unmatched', mismatch: { golden, step: subject.step, diff, pending, proposal, stillDiffers } }
}

/** The path of the pending state; `null` if it cannot be written, because the difference matters more. */
function writePending({ golden, captured, subject }: Settlement): string | null {
  const pending = pendingPath(golden)
  try {
    replaceFile(captured, pending)
    writeReport(pending, subject)
    return pending
  } catch (error) {
    if (error instanceof GoldenError && error.code === 'CANNOT_WRITE') return null
    throw error
  }
}

function removePending(golden: string): void {
  removeFile(pendingPath(golden))
  removeReport(pendingPath(golden))
}
