import { statSync } from 'node:fs'
import type {
  Backend,
  Change,
  Committed,
  Damage,
  Drop,
  Health,
  Reading,
  Reclaimed,
  SnapshotList,
  Usage,
  Want,
} from '../../core/backend.ts'
import { MemoryLostError } from '../../core/errors.ts'
import type { ClosedRange } from '../../core/path.ts'
import { epochOf, isExpired } from '../../core/session-state.ts'
import { applyChange } from './apply-change.ts'
import { Connection, type Durability } from './connection.ts'
import { findDamage } from './find-damage.ts'
import { GroupCommit } from './group-commit.ts'
import { measureGone, measureRanges } from './measure.ts'
import { deleteEntries, erasedOperation, eraseSession, reclaimSlice, rememberErasure } from './removal.ts'
import { retryWhileBusy } from './retry-while-busy.ts'
import { toHead } from './rows.ts'
import { SessionReader } from './session-reader.ts'
import { isCorrupt, toBackendError } from './sqlite-error.ts'

export interface SqliteOptions {
  /**
   * `power`: an acknowledged write survives a power cut. `process`: it survives the death of the process, and a power cut may take the
   * last moments. `power` where it is not given.
   */
  durability?: Durability | undefined
  /**
   * Opens a file that is there and has the present schema, and creates and changes nothing: SQLite's own `-wal` and `-shm` come and go beside
   * it. Every write rejects with `READ_ONLY`.
   */
  readOnly?: boolean | undefined
  /** How long opening may take, in milliseconds; 5,000 where it is not given. */
  timeout?: number | undefined
}

/** Memory in one SQLite file, which any number of processes may share. */
export class SqliteBackend implements Backend {
  readonly name = 'sqlite'
  readonly #connection: Connection
  readonly #reader: SessionReader
  readonly #writes: GroupCommit

  static async open(file: string, options: SqliteOptions = {}): Promise<SqliteBackend> {
    const deadline = performance.now() + (options.timeout ?? 5000)
    return new SqliteBackend(await Connection.open(file, options, deadline))
  }

  private constructor(connection: Connection) {
    this.#connection = connection
    this.#reader = new SessionReader(connection)
    this.#writes = new GroupCommit(connection)
  }

  read(id: string, want: Want, deadline: number): Promise<Reading> {
    return this.#read(() => this.#reader.read(id, want), deadline, id)
  }

  commit(id: string, change: Change, deadline: number): Promise<Committed> {
    return this.#writes.add(() => applyChange(this.#connection, this.#reader, id, change), deadline)
  }

  snapshots(id: string, deadline: number): Promise<SnapshotList> {
    return this.#read(() => this.#reader.snapshots(id), deadline, id)
  }

  drop(id: string, { ifEpoch, ranges, epochs, limit }: Drop, deadline: number): Promise<Reclaimed | null> {
    return this.#writes.add(() => {
      const row = this.#reader.find(id)
      if (row === undefined || epochOf(toHead(row)) !== ifEpoch) return null
      for (const epoch of epochs) this.#connection.run('DELETE FROM epochs WHERE id = ? AND number = ?', id, epoch)
      let dropped = 0
      for (const range of ranges) {
        if (dropped >= limit) return { entries: dropped, done: false }
        const { entries, done } = deleteEntries(this.#connection, row.session, range, limit - dropped)
        dropped += entries
        if (!done) return { entries: dropped, done }
      }
      return { entries: dropped, done: true }
    }, deadline)
  }

  sessions(cursor: string | null, limit: number, deadline: number): ReturnType<Backend['sessions']> {
    return this.#read(() => this.#reader.list(cursor, limit), deadline)
  }

  erase(id: string, operation: string, deadline: number): Promise<boolean> {
    return this.#writes.add(() => {
      if (erasedOperation(this.#connection, id, operation) !== null) return true
      const row = this.#reader.rowOf(id)
      const isThere = row === undefined || !isExpired(toHead(row), Date.now())
      const existed = eraseSession(this.#connection, id, row?.session) && isThere
      if (existed) rememberErasure(this.#connection, id, operation)
      return existed
    }, deadline)
  }

  async reclaim(scope: 'erased' | 'all', deadline: number): Promise<Reclaimed> {
    const reclaimed = await this.#writes.add(() => reclaimSlice(this.#connection, scope), deadline)
    try {
      if (reclaimed.done) this.#connection.forgetLog()
    } catch (error) {
      throw toBackendError(error, this.#connection.file, 'unknown')
    }
    return reclaimed
  }

  measure(id: string | null, ranges: readonly ClosedRange[], deadline: number): Promise<Usage> {
    return this.#read(() => {
      if (id === null) return measureGone(this.#connection)
      const row = this.#reader.find(id)
      return row === undefined ? { entries: 0, bytes: 0 } : measureRanges(this.#connection, row.session, ranges)
    }, deadline)
  }

  damage(deadline: number): Promise<readonly Damage[]> {
    return this.#read(() => findDamage(this.#connection), deadline)
  }

  health(deadline: number): Promise<Health> {
    return this.#read(() => {
      const { file, durability, isTransient } = this.#connection
      const warnings: string[] = []
      if (isTransient) warnings.push('memory is kept in this process only and ends with it')
      else if (durability === 'process') warnings.push('a power cut can take the last acknowledged writes')
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
    await this.#writes.idle()
    this.#connection.close()
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
      if (isCorrupt(error)) throw new MemoryLostError(session, [], `${file} is damaged`, { cause: error })
      throw toBackendError(error, file, 'no')
    }
  }
}
