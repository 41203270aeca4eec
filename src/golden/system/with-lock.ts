import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type Database from 'better-sqlite3'
import { errorCode } from '../errors.ts'
import { openDatabase } from './open-database.ts'

const pollEvery = 20

/**
 * Runs one caller at a time per path, across all processes of this machine. The lock is SQLite's own, on an empty
 * file in the temporary folder: the system releases it when its process dies, so it is never stale. The files stay, so
 * their number is limited; paths that share one wait for each other.
 */
export async function withLock<T>(path: string, run: () => Promise<T>): Promise<T> {
  const folder = join(tmpdir(), `unforget-locks-${userInfo().uid}`)
  mkdirSync(folder, { recursive: true })
  const name = createHash('sha256').update(resolve(path)).digest('hex').slice(0, 2)
  const lock = openDatabase(join(folder, name), { timeout: 0 })
  try {
    while (!tryTake(lock)) await pause(pollEvery)
    return await run()
  } finally {
    lock.close()
  }
}

function tryTake(lock: Database.Database): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if (errorCode(error).startsWith('SQLITE_BUSY')) return false
    throw error
  }
}
