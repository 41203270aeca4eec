import { statSync } from 'node:fs'
import { advance } from '../../core/advance.ts'
import type {
  Backend,
  Change,
  Committed,
  Damage,
  Drop,
  Health,
  OperationRecord,
  Reading,
  SnapshotList,
  StoredEntry,
  Want,
} from '../../core/backend.ts'
import { MemoryLostError } from '../../core/errors.ts'
import { closePath, splitTail } from '../../core/path.ts'
import { epochOf, isExpired, type SessionState } from '../../core/session-state.ts'
import { Connection, type Durability } from './connection.ts'
import { findDamage } from './find-damage.ts'
import { GroupCommit } from './group-commit.ts'
import { deleteEntries, erasedOperation, eraseSession, reclaimSlice } from './removal.ts'
import { retryWhileBusy } from './retry-while-busy.ts'
import { fromHead, type SessionRow, type SnapshotRow, toHead, toOperation, toPath, toSnapshot } from './rows.ts'
import { toBackendError } from './sqlite-error.ts'

export interface SqliteOptions {
  /**
   * `power`: an acknowledged write survives a power cut. `process`: it survives the death of the process, and a power cut may take the
   * last moments. `power` where it is not given.
   */
  durability?: Durability | undefined
  /** How long opening may take, in milliseconds; 5,000 where it is not given. */
  timeout?: number | undefined
}

/** At least so many operations of a session are remembered; they are pruned every so often. */
const operationsKept = 256
const pruneEvery = 64

const headColumns = 'birth, counter, nonce, epoch, epoch_nonce, end, created_at, updated_at, ttl, own_ttl, expires_at'
const entryColumns = 'seq, at, kind, format, body, bytes'

/** Memory in one SQLite file, which any number of processes may share. */
export class SqliteBackend implements Backend {
  readonly name = 'sqlite'
  readonly #connection: Connection
  readonly #writes: GroupCommit

  static async open(file: string, options: SqliteOptions = {}): Promise<SqliteBackend> {
    const deadline = performance.now() + (options.timeout ?? 5000)
    return new SqliteBackend(await Connection.open(file, options.durability ?? 'power', deadline))
  }

  private constructor(connection: Connection) {
    this.#connection = connection
    this.#writes = new GroupCommit(connection)
  }

  read(id: string, want: Want, deadline: number): Promise<Reading> {
    return this.#read(() => this.#readSession(id, want), deadline)
  }

  commit(id: string, change: Change, deadline: number): Promise<Committed> {
    return this.#writes.add(() => this.#apply(id, change), deadline)
  }

