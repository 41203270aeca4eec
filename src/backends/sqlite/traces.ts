import { existsSync } from 'node:fs'
import { openDatabase } from '../../driver/open-database.ts'

/** Whether SQLite's `-wal` and `-shm` files exist. */
export function isInUse(file: string): boolean {
  return existsSync(`${file}-wal`) || existsSync(`${file}-shm`)
}

/**
 * A read-only connection leaves an empty `-wal` and its `-shm`. One that may write removes them if it is the last, as SQLite
 * itself does, under its lock; if that fails they stay, which is harmless.
 */
export function removeTraces(file: string): void {
  if (!isInUse(file)) return
  try {
    const database = openDatabase(file, { timeout: 0, fileMustExist: true })
    try {
      database.pragma('user_version')
    } finally {
      database.close()
    }
  } catch {}
}
