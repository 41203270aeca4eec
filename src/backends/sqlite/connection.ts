import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type Database from 'better-sqlite3'
import { MemoryStoreBackendError, MemoryStoreError } from '../../core/errors.ts'
import { DriverError } from '../../driver/driver-error.ts'
import { openDatabase } from '../../driver/open-database.ts'
import { addChecksums } from './add-checksums.ts'
import { beginLog, emptyLog } from './begin-log.ts'
import { DiskRoom } from './disk-room.ts'
import { FileGuard, lookAtFile } from './file-guard.ts'
import { obstacleOf } from './obstacle-of.ts'
import { isMarked, requireOwnLog } from './own-log.ts'
import { migrate, requireOurs, requireSafeSqlite, requireSchema, requireWritten } from './prepare-file.ts'
import { asPrivateFile } from './private-file.ts'
import type { Queries } from './queries.ts'
import { retryWhileBusy } from './retry-while-busy.ts'
import { toBackendError } from './sqlite-error.ts'
import { isInUse, removeTraces } from './traces.ts'

export type Durability = 'power' | 'process'

export interface ConnectionOptions {
  readonly durability?: Durability | undefined
  readonly readOnly?: boolean | undefined
}

/** One connection to a file that was checked to be ours, and its prepared statements. */
export class Connection implements Queries {
  readonly file: string
  readonly durability: Durability
  readonly readOnly: boolean
  #database: Database.Database
  #statements = new Map<string, Database.Statement>()
  #durabilityConfirmed = false
  /** Whether SQLite's `-wal` and `-shm` files existed before this connection. */
  readonly #wasInUse: boolean
  /** Absolute: the process may change its working directory. */
  readonly path: string
  #guard: FileGuard | undefined
  #room: DiskRoom | undefined
  #closed = false
  #connections = 0
  #foreignChanges: string | null = null

  static async open(file: string, options: ConnectionOptions, deadline: number): Promise<Connection> {
    const path = file === ':memory:' ? file : resolve(file)
    const wasInUse = isInUse(path)
    let connection: Connection | undefined
    try {
      await retryWhileBusy(() => requireOwnLog(path, file), deadline, file)
      connection = new Connection(file, path, wasInUse, options)
      await connection.#prepareFile(deadline)
      return connection
    } catch (error) {
      connection?.close()
      throw toBackendError(error, file, 'no')
    }
  }

  private constructor(
    file: string,
    path: string,
    wasInUse: boolean,
    { durability = 'power', readOnly = false }: ConnectionOptions,
  ) {
    this.file = file
    this.durability = durability
    this.readOnly = readOnly
    this.path = path
    this.#wasInUse = wasInUse
    this.#database = this.#connect(readOnly)
  }

