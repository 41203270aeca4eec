import { type FileRun, type FinishedFile, finishFile } from './finish-file.ts'
import type { Verdict } from './settle-golden.ts'
import { openSnapshotDb, type SnapshotDb } from './snapshot-db.ts'
import type { SnapshotDbOptions } from './snapshot-db-config.ts'

/** What a test's body is given, whatever the runner. */
export interface SnapshotDbContext {
  readonly snapshotDb: SnapshotDb
}

/** Where a test was declared: a line of a stack. */
export type Place = string

/** Adds one to a count of the runner's summary. */
export type Count = (verdict: Verdict) => void

/** For adapters: what every runner does at the beginning of an attempt of a test. */
export function beginAttempt(options: SnapshotDbOptions): Promise<SnapshotDb> {
  return openSnapshotDb({ color: isColourful(process.env), ...options })
}

/** For adapters: the end of an attempt. Throws once what a person has to know, as if from the place where the test was declared. */
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
 * For adapters: the end of a test file. Warns of goldens that nobody used, or throws. `summarize` counts them in the runner's summary, and
 * returns whether the runner fails by itself for that.
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

/** Runners tell their workers by FORCE_COLOR or FORCE_TTY what the terminal they write to can show. */
function isColourful({ NO_COLOR = '', FORCE_COLOR, FORCE_TTY }: NodeJS.ProcessEnv): boolean {
  if (NO_COLOR !== '') return false
  if (FORCE_COLOR !== undefined) return !['0', 'false'].includes(FORCE_COLOR)
  return (FORCE_TTY ?? '') !== '' || process.stdout.isTTY === true
}
