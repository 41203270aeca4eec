import { statSync } from 'node:fs'
import { checkConditions } from '../../core/advance.ts'
import type {
  Backend,
  Change,
  Committed,
  DamageFound,
  Drop,
  EncodedEntry,
  Erasure,
  Health,
  Lease,
  ListedPage,
  Reading,
  Reclaimed,
  ReclaimScope,
  SnapshotList,
  StagedEntry,
  Usage,
  Want,
} from '../../core/backend.ts'
import { MemoryLostError } from '../../core/errors.ts'
import { ownerCursorFromText } from '../../core/owner-page.ts'
import type { ClosedRange } from '../../core/path.ts'
import { isExpired, pathTokenOf } from '../../core/session-state.ts'
import { sizeOf } from '../../core/slice.ts'
import { applyChange } from './apply-change.ts'
import { Connection, type Durability } from './connection.ts'
import { erasedOperation, rememberErasure } from './erased-operations.ts'
import { findDamage } from './find-damage.ts'
import { GroupCommit } from './group-commit.ts'
import { listOwned } from './list-owned.ts'
import { measureGone, measureRanges } from './measure.ts'
import { dropSlice, ExpiredSessions, eraseSession, hasOutdated, reclaimSlice } from './removal.ts'
import { retryWhileBusy } from './retry-while-busy.ts'
import { toHead } from './rows.ts'
import { SessionReader } from './session-reader.ts'
import { isCorrupt, isDiskFull, toBackendError } from './sqlite-error.ts'
import { stageEntries, unstage } from './staging.ts'
import { StructureCheck } from './structure-check.ts'
import { endTurn, holdsTurn, renewTurn, takeTurn } from './turns.ts'
import { UnnamedOperations } from './unnamed-operations.ts'
import { WrittenSessions } from './written-sessions.ts'

export interface SqliteOptions {
  /**
   * `power` (default): an acknowledged write survives a power failure. `process`: it survives the death of the process, but a power failure may lose
   * the last moments.
   */
  durability?: Durability | undefined
  /**
   * Opens an existing file with the current schema, and creates and changes nothing, except for SQLite's own temporary `-wal` and `-shm` next to
   * it. Every write rejects with `READ_ONLY`.
   */
  readOnly?: boolean | undefined
  /** How long opening may take, in milliseconds; default 5,000. */
  timeout?: number | undefined
}

/** Memory in one SQLite file, which any number of processes may share. */
export class SqliteBackend implements Backend {
  readonly name = 'sqlite'
  readonly #connection: Connection
  readonly #unnamed: UnnamedOperations
  readonly #expired = new ExpiredSessions()
  readonly #reader: SessionReader
  readonly #written: WrittenSessions
  readonly #writes: GroupCommit
  #check: StructureCheck | undefined
  /** Of a slice, for what is removed at once. */
  #part = 1

  static async open(file: string, options: SqliteOptions = {}): Promise<SqliteBackend> {
    const deadline = performance.now() + (options.timeout ?? 5000)
    return new SqliteBackend(await Connection.open(file, options, deadline))
  }

