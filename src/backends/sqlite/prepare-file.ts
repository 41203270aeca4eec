import type Database from 'better-sqlite3'
import { MemoryStoreBackendError } from '../../core/errors.ts'
import { applicationId, migrations, schemaVersion } from './schema.ts'

/** Before this, connections that checkpoint at once could lose committed writes. */
const oldestSqlite = [3, 51, 3] as const

export function requireSafeSqlite(database: Database.Database): void {
  const version = database.prepare('SELECT sqlite_version()').pluck().get() as string
  if (isSafeSqlite(version)) return
  const message = `SQLite ${version} can lose committed writes; ${oldestSqlite.join('.')} or newer is needed`
  throw new MemoryStoreBackendError('CANNOT_OPEN', message, { applied: 'no' })
}

export function isSafeSqlite(version: string): boolean {
  const parts = version.split('.').map(Number)
  const difference = oldestSqlite.map((least, index) => (parts[index] ?? 0) - least).find((part) => part !== 0) ?? 0
  return difference >= 0
}

/** Checks before anything is written, so that a foreign file stays as it is. */
export function requireOurs(database: Database.Database, file: string): void {
  const owner = database.pragma('application_id', { simple: true }) as number
  const version = database.pragma('user_version', { simple: true }) as number
  if (owner === applicationId) {
    requireKnownSchema(version, file)
    return
  }
  const objects = database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() as number
  if (owner === 0 && version === 0 && objects === 0) return
  const message = `${file} is a SQLite database, but not a memory of unforget`
  throw new MemoryStoreBackendError('NOT_A_MEMORY', message, { applied: 'no' })
}

/** For a reader, who creates no memory in an empty database. */
export function requireWritten(database: Database.Database, file: string): void {
  if (database.pragma('application_id', { simple: true }) !== applicationId) {
    throw new MemoryStoreBackendError('NOT_A_MEMORY', `${file} is empty`, { applied: 'no' })
  }
  requireSchema(database.pragma('user_version', { simple: true }) as number, file)
}

/** Throws unless this is the schema that we read and write. */
export function requireSchema(version: number, file: string): void {
  requireKnownSchema(version, file)
  if (version === schemaVersion) return
  const message = `${file} was written by an older unforget (schema ${version}, this one reads ${schemaVersion}): open it for writing once, which upgrades it`
  throw new MemoryStoreBackendError('SCHEMA_TOO_OLD', message, { applied: 'no' })
}

function requireKnownSchema(version: number, file: string): void {
  if (version <= schemaVersion) return
  const message = `${file} was written by a newer unforget (schema ${version}, this one knows ${schemaVersion}): upgrade unforget`
  throw new MemoryStoreBackendError('SCHEMA_TOO_NEW', message, { applied: 'no' })
}

/** `fillIn` computes what the new columns of a file of 0.1 hold. */
export function migrate(database: Database.Database, file: string, fillIn: () => void): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    requireOurs(database, file)
    const version = database.pragma('user_version', { simple: true }) as number
    for (const migration of migrations.slice(version)) database.exec(migration)
    if (version === 1) fillIn()
    if (version < schemaVersion) {
      database.pragma(`user_version = ${schemaVersion}`)
      database.pragma(`application_id = ${applicationId}`)
    }
    database.exec('COMMIT')
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK')
    throw error
  }
}