  snapshots(id: string, deadline: number): Promise<SnapshotList> {
    return this.#read(() => {
      const row = this.#find(id)
      if (row === undefined) return { state: null, snapshots: [], paths: new Map() }
      const snapshots = this.#connection.all<SnapshotRow>('SELECT * FROM snapshots WHERE session = ?', row.session)
      const epochs = this.#connection.all<{ number: number; path: string }>(
        'SELECT number, path FROM epochs WHERE id = ?',
        id,
      )
      return {
        state: this.#stateOf(id, row),
        snapshots: snapshots.map((snapshot) => toSnapshot(id, snapshot)),
        paths: new Map(epochs.map(({ number, path }) => [number, toPath(id, path)])),
      }
    }, deadline)
  }

  drop(id: string, { ifEpoch, ranges, epochs, limit }: Drop, deadline: number): Promise<number | null> {
    return this.#writes.add(() => {
      const row = this.#find(id)
      if (row === undefined || epochOf(toHead(row)) !== ifEpoch) return null
      for (const epoch of epochs) this.#connection.run('DELETE FROM epochs WHERE id = ? AND number = ?', id, epoch)
      let dropped = 0
      for (const range of ranges) {
        if (dropped >= limit) break
        dropped += deleteEntries(this.#connection, row.session, range, limit - dropped)
      }
      return dropped
    }, deadline)
  }

  sessions(cursor: string | null, limit: number, deadline: number): ReturnType<Backend['sessions']> {
    return this.#read(() => {
      const from = cursor ?? ''
      const known = this.#connection.all<{ id: string }>(
        'SELECT id FROM sessions WHERE id > ? AND (expires_at IS NULL OR expires_at > ?) ORDER BY id LIMIT ?',
        from,
        Date.now(),
        limit,
      )
      const last = known.length < limit ? null : (known.at(-1)?.id ?? null)
      const lost = this.#connection.all<{ id: string }>(
        `SELECT DISTINCT id FROM epochs WHERE id > ? AND (? IS NULL OR id < ?)
         AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.id = epochs.id)`,
        from,
        last,
        last,
      )
      return {
        sessions: [...known, ...lost].map(({ id }) => ({ id, state: this.#stateOrLost(id) })),
        cursor: last,
      }
    }, deadline)
  }

  erase(id: string, deadline: number): Promise<boolean> {
    return this.#writes.add(() => {
      const row = this.#rowOf(id)
      const existed = row === undefined || !isExpired(toHead(row), Date.now())
      return eraseSession(this.#connection, id, row?.session) && existed
    }, deadline)
  }

  reclaim(scope: 'erased' | 'all', limit: number, deadline: number): Promise<number> {
    return this.#writes.add(() => reclaimSlice(this.#connection, scope, limit), deadline)
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
    this.#connection.close()
  }

  async #read<T>(read: () => T, deadline: number): Promise<T> {
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
      throw toBackendError(error, file, 'no')
    }
  }

  #readSession(id: string, want: Want): Reading {
    const row = this.#find(id)
    const operation = want.operation === undefined ? null : this.#operation(id, this.#row(id)?.session, want.operation)
    if (row === undefined) {
      return { state: null, operation, snapshot: null, automatic: [], entries: [], summaries: [], summarySeqs: [] }
    }
    const state = this.#stateOf(id, row)
    const ranges = want.ranges ?? (want.last ? splitTail(closePath(state.path, state.end), want.last)[1] : [])
    return {
      state,
      operation,
      ...this.#readSnapshot(id, row.session, want.snapshot),
      entries: ranges.flatMap(([from, to]) =>
        this.#connection.all<StoredEntry>(
          `SELECT ${entryColumns} FROM entries WHERE session = ? AND seq BETWEEN ? AND ? ORDER BY seq`,
          row.session,
          from,
          to,
        ),
      ),
      ...this.#readSummaries(row.session, want.summariesAfter),
    }
  }

  #readSnapshot(id: string, session: number, snapshotId: string | undefined): Pick<Reading, 'snapshot' | 'automatic'> {
    if (snapshotId === undefined) return { snapshot: null, automatic: [] }
    const automatic = this.#connection.all<{ id: string }>(
      'SELECT id FROM snapshots WHERE session = ? AND automatic = 1 ORDER BY number',
      session,
    )
    const found = this.#connection.get<SnapshotRow & { path: string | null }>(
      `SELECT snapshots.*, path FROM snapshots LEFT JOIN epochs ON epochs.id = ? AND epochs.number = snapshots.epoch
       WHERE snapshots.session = ? AND snapshots.id = ?`,
      id,
      session,
      snapshotId,
    )
    return {
      snapshot: found ? { record: toSnapshot(id, found), path: toPath(id, found.path) } : null,
      automatic: automatic.map((row) => row.id),
    }
  }

  #readSummaries(session: number, after: number | undefined): Pick<Reading, 'summaries' | 'summarySeqs'> {
    if (after === undefined) return { summaries: [], summarySeqs: [] }
    const rows = this.#connection.all<{ wanted: number } & Partial<StoredEntry>>(
      `SELECT summaries.seq AS wanted, entries.${entryColumns.replaceAll(', ', ', entries.')} FROM summaries
       LEFT JOIN entries USING (session, seq) WHERE summaries.session = ? AND summaries.seq > ? ORDER BY summaries.seq`,
      session,
      after,
    )
    return {
      summaries: rows.filter(({ body }) => body !== null).map(({ wanted, ...entry }) => entry as StoredEntry),
      summarySeqs: rows.map(({ wanted }) => wanted),
    }
  }

  #apply(id: string, change: Change): Committed {
    const now = Date.now()
    const connection = this.#connection
    const row = this.#row(id)
    const head = row && !isExpired(toHead(row), now) ? toHead(row) : null
    const advanced = advance(
      id,
      {
        head,
        operation: this.#operation(id, row?.session, change.operation.id),
        hasSnapshot: (snapshotId) =>
          head !== null &&
          row !== undefined &&
          connection.get('SELECT 1 FROM snapshots WHERE session = ? AND id = ?', row.session, snapshotId) !== undefined,
      },
      change,
      now,
    )
    const { committed } = advanced
    if (advanced.head === null) return committed

    if (row !== undefined && head === null) eraseSession(connection, id, row.session)
    const session = this.#writeHead(id, head === null ? undefined : row?.session, advanced.head)
    const { path, snapshot } = advanced
    if (path !== null) {
      const number = advanced.head.epoch
      connection.run('INSERT INTO epochs VALUES (?, ?, ?, ?)', id, number, session, JSON.stringify(path))
    }
    change.append?.forEach(({ kind, format, body, bytes }, index) => {
      const seq = committed.first + index
      connection.run(
        `INSERT INTO entries (session, ${entryColumns}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
        session,
        seq,
        now,
        kind,
        format,
        body,
        bytes,
      )
      if (kind === 'summary' || kind === 'compaction')
        connection.run('INSERT INTO summaries VALUES (?, ?)', session, seq)
    })
    for (const dropped of change.dropSnapshots ?? []) {
      connection.run('DELETE FROM snapshots WHERE session = ? AND id = ?', session, dropped)
    }
    if (snapshot !== null) {
      const label = snapshot.label === null ? null : JSON.stringify(snapshot.label)
      connection.run(
        'INSERT INTO snapshots VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
        session,
        snapshot.id,
        label,
        snapshot.automatic ? 1 : 0,
        snapshot.epoch,
        snapshot.end,
        snapshot.at,
        snapshot.number,
      )
    }
    this.#remember(session, advanced.head.counter, change.operation, committed)
    return committed
  }

  #writeHead(id: string, session: number | undefined, head: Parameters<typeof fromHead>[0]): number {
    if (session === undefined) {
      return this.#connection.insert(
        `INSERT INTO sessions (id, ${headColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        id,
        ...fromHead(head),
      )
    }
    this.#connection.run(
      `UPDATE sessions SET (${headColumns}) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE session = ?`,
      ...fromHead(head),
      session,
    )
    return session
  }

  #remember(session: number, number: number, operation: Change['operation'], committed: Committed): void {
    const { id, digest } = operation
    this.#connection.run(
      'INSERT INTO operations VALUES (?, ?, ?, ?, ?)',
      session,
      id,
      number,
      digest,
      JSON.stringify(committed),
    )
    if (number % pruneEvery === 0) {
      this.#connection.run('DELETE FROM operations WHERE session = ? AND number <= ?', session, number - operationsKept)
    }
  }

  #operation(id: string, session: number | undefined, operationId: string): OperationRecord | null {
    const own = this.#connection.get<{ digest: string; committed: string }>(
      'SELECT digest, committed FROM operations WHERE session = ? AND id = ?',
      session ?? 0,
      operationId,
    )
    return own ? toOperation(id, own) : erasedOperation(this.#connection, id, operationId)
  }

  /** The session's row unless it has expired. */
  #find(id: string): SessionRow | undefined {
    const row = this.#row(id)
    return row === undefined || isExpired(toHead(row), Date.now()) ? undefined : row
  }

  #rowOf(id: string): SessionRow | undefined {
    return this.#connection.get<SessionRow>(`SELECT session, ${headColumns} FROM sessions WHERE id = ?`, id)
  }

  /** Throws if there is none although there must be one. */
  #row(id: string): SessionRow | undefined {
    const row = this.#rowOf(id)
    if (row === undefined) this.#requireNothingLeft(id)
    return row
  }

  /** No row, but epochs: the session's state was lost. */
  #requireNothingLeft(id: string): void {
    const left = this.#connection.get<{ session: number }>('SELECT session FROM epochs WHERE id = ?', id)
    if (left === undefined) return
    const entries = this.#connection.all<{ seq: number }>('SELECT seq FROM entries WHERE session = ?', left.session)
    throw new MemoryLostError(
      id,
      entries.map(({ seq }) => seq),
      'its state is missing, though entries are there',
    )
  }

  #stateOf(id: string, row: SessionRow): SessionState {
    const epoch = this.#connection.get<{ path: string }>(
      'SELECT path FROM epochs WHERE id = ? AND number = ?',
      id,
      row.epoch,
    )
    return { ...toHead(row), path: toPath(id, epoch?.path) }
  }

  #stateOrLost(id: string): SessionState | null {
    try {
      const row = this.#row(id)
      return row === undefined ? null : this.#stateOf(id, row)
    } catch (error) {
      if (error instanceof MemoryLostError) return null
      throw error
    }
  }
}
