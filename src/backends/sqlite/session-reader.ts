import type { OperationRecord, Reading, SnapshotList, Want } from '../../core/backend.ts'
import { MemoryLostError } from '../../core/errors.ts'
import type { Path } from '../../core/path.ts'
import { pathFromText } from '../../core/path-text.ts'
import { emptyReading, wantedRanges } from '../../core/reading.ts'
import type { SessionHead, SessionState } from '../../core/session-state.ts'
import { epochChecksum, operationChecksum, operationMark, snapshotChecksum } from './checksums.ts'
import type { Connection } from './connection.ts'
import { EntryReader } from './entry-reader.ts'
import { erasedOperation } from './erased-operations.ts'
import { sumOf } from './list-sum.ts'
import { type OperationRow, type SessionRow, type SnapshotRow, toHead, toOperation, toSnapshot } from './rows.ts'
import { findLiveSession, findSession, requireNewest } from './session-row.ts'

const maxCachedSessions = 10_000

/** Reads sessions from the tables, within whatever transaction is open. */
export class SessionReader {
  readonly #connection: Connection
  readonly #entries: EntryReader
  /** The sessions whose operations were found to be complete, and the nonce of the state of which that holds. */
  readonly #complete = new Map<number, string>()
  /** The sessions that this connection wrote since anyone else did, and the nonce of the last state. */
  readonly #written = new Map<number, string>()
  #seen: string | null = null

  constructor(connection: Connection) {
    this.#connection = connection
    this.#entries = new EntryReader(connection)
  }

  read(id: string, want: Want): Reading {
    const row = this.find(id)
    const operation = want.operation === undefined ? null : this.operation(id, this.row(id), want.operation, true)
    if (row === undefined) {
      return { ...emptyReading, operation }
    }
    const { last, maxBytes = Number.MAX_SAFE_INTEGER, summariesAfter } = want
    const state = this.#stateOf(id, row)
    return {
      ...emptyReading,
      state,
      operation,
      ...this.#readSnapshot(id, row, want.snapshot),
      ...this.#entries.read(row.session, wantedRanges(state, want), { maxBytes, fromEnd: last !== undefined }),
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
      snapshot: found ? { record: toSnapshot(id, found), path: this.#path(id, found.epoch) } : null,
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
    if (row === undefined) return { state: null, snapshots: [], paths: new Map() }
    const snapshots = this.#requireAllSnapshots(id, row)
    const epochs = this.#connection.all<EpochRow>('SELECT number, session, path, checksum FROM epochs WHERE id = ?', id)
    return {
      state: this.#stateOf(id, row),
      snapshots: snapshots.map((snapshot) => toSnapshot(id, snapshot)),
      paths: new Map(epochs.map((epoch) => [epoch.number, toPath(id, epoch)])),
    }
  }

  /**
   * Every session has an epoch, so one that an index leaves out is found by it. Whether a session has expired is looked at once its row was
   * found to be sound.
   */
  list(cursor: string | null, limit: number) {
    const sessions: { id: string; state: SessionState | null }[] = []
    let from = cursor ?? ''
    for (;;) {
      const wanted = limit - sessions.length
      const ids = this.#connection.column<string>(
        'SELECT id FROM sessions WHERE id > ? ORDER BY id LIMIT ?',
        from,
        wanted,
      )
      const last = ids.length < wanted ? null : (ids.at(-1) ?? null)
      const withEpochs = this.#connection.column<string>(
        'SELECT DISTINCT id FROM epochs WHERE id > ? AND (? IS NULL OR id < ?)',
        from,
        last,
        last,
      )
      for (const id of new Set([...ids, ...withEpochs])) {
        const state = this.#stateOrLost(id)
        if (state !== undefined) sessions.push({ id, state })
      }
      if (last === null || sessions.length >= limit) return { sessions, cursor: last }
      from = last
    }
  }

