import { appendFileSync } from 'node:fs'
import { GoldenError } from './errors.ts'
import { goldensIn, removeGolden } from './files/golden-files.ts'
import { belongsTo, goldenFolder } from './files/golden-names.ts'
import { forgetUsedGoldens, usedGoldens } from './files/used-goldens.ts'
import { stopFreezer } from './freezing/freezer.ts'
import { resolveMode, type UpdateMode } from './mode.ts'

export interface FileRun {
  /** Absolute. */
  readonly testFile: string
  /** Whether the run includes every test of the file: no name filter, no `only`. */
  readonly complete: boolean
  /** Full names of tests that were declared but did not run: their goldens stay. */
  readonly skippedTests?: readonly string[] | undefined
  readonly mode?: UpdateMode | undefined
}

export interface FinishedFile {
  /** Goldens that no test of the file used. */
  readonly obsolete: readonly string[]
  /** What was done about them, or should be: the environment can override the runner. */
  readonly mode: UpdateMode
  /** A sentence about them, to be printed; null if there are none. */
  readonly message: string | null
  /** To be thrown by the adapter. */
  readonly error: GoldenError | null
}

/** A line of the SNAPSHOT_USED file, to which every process of a run appends. */
export interface UsedRecord {
  readonly testFile: string
  readonly complete: boolean
  readonly obsolete: readonly string[]
}

/** Called once after the last test of a file: finds unused goldens, and ends the helper process. */
export function finishFile({ testFile, complete, skippedTests = [], mode: runner }: FileRun): FinishedFile {
  const mode = resolveMode(runner)
  const used = usedGoldens(testFile)
  const goldens = new Set(used.goldens)
  const unfinished = [...used.unsettledTests, ...skippedTests]
  forgetUsedGoldens(testFile)
  stopFreezer()
  const obsolete = !complete
    ? []
    : goldensIn(goldenFolder(testFile)).filter(
        (golden) => !goldens.has(golden) && !unfinished.some((test) => belongsTo(golden, test)),
      )
  record({ testFile, complete, obsolete })
  if (obsolete.length === 0) return { obsolete, mode, message: null, error: null }
  if (mode === 'all') for (const golden of obsolete) removeGolden(golden)
  const list = obsolete.map((golden) => `\n  ${golden}`).join('')
  const message =
    mode === 'all'
      ? `goldens: ${obsolete.length} removed. No test of ${testFile} used them:${list}`
      : `goldens: ${obsolete.length} obsolete. No test of ${testFile} used them; run with SNAPSHOT_UPDATE=all to delete them:${list}`
  return { obsolete, mode, message, error: mode === 'none' ? new GoldenError('OBSOLETE', message) : null }
}

function record(line: UsedRecord): void {
  const file = process.env['SNAPSHOT_USED'] ?? ''
  if (file !== '') appendFileSync(file, `${JSON.stringify(line)}\n`)
}
