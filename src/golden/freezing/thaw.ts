import { chmodSync, constants, copyFileSync, existsSync, statSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { messageOf } from '../../plain/message-of.ts'
import { errorCode, GoldenError } from '../errors.ts'
import { openDatabase } from '../system/open-database.ts'
import { findDamage } from './integrity.ts'
import { requireDatabase } from './sqlite-header.ts'

/** Goldens that this process found intact, by a key that changes when they do. */
const found = new Map<string, string>()

/** Copies a golden to a free path, and throws if it is not an intact database. The golden itself is never opened. */
export function thaw(golden: string, target: string): void {
  requireDatabase(golden)
  requireWhole(golden)
  if (existsSync(target))
    throw new GoldenError('CANNOT_WRITE', `${target} already exists: a copy needs its own folder.`)
  copyFileSync(golden, target, constants.COPYFILE_FICLONE)
  chmodSync(target, 0o644)
  const { ino, size, mtimeMs } = statSync(golden)
  const state = `${ino} ${size} ${mtimeMs}`
  if (found.get(golden) === state) return
  requireSound(golden, target)
  found.set(golden, state)
}

/** The content of a log next to a golden is not in the copy, and nobody would notice. */
function requireWhole(golden: string): void {
  for (const log of [`${golden}-wal`, `${golden}-journal`]) {
    if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) === 0) continue
    const way =
      'Close every connection to it, or run PRAGMA wal_checkpoint(TRUNCATE), and make sure that nothing opens it.'
    throw new GoldenError('CANNOT_READ', `${golden} is incomplete: part of it is in ${log}. ${way}`)
  }
}

function requireSound(golden: string, copy: string): void {
  const problem = firstProblem(copy)
  if (problem === undefined) return
  throw new GoldenError('CORRUPT', `${golden} is corrupt, or was written by a newer SQLite: ${problem}.`)
}

function firstProblem(copy: string): string | undefined {
  let database: Database.Database | undefined
  try {
    database = openDatabase(copy, { fileMustExist: true })
    database.prepare('SELECT count(*) FROM sqlite_schema').get()
    return findDamage(database, 'quick_check')[0]
  } catch (error) {
    if (error instanceof GoldenError) throw error
    return /^SQLITE_(CORRUPT|NOTADB)/.test(errorCode(error)) || /^malformed/.test(messageOf(error))
      ? messageOf(error)
      : undefined
  } finally {
    database?.close()
  }
}
