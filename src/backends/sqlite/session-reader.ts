import type { ListedPage, ListedSession, OperationRecord, Reading, SnapshotList, Want } from '../../core/backend.ts'
import { MemoryLostError } from '../../core/errors.ts'
import { emptyReading, noSnapshots, wantedRanges } from '../../core/reading.ts'
import type { SessionHead, SessionState } from '../../core/session-state.ts'
import { readAbout } from './about-rows.ts'
import { snapshotChecksum } from './checksums.ts'
import type { Connection } from './connection.ts'
import { EntryReader } from './entry-reader.ts'
import { readEpochs, readPath } from './epoch-rows.ts'
import { erasedOperation } from './erased-operations.ts'
import { sumOf } from './list-sum.ts'
import { findOperation, requireAllOperations } from './operation-rows.ts'
import { type SessionRow, type SnapshotRow, toHead, toSnapshot } from './rows.ts'
import { findLiveSession, findSession, requireNewest } from './session-row.ts'
import type { UnnamedOperations } from './unnamed-operations.ts'

const maxCachedSessions = 10_000

/** Reads sessions from the tables, within whatever transaction is open. */
export class SessionReader {
  readonly #connection: Connection
  readonly #unnamed: UnnamedOperations
  readonly #entries: EntryReader
  /** The sessions with a complete list of operations, and the nonce of the state it was checked for. */
  readonly #complete = new Map<number, string>()
  /** The sessions that this connection wrote since the last write by anyone else, and the nonce of the last state. */
  readonly #written = new Map<number, string>()
  #seen: string | null = null

  constructor(connection: Connection, unnamed: UnnamedOperations) {
    this.#connection = connection
    this.#unnamed = unnamed
    this.#entries = new EntryReader(connection)
  }

  read(id: string, want: Want): Reading {
    const row = this.find(id)
    const operation = want.operation === undefined ? null : this.operation(id, this.row(id), want.operation)
    if (row === undefined) {
      return { ...emptyReading, operation: operation && { ...operation, ended: true } }
    }
    const { last, maxBytes = Number.MAX_SAFE_INTEGER, summariesAfter } = want
    const state = this.#stateOf(id, row)
    const { snapshot, automatic } = this.#readSnapshot(id, row, want.snapshot)
    const ranges = wantedRanges(state, want, snapshot)
    return {
      ...emptyReading,
      state,
      operation,
      about: want.about ? readAbout(this.#connection, id, row) : null,
      snapshot,
      automatic,
      ...this.#entries.read(row.session, ranges, { maxBytes, fromEnd: last !== undefined }),
      ...(summariesAfter !== undefined && this.#entries.readSummaries(id, row, summariesAfter, want.maxBytes)),
    }
  }

  #readSnapshot(id: string, row: SessionRow, snapshotId: string | undefined): Pick<Reading, 'snapshot' | 'automatic'> {
    if (snapshotId === undefined) return { snapshot: null, automatic: [] }
    const automatic = this.#connection.all<SnapshotRow>(
      'SELECT * FROM snapshots WHERE session = ? AND automatic = 1 ORDER BY number',
      row.session,
    )
    for (const one of automatic) requireSound(id, row.session, one)
    const found = this.snapshot(id, row, snapshotId)
    if (found === undefined) this.#requireAllSnapshots(id, row, snapshotId)
    return {
      snapshot: found ? { record: toSnapshot(id, found), path: readPath(this.#connection, id, found.epoch) } : null,
      automatic: automatic.map((one) => one.id),
    }
  }

  snapshot(id: string, { session }: SessionRow, snapshotId: string): SnapshotRow | undefined {
    const found = this.#connection.get<SnapshotRow>(
      'SELECT * FROM snapshots WHERE session = ? AND id = ?',
      session,
      snapshotId,
    )
    if (found !== undefined) requireSound(id, session, { ...found, id: snapshotId })
    return found
  }

  /** `missed`: one that was looked for and not found. */
  #requireAllSnapshots(id: string, { session, snapshot_sum }: SessionRow, missed?: string): SnapshotRow[] {
    const snapshots = this.#connection.all<SnapshotRow>('SELECT * FROM snapshots WHERE session = ?', session)
    for (const one of snapshots) requireSound(id, session, one)
    const sum = sumOf(snapshots.map(({ checksum }) => checksum))
    if (sum !== snapshot_sum || snapshots.some((one) => one.id === missed)) {
      throw new MemoryLostError(id, [], 'the list of its snapshots is damaged')
    }
    return snapshots
  }

