import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import Database from 'better-sqlite3'
import { MemoryStoreBackendError } from '../../core/errors.ts'
import { retryWhileBusy } from './retry-while-busy.ts'
import { applicationId, migrations, schemaVersion } from './schema.ts'
import { toBackendError } from './sqlite-error.ts'

export type Durability = 'power' | 'process'

export interface ConnectionOptions {
  readonly durability?: Durability | undefined
  readonly readOnly?: boolean | undefined
}

/** Before this, connections that checkpoint at once could lose committed writes. */
const oldestSqlite = [3, 51, 3] as const

/** One connection to a file that was checked to be ours, and its prepared statements. */
export class Connection {
  readonly file: string
  readonly durability: Durability
  readonly readOnly: boolean
  #database: Database.Database
  #statements = new Map<string, Database.Statement>()
  #durabilityConfirmed = false
  /** Whether the files that SQLite keeps beside a database in use were there before this connection. */
  readonly #wasInUse: boolean
  /** As it was when it was opened, wherever the process goes. */
  readonly #path: string
  #inode = 0
  #closed = false

  static async open(file: string, options: ConnectionOptions, deadline: number): Promise<Connection> {
    const connection = new Connection(file, options)
    const database = connection.#database
    try {
      await retryWhileBusy(() => requireSafeSqlite(database), deadline, file)
      await retryWhileBusy(() => requireOurs(database, file), deadline, file)
      if (connection.readOnly) {
        await retryWhileBusy(() => requireWritten(connection), deadline, file)
      } else {
        await retryWhileBusy(() => connection.#configure(), deadline, file)
        await retryWhileBusy(() => migrate(database, file), deadline, file)
      }
      return connection
    } catch (error) {
      connection.close()
      throw toBackendError(error, file, 'no')
    }
  }

  private constructor(file: string, { durability = 'power', readOnly = false }: ConnectionOptions) {
    this.file = file
    this.durability = durability
    this.readOnly = readOnly
    this.#path = file === ':memory:' ? file : resolve(file)
    this.#wasInUse = isInUse(this.#path)
    this.#database = this.#connect(readOnly)
  }

  #connect(fileMustExist: boolean): Database.Database {
    try {
      const database = new Database(this.#path, { timeout: 0, readonly: this.readOnly, fileMustExist })
      this.#inode = inodeOf(this.#path)
      return database
    } catch (cause) {
      const missing = fileMustExist && !existsSync(this.#path)
      const message = missing
        ? `there is no file ${this.file}`
        : `${this.file} cannot be opened: ${(cause as Error).message}`
      throw new MemoryStoreBackendError('CANNOT_OPEN', message, { applied: 'no', cause })
    }
  }

  get isTransient(): boolean {
    return this.file === ':memory:'
  }

  get isInTransaction(): boolean {
    return this.#database.inTransaction
  }

  run(sql: string, ...parameters: unknown[]): number {
    return this.#prepare(sql).run(...parameters).changes
  }

  /** Runs an insert and returns the row id it made. */
  insert(sql: string, ...parameters: unknown[]): number {
    return Number(this.#prepare(sql).run(...parameters).lastInsertRowid)
  }

  get<Row>(sql: string, ...parameters: unknown[]): Row | undefined {
    return this.#prepare(sql).get(...parameters) as Row | undefined
  }

  all<Row>(sql: string, ...parameters: unknown[]): Row[] {
    return this.#prepare(sql).all(...parameters) as Row[]
  }

  /** The values of a statement that has one column. */
  column<Value>(sql: string, ...parameters: unknown[]): Value[] {
    return this.#prepare(sql)
      .pluck()
      .all(...parameters) as Value[]
  }

  pragma(text: string): unknown {
    return this.#database.pragma(text, { simple: true })
  }

  /** Everything `read` sees is of one moment. */
  reading<T>(read: () => T): T {
    this.run('BEGIN')
    try {
      return read()
    } finally {
      if (this.isInTransaction) this.run('ROLLBACK')
    }
  }

  /** Throws unless the file has the schema that this connection reads and writes. */
  requireSchema(): void {
    const version = this.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0
    requireKnownSchema(version, this.file)
    if (version === schemaVersion) return
    const message = `${this.file} was written by an older unforget (schema ${version}, this one reads ${schemaVersion}): open it for writing once, which upgrades it`
    throw new MemoryStoreBackendError('SCHEMA_TOO_OLD', message, { applied: 'no' })
  }

  /** Throws if the file was removed or replaced: what is written from now on would be in no file that anyone opens. */
  requireInPlace(): void {
    if (this.isTransient || inodeOf(this.#path) === this.#inode) return
    this.discard()
    const message = `${this.file} was removed or replaced while it was open`
    throw new MemoryStoreBackendError('BACKEND_FAILED', message, { applied: 'no' })
  }

  requireWritable(): void {
    if (!this.readOnly) return
    throw new MemoryStoreBackendError('READ_ONLY', `${this.file} was opened for reading only`, { applied: 'no' })
  }

  /** A build of SQLite may fall back to weaker durability with the first write: looked at once, after it. */
  confirmDurability(): void {
    if (this.#durabilityConfirmed || this.isTransient) return
    if (this.pragma('synchronous') !== synchronousOf[this.durability]) {
      throw new MemoryStoreBackendError('BACKEND_FAILED', `SQLite did not keep the durability '${this.durability}'`, {
        applied: 'unknown',
      })
    }
    this.#durabilityConfirmed = true
  }

  /** Takes what was erased out of the log as well, as far as nobody is reading it. */
  forgetLog(): void {
    if (this.#database.open) this.pragma('wal_checkpoint(TRUNCATE)')
  }

  /** Gives up a connection that cannot be trusted any more; what is in memory alone has no other. */
  discard(): void {
    if (!this.isTransient) this.#disconnect()
  }

  /** Connects again after a `discard`. */
  ensureOpen(): void {
    if (this.#database.open || this.#closed) return
    this.#database = this.#connect(true)
    this.#durabilityConfirmed = false
    if (!this.readOnly) this.#configure()
  }

  close(): void {
    this.#closed = true
    this.#disconnect()
    if (this.readOnly && !this.#wasInUse) removeTraces(this.#path)
  }

  #disconnect(): void {
    this.#statements.clear()
    this.#database.close()
  }

  #configure(): void {
    const database = this.#database
    const mode = database.pragma('journal_mode = WAL', { simple: true })
    if (mode !== 'wal' && !this.isTransient) {
      const message = `${this.file} cannot be put into WAL mode; it stays in ${String(mode)}`
      throw new MemoryStoreBackendError('CANNOT_OPEN', message, { applied: 'no' })
    }
    database.pragma(`synchronous = ${synchronousOf[this.durability]}`)
    database.pragma('fullfsync = ON')
    database.pragma('foreign_keys = ON')
    database.pragma('secure_delete = ON')
  }

  #prepare(sql: string): Database.Statement {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}

/**
 * A connection that only reads leaves an empty `-wal` and its `-shm` behind. One that may write removes them when it is the last, as SQLite
 * itself does, under its lock; where that fails they stay, and harm nobody.
 */
function removeTraces(file: string): void {
  if (!isInUse(file)) return
  try {
    const database = new Database(file, { timeout: 0, fileMustExist: true })
    try {
      database.pragma('user_version')
    } finally {
      database.close()
    }
  } catch {}
}

function inodeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.ino ?? 0
}

function isInUse(file: string): boolean {
  return existsSync(`${file}-wal`) || existsSync(`${file}-shm`)
}

const synchronousOf = { power: 2, process: 1 } as const

function requireSafeSqlite(database: Database.Database): void {
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

/** Looks before anything is written, so that a file of someone else stays as it is. */
function requireOurs(database: Database.Database, file: string): void {
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
function requireWritten(connection: Connection): void {
  if (connection.pragma('application_id') !== applicationId) {
    throw new MemoryStoreBackendError('NOT_A_MEMORY', `${connection.file} is empty`, { applied: 'no' })
  }
  connection.requireSchema()
}

function requireKnownSchema(version: number, file: string): void {
  if (version <= schemaVersion) return
  const message = `${file} was written by a newer unforget (schema ${version}, this one knows ${schemaVersion}): upgrade unforget`
  throw new MemoryStoreBackendError('SCHEMA_TOO_NEW', message, { applied: 'no' })
}

function migrate(database: Database.Database, file: string): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    requireOurs(database, file)
    const version = database.pragma('user_version', { simple: true }) as number
    for (const migration of migrations.slice(version)) database.exec(migration)
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