  private constructor(connection: Connection) {
    this.#connection = connection
    this.#unnamed = new UnnamedOperations(connection)
    this.#reader = new SessionReader(connection, this.#unnamed)
    this.#written = new WrittenSessions(connection, (session, before, head) =>
      this.#reader.remember(before, session, head),
    )
    this.#writes = new GroupCommit(connection, {
      begun: () => this.#unnamed.begun(),
      ending: () => this.#written.write(),
      ended: (outcome) => {
        this.#unnamed.ended(outcome)
        if (outcome !== 'applied') this.#written.forget()
      },
    })
  }

  read(id: string, want: Want, deadline: number): Promise<Reading> {
    return this.#read(() => this.#reader.read(id, want), deadline, id)
  }

  commit(id: string, change: Change, deadline: number): Promise<Committed> {
    const write = () => applyChange(this.#connection, this.#reader, this.#unnamed, this.#written, id, change)
    return this.#writes.add(write, added(change.append), deadline, (error) =>
      isCorrupt((error as Error).cause) ? this.#lost(id, error) : error,
    )
  }

  stage(_id: string, copy: string, entries: readonly StagedEntry[], deadline: number): Promise<void> {
    return this.#change(() => stageEntries(this.#connection, copy, entries), added(entries), deadline)
  }

  unstage(_id: string, copy: string, deadline: number): Promise<boolean> {
    return this.#change(() => unstage(this.#connection, copy), null, deadline)
  }

  snapshots(id: string, deadline: number): Promise<SnapshotList> {
    return this.#read(() => this.#reader.snapshots(id), deadline, id)
  }

  drop(id: string, { ifPath, ranges, epochs, limit }: Drop, deadline: number): Promise<Reclaimed | null> {
    return this.#remove((part) => {
      const row = this.#reader.find(id)
      if (row === undefined || pathTokenOf(toHead(row)) !== ifPath) return null
      return dropSlice(this.#connection, id, row, { ranges, epochs, limit }, part)
    }, deadline)
  }

  sessions(cursor: string | null, limit: number, deadline: number): Promise<ListedPage> {
    return this.#read(() => this.#reader.list(cursor, limit), deadline)
  }

  async sessionsOf(owner: string, cursor: string | null, limit: number, deadline: number): Promise<ListedPage> {
    const after = cursor === null ? null : ownerCursorFromText(cursor)
    return this.#read(() => listOwned(this.#connection, this.#reader, owner, after, limit), deadline)
  }

  erase(id: string, { operation, ...conditions }: Erasure, deadline: number): Promise<boolean> {
    return this.#change(
      () => {
        if (erasedOperation(this.#connection, id, operation, false) !== null) return true
        const now = Date.now()
        const row = orLost(() => this.#reader.row(id))
        const isOver = row !== undefined && isExpired(toHead(row), now)
        const found = {
          head: row === undefined || isOver ? null : toHead(row),
          snapshotNumber: () => undefined,
          holdsTurn: (token: string) => holdsTurn(this.#connection, id, token, now),
        }
        checkConditions(id, found, conditions)
        const existed = eraseSession(this.#connection, id, row?.session) && !isOver
        this.#unnamed.erased(id)
        if (existed) rememberErasure(this.#connection, id, operation)
        return existed
      },
      null,
      deadline,
    )
  }

  async reclaim(scope: ReclaimScope, deadline: number): Promise<Reclaimed> {
    this.#connection.requireWritable()
    const isIdle = scope === 'outdated' && !(await this.#read(() => hasOutdated(this.#connection), deadline))
    if (isIdle) return { entries: 0, done: true }
    const reclaimed = await this.#remove((part) => reclaimSlice(this.#connection, this.#expired, scope, part), deadline)
    try {
      if (reclaimed.done) this.#connection.forgetLog()
    } catch (error) {
      throw toBackendError(error, this.#connection.file, 'unknown')
    }
    return reclaimed
  }

  takeTurn(id: string, lease: Lease, deadline: number): Promise<number | null> {
    return this.#writes.add(() => takeTurn(this.#connection, id, lease), 0, deadline)
  }

  renewTurn(id: string, lease: Lease, deadline: number): Promise<boolean> {
    return this.#writes.add(() => renewTurn(this.#connection, id, lease), 0, deadline)
  }

  endTurn(id: string, token: string, deadline: number): Promise<void> {
    return this.#writes.add(() => endTurn(this.#connection, id, token), null, deadline)
  }

  measure(id: string | null, ranges: readonly ClosedRange[], deadline: number): Promise<Usage> {
    return this.#read(() => {
      if (id === null) return measureGone(this.#connection)
      const row = this.#reader.find(id)
      return row === undefined ? { entries: 0, bytes: 0 } : measureRanges(this.#connection, row.session, ranges)
    }, deadline)
  }

  async damage(deadline: number): Promise<DamageFound> {
    const structure = await this.#checkStructure(deadline)
    if (structure === null) return { damage: [], done: false }
    const damage = await this.#read(() => findDamage(this.#connection, structure), deadline)
    return { damage, done: true }
  }

  /** Problems of the file found by SQLite; `null` while the check is still running. */
  async #checkStructure(deadline: number): Promise<readonly string[] | null> {
    const { isTransient, path } = this.#connection
    if (isTransient) return this.#read(() => this.#connection.column<string>('PRAGMA integrity_check'), deadline)
    const check = this.#check ?? new StructureCheck(path)
    this.#check = check
    const found = await check.wait(Math.min(1000, (deadline - performance.now()) / 2)).catch((error: unknown) => {
      this.#check = undefined
      throw toBackendError(error, this.#connection.file, 'no')
    })
    if (found !== null) this.#check = undefined
    return found
  }

  health(deadline: number): Promise<Health> {
    return this.#read(() => {
      const { file, durability, isTransient } = this.#connection
      const warnings: string[] = []
      if (isTransient) warnings.push('memory exists only in this process and ends with it')
      else if (durability === 'process') warnings.push('a power failure can lose the last acknowledged writes')
      return {
        backend: this.name,
        ok: true,
        warnings,
        details: {
          file,
          durability,
          bytes: isTransient ? 0 : statSync(file).size,
          sqlite: this.#connection.get<{ version: string }>('SELECT sqlite_version() AS version')?.version ?? '',
          schema: this.#connection.pragma('user_version') as number,
        },
      }
    }, deadline)
  }

  async close(): Promise<void> {
    await this.#check?.stop()
    await this.#writes.idle()
    this.#connection.close()
  }

  /** A write that may change the rows of any session. */
  #change<T>(write: () => T, bytes: number | null, deadline: number): Promise<T> {
    const change = () => {
      this.#written.release()
      return write()
    }
    return this.#writes.add(change, bytes, deadline)
  }

  /** A slice that does not fit on the disk is removed in small parts; so is everything after it, until nothing is left to do. */
  async #remove<T extends Reclaimed | null>(remove: (part: number) => T, deadline: number): Promise<T> {
    try {
      const removed = await this.#change(() => remove(this.#part), null, deadline)
      if (removed?.done) this.#part = 1
      return removed
    } catch (error) {
      if (!isDiskFull(error) || this.#part < 1) throw error
      this.#part = 1 / 20
      return this.#remove(remove, deadline)
    }
  }

  async #read<T>(read: () => T, deadline: number, session = ''): Promise<T> {
    const { file } = this.#connection
    try {
      return await retryWhileBusy(
        () => {
          this.#connection.ensureOpen()
          return this.#connection.reading(read)
        },
        deadline,
        file,
      )
    } catch (error) {
      throw isCorrupt(error) ? this.#lost(session, error) : toBackendError(error, file, 'no')
    }
  }

  #lost(session: string, cause: unknown): MemoryLostError {
    return new MemoryLostError(session, [], `${this.#connection.file} is damaged`, { cause })
  }
}

/** What can be found; `undefined` if it is lost. */
function orLost<T>(find: () => T): T | undefined {
  try {
    return find()
  } catch (error) {
    if (error instanceof MemoryLostError) return undefined
    throw error
  }
}

/** An estimate of the bytes. A short text is not measured: it has at most three bytes for each UTF-16 unit. */
function added(entries: readonly EncodedEntry[] = []): number {
  let sum = 0
  for (const entry of entries) {
    const { body, bytes } = entry
    sum += body.length < 4096 ? 3 * body.length + (bytes?.length ?? 0) : sizeOf(entry)
  }
  return sum
}
