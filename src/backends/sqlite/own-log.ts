import { realpathSync, statSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { MemoryStoreBackendError } from '../../core/errors.ts'
import { openDatabase } from '../../driver/open-database.ts'
import { firstCommit } from './first-commit.ts'
import { continues, type LogMark, type LogMarks, markOnPage, selectMarks, toMarks } from './log-mark.ts'
import { isBusy, isInputOutput } from './sqlite-error.ts'

/** Where SQLite keeps the log of a file: next to the file itself, not next to a link to it. */
export function logOf(path: string): string {
  try {
    return `${realpathSync(path)}-wal`
  } catch {
    return `${path}-wal`
  }
}

/** Whether the log of a file starts with a mark. */
export function isMarked(path: string): boolean {
  return markOfLog(logOf(path)) !== null
}

/** The mark that a log begins with; null if it holds nothing, or was not begun by us. */
function markOfLog(walFile: string): LogMark | null {
  const first = firstCommit(walFile)
  return first?.isWhole ? markOnPage(first.page) : null
}

/** The marks in a database, its log included; null where they cannot be read. */
function readMarks(database: Database.Database): LogMarks | null {
  try {
    return toMarks(database.prepare<[], { mark: unknown }>(selectMarks).all())
  } catch (error) {
    if (isBusy(error) || isInputOutput(error)) throw error
    return null
  }
}

/** The marks, and whether the log next to the file continues it. Both are as of one moment, whoever writes meanwhile. */
export function lookAtLog(database: Database.Database, walFile: string): { marks: LogMarks | null; isOwn: boolean } {
  let begins = markOfLog(walFile)
  for (;;) {
    const marks = readMarks(database)
    const still = markOfLog(walFile)
    if (still?.token === begins?.token) return { marks, isOwn: begins === null || continues(begins, marks) }
    begins = still
  }
}

/**
 * Throws if the log next to the file was not written for it, before SQLite merges the two. Uses a connection that cannot write, so
 * that both stay as they are.
 */
export function requireOwnLog(path: string, file: string): void {
  const wal = logOf(path)
  if (firstCommit(wal) === null) return
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined || found.size === 0) throw foreignLog(file, `the file is ${found ? 'empty' : 'missing'}`)
  if (markOfLog(wal) === null) return
  const database = openForReading(path)
  if (database === null) return
  try {
    if (!lookAtLog(database, wal).isOwn) throw foreignLog(file, 'it was not written for this one')
  } finally {
    database.close()
  }
}

/** Null if that fails: the connection that comes next says why. */
function openForReading(path: string): Database.Database | null {
  try {
    return openDatabase(path, { timeout: 0, readonly: true, fileMustExist: true })
  } catch {
    return null
  }
}

function foreignLog(file: string, reason: string): MemoryStoreBackendError {
  const message =
    `${file}-wal is not the log of ${file}: ${reason}. ` +
    `If you do not need the contents of the log, for example after restoring a backup, remove ${file}-wal. Otherwise put back the file that it was written for`
  return new MemoryStoreBackendError('CANNOT_OPEN', message, { applied: 'no' })
}