  snapshots(id: string): SnapshotList {
    const row = this.find(id)
    if (row === undefined) return noSnapshots
    const snapshots = this.#requireAllSnapshots(id, row)
    return {
      state: this.#stateOf(id, row),
      snapshots: snapshots.map((snapshot) => toSnapshot(id, snapshot)),
      epochs: readEpochs(this.#connection, id),
      about: readAbout(this.#connection, id, row),
    }
  }

  /**
   * Every session has an epoch, so one that an index leaves out is found by it. Whether a session has expired is looked at once its row was
   * found to be sound.
   */
  list(cursor: string | null, limit: number): ListedPage {
    const sessions: ListedSession[] = []
    let from = cursor ?? ''
    for (;;) {
      const wanted = limit - sessions.length
      const ids = this.#idsAfter(from, wanted)
      const last = ids.length < wanted ? null : (ids.at(-1) ?? null)
      const withEpochs = this.#connection.column<string>(
        'SELECT DISTINCT id FROM epochs WHERE id > ? AND (? IS NULL OR id < ?)',
        from,
        last,
        last,
      )
      for (const id of new Set([...ids, ...withEpochs])) {
        const listed = this.listed(id)
        if (listed !== undefined) sessions.push(listed)
      }
      if (last === null || sessions.length >= limit) return { sessions, cursor: last }
      from = last
    }
  }

  /** An index that is out of order would lead a page back to where it came from, forever. The table itself has no order to lose. */
  #idsAfter(from: string, limit: number): string[] {
    const select = (table: string) =>
      this.#connection.column<string>(`SELECT id FROM ${table} WHERE id > ? ORDER BY id LIMIT ?`, from, limit)
    const ids = select('sessions')
    return isAscending([from, ...ids]) ? ids : select('sessions NOT INDEXED')
  }

  /** An operation of the session, or of an earlier one with the same id. It may be retried, so it must not be missed. */
  operation(id: string, row: SessionRow | undefined, operationId: string): OperationRecord | null {
    const known = (row && findOperation(this.#connection, id, row, operationId)) ?? this.#unnamed.find(id, operationId)
    if (known !== null) return known
    const isComplete = row !== undefined && this.#complete.get(row.session) === row.nonce
    if (row !== undefined && !isComplete) {
      requireAllOperations(this.#connection, id, row)
      note(this.#complete, row.session, row.nonce)
    }
    return erasedOperation(this.#connection, id, operationId, !isComplete)
  }

  /** Within a write transaction: throws if the state was set back to an earlier one. Skipped if this connection wrote it and nobody has written since. */
  requireNewest(id: string, row: SessionRow): void {
    const seen = this.#connection.foreignChanges
    if (seen !== this.#seen) this.#written.clear()
    this.#seen = seen
    if (this.#written.get(row.session) !== row.nonce) requireNewest(this.#connection, id, row)
  }

  /** Remembers the result of a commit, so that the next one can skip the full check. */
  remember(before: Pick<SessionRow, 'nonce'> | undefined, session: number, { nonce }: SessionHead): void {
    note(this.#written, session, nonce)
    if (before !== undefined && this.#complete.get(session) === before.nonce) this.#complete.set(session, nonce)
  }

  /** The session's row unless it has expired. */
  find(id: string): SessionRow | undefined {
    return findLiveSession(this.#connection, id)
  }

  /** The session's row, even if expired. */
  row(id: string): SessionRow | undefined {
    return findSession(this.#connection, id)
  }

  #stateOf(id: string, row: SessionRow): SessionState {
    return { ...toHead(row), path: readPath(this.#connection, id, row.epoch), log: `${row.session}` }
  }

  /** `undefined`: it has expired. */
  listed(id: string): ListedSession | undefined {
    try {
      const row = this.find(id)
      return row && { id, state: this.#stateOf(id, row), about: readAbout(this.#connection, id, row) }
    } catch (error) {
      if (error instanceof MemoryLostError) return { id, state: null, about: null }
      throw error
    }
  }
}

function requireSound(id: string, session: number, snapshot: SnapshotRow): void {
  if (snapshot.checksum === snapshotChecksum(session, snapshot)) return
  throw new MemoryLostError(id, [], `snapshot ${JSON.stringify(snapshot.id)} is damaged`)
}

function note(sessions: Map<number, string>, session: number, nonce: string): void {
  if (sessions.size >= maxCachedSessions) sessions.clear()
  sessions.set(session, nonce)
}

/** In the order of SQLite: byte by byte. A damaged id can be of any type. */
function isAscending(ids: readonly unknown[]): boolean {
  if (!ids.every((id) => typeof id === 'string')) return false
  const bytes = ids.map((id) => Buffer.from(id))
  return bytes.every((one, index) => index === 0 || one.compare(bytes[index - 1] ?? one) > 0)
}
