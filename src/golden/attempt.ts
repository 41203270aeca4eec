import { type FileRun, type FinishedFile, finishFile } from './finish-file.ts'
import type { Verdict } from './settle-golden.ts'
import { openSnapshotDb, type SnapshotDb } from './snapshot-db.ts'
import type { SnapshotDbOptions } from './snapshot-db-config.ts'

/** What every runner passes to a test body. */
export interface SnapshotDbContext {
  readonly snapshotDb: SnapshotDb
}

/** Where a test was declared: a line of a stack. */
export type Place = string

/** Increments a count in the runner's summary. */
export type Count = (verdict: Verdict) => void

/** For adapters: starts an attempt of a test. */
export function beginAttempt(options: SnapshotDbOptions): Promise<SnapshotDb> {
  return openSnapshotDb({ color: isColorful(process.env), ...options })
}

/** For adapters: ends an attempt. Throws what a person has to know, once, as if from where the test was declared. */
export async function endAttempt(db: SnapshotDb, passed: boolean, count: Count, place: Place = ''): Promise<void> {
  const { counts, error } = await db.finish({ passed })
  for (const verdict of ['added', 'matched', 'updated', 'unmatched'] as const) {
    for (let left = counts[verdict]; left > 0; left--) count(verdict)
  }
  if (error === null) return
  error.stack = `${error.name}: ${error.message}${place}`
  throw error
}

/**
 * For adapters: ends a test file. Warns about unused goldens, or throws. `summarize` counts them in the runner's summary, and
 * returns whether the runner fails because of that.
 */
export function endFile(run: FileRun, summarize: (finished: FinishedFile) => boolean = () => false): void {
  const finished = finishFile(run)
  const { message, error } = finished
  const isRunnerFailing = finished.obsolete.length > 0 && summarize(finished)
  if (error !== null && !isRunnerFailing) {
    error.stack = `${error.name}: ${error.message}\n    at ${run.testFile}:1:1`
    throw error
  }
  if (message !== null) console.warn(message)
}

/** The place where `callee` was called. */
export function placeOf(callee: (...args: never) => unknown): Place {
  const holder: { stack?: string } = {}
  Error.captureStackTrace(holder, callee)
  return /\n.*/.exec(holder.stack ?? '')?.[0] ?? ''
}

/** Runners use FORCE_COLOR or FORCE_TTY to tell their workers what the terminal supports. */
function isColorful({ NO_COLOR = '', FORCE_COLOR, FORCE_TTY }: NodeJS.ProcessEnv): boolean {
  if (NO_COLOR !== '') return false
  if (FORCE_COLOR !== undefined) return !['0', 'false'].includes(FORCE_COLOR)
  return (FORCE_TTY ?? '') !== '' || process.stdout.isTTY === true
}