  /** An operation of the session, or of an earlier one of the same id. `isNamed`: it may come again, and so must not be missed. */
  operation(id: string, row: SessionRow | undefined, operationId: string, isNamed: boolean): OperationRecord | null {
    const own = row && this.#ownOperation(id, row, operationId, isNamed)
    if (own !== undefined) return own
    const isComplete = !isNamed || (row !== undefined && this.#complete.get(row.session) === row.nonce)
    if (row !== undefined && !isComplete) this.#requireAllOperations(id, row)
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
  remember(before: SessionRow | undefined, session: number, { nonce }: SessionHead): void {
    note(this.#written, session, nonce)
    if (before !== undefined && this.#complete.get(session) === before.nonce) this.#complete.set(session, nonce)
  }

  /** Only named ones have a checksum: others are repeated only within the call that made them. */
  #ownOperation(id: string, row: SessionRow, operationId: string, isNamed: boolean): OperationRecord | undefined {
    const { session, unchecked_operations } = row
    const own = this.#connection.get<OperationRow>(
      'SELECT number, digest, committed, checksum FROM operations WHERE session = ? AND id = ?',
      session,
      operationId,
    )
    if (own === undefined) return undefined
    const { number, digest, committed, checksum } = own
    const isOld = checksum === null && number >= 1 && number <= unchecked_operations
    if (isNamed && !isOld && checksum !== operationChecksum(session, operationId, number, digest, committed)) {
      throw new MemoryLostError(id, [], 'an operation is damaged')
    }
    return toOperation(id, own)
  }

  #requireAllOperations(id: string, { session, nonce, operation_sum, unchecked_operations }: SessionRow): void {
    const all = this.#connection.column<unknown>('SELECT id FROM operations WHERE session = ?', session)
    const named = this.#connection.column<string>(
      "SELECT id FROM operations WHERE session = ? AND number > ? AND digest <> ''",
      session,
      unchecked_operations,
    )
    const sum = sumOf(named.map(operationMark))
    if (sum !== operation_sum || !ascend(all)) {
      throw new MemoryLostError(id, [], 'the list of its operations is damaged')
    }
    note(this.#complete, session, nonce)
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
    return { ...toHead(row), path: this.#path(id, row.epoch), log: `${row.session}` }
  }

  /** `undefined`: it has expired. */
  #stateOrLost(id: string): SessionState | null | undefined {
    try {
      const row = this.find(id)
      return row && this.#stateOf(id, row)
    } catch (error) {
      if (error instanceof MemoryLostError) return null
      throw error
    }
  }

  #path(id: string, number: number): Path {
    const epoch = this.#connection.get<EpochRow>(
      'SELECT number, session, path, checksum FROM epochs WHERE id = ? AND number = ?',
      id,
      number,
    )
    return toPath(id, epoch && { ...epoch, number })
  }
}

interface EpochRow {
  readonly number: number
  readonly session: number
  readonly path: string
  readonly checksum: number | null
}

function toPath(id: string, epoch: EpochRow | undefined): Path {
  if (epoch === undefined) return pathFromText(id, null)
  const { number, session, path, checksum } = epoch
  if (checksum !== epochChecksum(id, number, session, path)) throw new MemoryLostError(id, [], 'its path is damaged')
  return pathFromText(id, path)
}

function requireSound(id: string, session: number, snapshot: SnapshotRow): void {
  if (snapshot.checksum === snapshotChecksum(session, snapshot)) return
  throw new MemoryLostError(id, [], `snapshot ${JSON.stringify(snapshot.id)} is damaged`)
}

function note(sessions: Map<number, string>, session: number, nonce: string): void {
  if (sessions.size >= maxCachedSessions) sessions.clear()
  sessions.set(session, nonce)
}

/** Whether ids are texts in the order in which SQLite keeps them, by which it finds each. A flip can turn one into a blob, which sorts after all texts. */
function ascend(ids: readonly unknown[]): boolean {
  const keys = ids.flatMap((id) => (typeof id === 'string' ? [Buffer.from(id)] : []))
  if (keys.length < ids.length) return false
  return keys.every((key, index) => index === 0 || Buffer.compare(keys[index - 1] as Buffer, key) < 0)
}
