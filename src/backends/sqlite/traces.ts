import { existsSync } from 'node:fs'
import { openDatabase } from '../../driver/open-database.ts'

/** Whether the files that SQLite keeps beside a database in use are there. */
export function isInUse(file: string): boolean {
  return existsSync(`${file}-wal`) || existsSync(`${file}-shm`)
}

/**
 * A connection that only reads leaves an empty `-wal` and its `-shm` behind. One that may write removes them when it is the last, as SQLite
 * itself does, under its lock; where that fails they stay, and harm nobody.
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
