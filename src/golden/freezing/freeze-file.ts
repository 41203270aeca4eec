import { closeSync, constants, copyFileSync, existsSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { messageOf } from '../../plain/message-of.ts'
import { errorCode, GoldenError } from '../errors.ts'
import { openDatabase } from '../system/open-database.ts'
import { findDamage } from './integrity.ts'
import { isCanonical, makeCanonical } from './sqlite-header.ts'

/** How long a commit in another connection may take before it counts as a transaction left open. */
const patience = 500

/**
 * Writes the committed state of a database, live or left by a killed process, as one canonical file. `target` must not exist. Only
 * for a process without other connections: closing a file drops the POSIX locks of any other SQLite in the same process.
 */
export function freezeFile(source: string, target: string): void {
  if (!existsSync(source)) {
    throw new GoldenError('MISSING', `There is no database at ${source}: nothing created it, or it was deleted.`)
  }
  if (statSync(source).isDirectory()) throw new GoldenError('IS_DIRECTORY', `${source} is a folder, not a database.`)
  let keeper: Database.Database | undefined
  let reader: Database.Database | undefined
  try {
    keeper = settle(source)
    if (isCanonical(source) && !existsSync(`${source}-journal`)) {
      copyFileSync(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
      return
    }
    reader = openDatabase(source, { readonly: true, fileMustExist: true, timeout: patience })
    const [damage] = findDamage(reader, 'integrity_check')
    if (damage !== undefined) throw new GoldenError('CORRUPT', `The database at ${source} is damaged: ${damage}.`)
    reader.pragma('secure_delete = ON')
    reader.pragma('synchronous = OFF')
    reader.prepare('VACUUM INTO ?').run(target)
    makeCanonical(target)
  } catch (error) {
    rmSync(target, { force: true })
    throw toGoldenError(error, source)
  } finally {
    reader?.close()
    keeper?.close()
  }
}

/** Rolls a hot journal back and makes sure that nobody is writing. The connection keeps the -wal and -shm in place for the reader. */
function settle(source: string): Database.Database {
  const keeper = openDatabase(source, { fileMustExist: true, timeout: patience })
  try {
    keeper.exec('BEGIN IMMEDIATE; ROLLBACK')
  } catch (error) {
    if (!errorCode(error).startsWith('SQLITE_READONLY')) {
      keeper.close()
      throw error
    }
  }
  return keeper
}

function toGoldenError(error: unknown, source: string): GoldenError {
  if (error instanceof GoldenError) return error
  const code = errorCode(error)
  const reason = messageOf(error)
  const fail = (kind: GoldenError['code'], message: string) => new GoldenError(kind, message, { cause: error })
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    if (!hasJournal(source) && !canRead(source)) {
      return fail(
        'LOCKED',
        `A connection keeps ${source} to itself: it has set PRAGMA locking_mode = EXCLUSIVE, or begun an exclusive transaction. Nobody else can read the database meanwhile: close the connection, or end its transaction, before the test, the step or the seed ends.`,
      )
    }
    return fail(
      'TRANSACTION_OPEN',
      `A write transaction on ${source} is still open. Commit it or roll it back (and await whatever writes) before the test, the step or the seed ends: what is not committed is not in the database.`,
    )
  }
  if (code.startsWith('SQLITE_NOTADB')) return fail('NOT_A_DATABASE', `${source} is not a SQLite database.`)
  if (code.startsWith('SQLITE_CORRUPT')) return fail('CORRUPT', `The database at ${source} is damaged: ${reason}.`)
  if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_FULL')) {
    return fail('CANNOT_WRITE', `The state of ${source} cannot be written: ${reason}.`)
  }
  const [, missing] = /^(no such (?:collation sequence|function|module): .*|unknown tokenizer: .*)$/.exec(reason) ?? []
  if (missing !== undefined) {
    return fail(
      'CANNOT_READ',
      `The schema of ${source} uses something only its application has (${missing}): SQLite cannot copy such a database without it, so it cannot be a golden.`,
    )
  }
  return fail('CANNOT_READ', `The database at ${source} cannot be read: ${reason}.`)
}

/** The journal of a transaction that has begun to write, in rollback mode. A zeroed journal belongs to one that has ended. */
function hasJournal(source: string): boolean {
  if (!existsSync(`${source}-journal`)) return false
  const journal = openSync(`${source}-journal`, 'r')
  try {
    const begin = Buffer.alloc(8)
    readSync(journal, begin)
    return begin.some((byte) => byte !== 0)
  } finally {
    closeSync(journal)
  }
}

function canRead(source: string): boolean {
  let reader: Database.Database | undefined
  try {
    reader = openDatabase(source, { readonly: true, fileMustExist: true, timeout: 0 })
    reader.prepare('SELECT count(*) FROM sqlite_schema').get()
    return true
  } catch {
    return false
  } finally {
    reader?.close()
  }
}