  async #prepareFile(deadline: number): Promise<void> {
    const { file } = this
    const attempt = (run: () => void) => retryWhileBusy(run, deadline, file)
    const opened = lookAtFile(this.path)
    await attempt(() => requireSafeSqlite(this.#database))
    await attempt(() => requireOurs(this.#database, file))
    if (this.readOnly) {
      await attempt(() => requireWritten(this.#database, file))
    } else {
      await attempt(() => this.#configure())
      await attempt(() => migrate(this.#database, file, () => addChecksums(this)))
      if (!isMarked(this.path)) emptyLog(this)
    }
    if (this.isTransient) return
    this.#room = new DiskRoom(file, this.path, this.pragma('page_size') as number)
    this.#guard = await retryWhileBusy(() => new FileGuard(this.path, opened, file), deadline, file)
  }

  #connect(fileMustExist: boolean): Database.Database {
    this.#connections += 1
    try {
      const open = () => openDatabase(this.path, { timeout: 0, readonly: this.readOnly, fileMustExist })
      return fileMustExist || this.isTransient ? open() : asPrivateFile(this.path, open)
    } catch (cause) {
      throw new MemoryStoreBackendError('CANNOT_OPEN', this.#whyNot(cause as Error, fileMustExist), {
        applied: 'no',
        cause,
      })
    }
  }

  #whyNot(cause: Error, fileMustExist: boolean): string {
    if (cause instanceof DriverError) return cause.message
    if (fileMustExist && !existsSync(this.path)) return `there is no file ${this.file}`
    return obstacleOf(this.file) ?? `${this.file} cannot be opened: ${cause.message}`
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

  insert(sql: string, ...parameters: unknown[]): number {
    return Number(this.#prepare(sql).run(...parameters).lastInsertRowid)
  }

  get<Row>(sql: string, ...parameters: unknown[]): Row | undefined {
    return this.#prepare(sql).get(...parameters) as Row | undefined
  }

  all<Row>(sql: string, ...parameters: unknown[]): Row[] {
    return this.#prepare(sql).all(...parameters) as Row[]
  }

  /** Row by row: those that are not needed are not loaded. */
  each<Row>(sql: string, ...parameters: unknown[]): IterableIterator<Row> {
    return this.#prepare(sql).iterate(...parameters) as IterableIterator<Row>
  }

  column<Value>(sql: string, ...parameters: unknown[]): Value[] {
    return this.#prepare(sql)
      .pluck()
      .all(...parameters) as Value[]
  }

  pragma(text: string): unknown {
    return this.#database.pragma(text, { simple: true })
  }

  /** Everything that `read` sees is from one moment. */
  reading<T>(read: () => T): T {
    this.#foreignChanges = null
    this.run('BEGIN')
    try {
      return read()
    } finally {
      if (this.isInTransaction) this.run('ROLLBACK')
    }
  }

  requireSchema(): void {
    requireSchema(this.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0, this.file)
  }

  /** Throws if the file was removed or replaced since it was opened; this is final. */
  requireInPlace(): void {
    try {
      this.#guard?.require()
    } catch (error) {
      if (error instanceof MemoryStoreError) this.#disconnect()
      throw error
    }
  }

  /** Checks the file and the connection before every read and write. Reconnects after a `discard`. */
  ensureOpen(): void {
    if (this.#closed) return
    this.requireInPlace()
    if (this.#database.open) return
    this.#database = this.#connect(true)
    this.#durabilityConfirmed = false
    this.requireInPlace()
    if (!this.readOnly) this.#configure()
  }

  /** Begins a transaction that adds about this many bytes; `null`: a removal, for which there is a reserve. */
  beginWriting(bytes: number | null): void {
    this.requireWritable()
    this.ensureOpen()
    if (this.#guard !== undefined && this.#room !== undefined) {
      const guard = this.#guard
      guard.newest = beginLog(this, this.#room.require(this, bytes), () => guard.lookAtCheckpoint()) ?? guard.newest
    }
    this.run('BEGIN IMMEDIATE')
    this.requireSchema()
    const version = this.get<{ data_version: number }>('PRAGMA data_version')?.data_version
    this.#foreignChanges = `${this.#connections} ${version}`
  }

  get foreignChanges(): string | null {
    return this.#foreignChanges
  }

  requireWritable(): void {
    if (!this.readOnly) return
    throw new MemoryStoreBackendError('READ_ONLY', `${this.file} was opened read-only`, { applied: 'no' })
  }

  /** Some builds of SQLite fall back to weaker durability at the first write, so it is checked once after it. */
  confirmDurability(): void {
    if (this.#durabilityConfirmed || this.isTransient) return
    if (this.pragma('synchronous') !== synchronousOf[this.durability]) {
      throw new MemoryStoreBackendError('BACKEND_FAILED', `SQLite did not keep the durability '${this.durability}'`, {
        applied: 'unknown',
      })
    }
    this.#durabilityConfirmed = true
  }

  /** Also removes erased content from the log, unless someone is reading it; frees its disk space. */
  forgetLog(): void {
    if (this.#database.open) emptyLog(this)
  }

  /** Drops a connection that can no longer be trusted, unless the database is in memory only. */
  discard(): void {
    if (!this.isTransient) this.#disconnect()
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    const isInPlace = this.#isInPlace()
    if (isInPlace) this.#guard?.close()
    this.#disconnect()
    this.#guard?.close()
    if (isInPlace && this.readOnly && !this.#wasInUse) removeTraces(this.path)
  }

  #isInPlace(): boolean {
    try {
      this.#guard?.require()
      return true
    } catch {
      return false
    }
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

const synchronousOf = { power: 2, process: 1 } as const
