import type Database from 'better-sqlite3'
import { DriverError } from '../../driver/driver-error.ts'
import { openDatabase as open } from '../../driver/open-database.ts'
import { GoldenError } from '../errors.ts'

/** Opens a database; throws what SQLite throws, or a `GoldenError` if there is no driver that works here. */
export function openDatabase(path: string, options?: Database.Options): Database.Database {
  try {
    return open(path, options)
  } catch (error) {
    if (error instanceof DriverError) throw new GoldenError('NO_DRIVER', `${error.message}.`, { cause: error })
    throw error
  }
}
