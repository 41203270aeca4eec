import Database from 'better-sqlite3'
import { MemoryStoreBackendError } from '../../core/errors.ts'
import { retryWhileBusy } from './retry-while-busy.ts'
import { applicationId, migrations, schemaVersion } from './schema.ts'
import { toBackendError } from './sqlite-error.ts'

export type Durability = 'power' | 'process'

/** Before this, connections that checkpoint at once could lose committed writes. */
const oldestSqlite = [3, 51, 3] as const

/** One connection to a file that was checked to be ours, and its prepared statements. */
export class Connection {
  readonly file: string
  readonly durability: Durability
  #database: Database.Database
  #statements = new Map<string, Database.Statement>()
  #durabilityConfirmed = false

  static async open(file: string, durability: Durability, deadline: number): Promise<Connection> {
    let database: Database.Database
    try {
      database = new Database(file, { timeout: 0 })
    } catch (cause) {
      const message = `${file} cannot be opened: ${(cause as Error).message}`
      throw new MemoryStoreBackendError('CANNOT_OPEN', message, { applied: 'no', cause })
    }
    const connection = new Connection(database, file, durability)
    try {
      await retryWhileBusy(() => requireSafeSqlite(database), deadline, file)
      await retryWhileBusy(() => requireOurs(database, file), deadline, file)
      await retryWhileBusy(() => connection.#configure(), deadline, file)
      await retryWhileBusy(() => migrate(database, file), deadline, file)
      return connection
    } catch (error) {
      database.close()
      throw toBackendError(error, file, 'no')
    }
  }

  private constructor(database: Database.Database, file: string, durability: Durability) {
    this.#database = database
    this.file = file
    this.durability = durability
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

  pragma(text: string): unknown {
    return this.#database.pragma(text, { simple: true })
  }

  /** Everything `read` sees is of one moment. */
  reading<T>(read: () => T): T {
    this.run('BEGIN')
    try {
      return read()
    } finally {
      this.run('COMMIT')
    }
  }

  /** Throws unless the file still has the schema that this connection writes. */
  requireSchema(): void {
    requireKnownSchema(this.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0, this.file)
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

  /** Gives up a connection that cannot be trusted any more; what is in memory alone has no other. */
  discard(): void {
    if (!this.isTransient) this.close()
  }

  /** Connects again after a `discard`. */
  ensureOpen(): void {
    if (this.#database.open) return
    this.#database = new Database(this.file, { timeout: 0, fileMustExist: true })
    this.#durabilityConfirmed = false
    this.#configure()
  }

  close(): void {
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

const synchronousOf = { power: 2, process: 1 } as const

function requireSafeSqlite(database: Database.Database): void {
  const version = database.prepare('SELECT sqlite_version()').pluck().get() as string
  const parts = version.split('.').map(Number)
  const difference = oldestSqlite.map((least, index) => (parts[index] ?? 0) - least).find((part) => part !== 0) ?? 0
  if (difference >= 0) return
  const message = `SQLite ${version} can lose committed writes; ${oldestSqlite.join('.')} or newer is needed`
  throw new MemoryStoreBackendError('CANNOT_OPEN', message, { applied: 'no' })
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
