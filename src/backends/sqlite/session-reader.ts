import type { OperationRecord, Reading, SnapshotList, StoredEntry, Want } from '../../core/backend.ts'
import { entryFormats } from '../../core/encode-entry.ts'
import { MemoryLostError } from '../../core/errors.ts'
import { type ClosedRange, closePath, splitTail } from '../../core/path.ts'
import { pathFromText } from '../../core/path-text.ts'
import { isExpired, type SessionState } from '../../core/session-state.ts'
import type { Connection } from './connection.ts'
import { erasedOperation } from './removal.ts'
import {
  entryColumns,
  headColumns,
  type SessionRow,
  type SnapshotRow,
  toHead,
  toOperation,
  toSnapshot,
} from './rows.ts'

/** What the tables say of sessions, within whatever transaction is open. */
export class SessionReader {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  read(id: string, want: Want): Reading {
    const row = this.find(id)
    const operation = want.operation === undefined ? null : this.operation(id, this.row(id)?.session, want.operation)
    if (row === undefined) {
      return { state: null, operation, snapshot: null, automatic: [], entries: [], summaries: [], summarySeqs: [] }
    }
    const state = this.#stateOf(id, row)
    const ranges = want.ranges ?? (want.last ? splitTail(closePath(state.path, state.end), want.last)[1] : [])
    return {
      state,
      operation,
      ...this.#readSnapshot(id, row.session, want.snapshot),
      entries: this.#readRanges(row.session, ranges),
      ...this.#readSummaries(row.session, want.summariesAfter),
    }
  }

  #readRanges(session: number, ranges: readonly ClosedRange[]): StoredEntry[] {
    const entries: StoredEntry[] = []
    for (const range of ranges) for (const entry of this.#readRange(session, range)) entries.push(entry)
    return entries
  }

  /**
   * Column by column, in little more than half the time of rows: what takes time is each value that is fetched. Nearly all entries are
   * messages without bytes, so only the others are fetched whole.
   */
  #readRange(session: number, [from, to]: ClosedRange): StoredEntry[] {
    const where = 'FROM entries WHERE session = ? AND seq BETWEEN ? AND ?'
    const bodies = this.#connection.column<string>(`SELECT body ${where} ORDER BY seq`, session, from, to)
    if (bodies.length <= to - from) {
      return this.#connection.all<StoredEntry>(`SELECT ${entryColumns} ${where} ORDER BY seq`, session, from, to)
    }
    const times = this.#connection.column<number>(`SELECT at ${where} ORDER BY seq`, session, from, to)
    const entries: StoredEntry[] = bodies.map((body, index) => ({
      seq: from + index,
      at: times[index] as number,
      kind: 'message',
      format: entryFormats.plain,
      body,
      bytes: null,
    }))
    const others = this.#connection.all<StoredEntry>(
      `SELECT ${entryColumns} ${where} AND (kind <> 'message' OR format <> ${entryFormats.plain} OR bytes IS NOT NULL)`,
      session,
      from,
      to,
    )
    for (const entry of others) entries[entry.seq - from] = entry
    return entries
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
      snapshot: found ? { record: toSnapshot(id, found), path: pathFromText(id, found.path) } : null,
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

  snapshots(id: string): SnapshotList {
    const row = this.find(id)
    if (row === undefined) return { state: null, snapshots: [], paths: new Map() }
    const snapshots = this.#connection.all<SnapshotRow>('SELECT * FROM snapshots WHERE session = ?', row.session)
    const epochs = this.#connection.all<{ number: number; path: string }>(
      'SELECT number, path FROM epochs WHERE id = ?',
      id,
    )
    return {
      state: this.#stateOf(id, row),
      snapshots: snapshots.map((snapshot) => toSnapshot(id, snapshot)),
      paths: new Map(epochs.map(({ number, path }) => [number, pathFromText(id, path)])),
    }
  }

  list(cursor: string | null, limit: number) {
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
  }

  operation(id: string, session: number | undefined, operationId: string): OperationRecord | null {
    const own = this.#connection.get<{ digest: string; committed: string }>(
      'SELECT digest, committed FROM operations WHERE session = ? AND id = ?',
      session ?? 0,
      operationId,
    )
    return own ? toOperation(id, own) : erasedOperation(this.#connection, id, operationId)
  }

  /** The session's row unless it has expired. */
  find(id: string): SessionRow | undefined {
    const row = this.row(id)
    return row === undefined || isExpired(toHead(row), Date.now()) ? undefined : row
  }

  rowOf(id: string): SessionRow | undefined {
    return this.#connection.get<SessionRow>(`SELECT session, ${headColumns} FROM sessions WHERE id = ?`, id)
  }

  /** Throws if there is none although there must be one. */
  row(id: string): SessionRow | undefined {
    const row = this.rowOf(id)
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
    return { ...toHead(row), path: pathFromText(id, epoch?.path) }
  }

  #stateOrLost(id: string): SessionState | null {
    try {
      const row = this.row(id)
      return row === undefined ? null : this.#stateOf(id, row)
    } catch (error) {
      if (error instanceof MemoryLostError) return null
      throw error
    }
  }
}
