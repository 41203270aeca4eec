import { advance } from '../../core/advance.ts'
import type { Change, Committed, SnapshotRecord } from '../../core/backend.ts'
import { operationsKept } from '../../core/operation.ts'
import { pathToText } from '../../core/path-text.ts'
import { isExpired } from '../../core/session-state.ts'
import { textToJson } from '../../core/text-json.ts'
import { epochChecksum, operationChecksum, operationMark, snapshotChecksum } from './checksums.ts'
import type { Connection } from './connection.ts'
import { insertEntry, isSummary } from './insert-entry.ts'
import { withMark, withoutMark } from './list-sum.ts'
import { copySums, type ListSums, noSums } from './list-sums.ts'
import { eraseSession } from './removal.ts'
import { toHead } from './rows.ts'
import type { SessionReader } from './session-reader.ts'
import { insertNobody, updateSession } from './session-row.ts'
import { publishStaged, stagedEntries } from './staging.ts'
import { addSeq } from './summary-sum.ts'

const pruneEvery = 64

/** Applies a change within the open transaction, or throws before it has written anything. */
export function applyChange(connection: Connection, reader: SessionReader, id: string, change: Change): Committed {
  const now = Date.now()
  const row = reader.row(id)
  const found = row && toHead(row)
  const live = found && !isExpired(found, now) ? row : undefined
  if (live) reader.requireNewest(id, live)
  const { operation } = change
  const advanced = advance(
    id,
    {
      head: live && found ? found : null,
      operation: reader.operation(id, row, operation.id, operation.digest !== ''),
      snapshotNumber: (snapshotId) => live && reader.snapshot(id, live, snapshotId)?.number,
      staged: (copy) => stagedEntries(connection, copy),
    },
    change,
    now,
  )
  const { committed, head } = advanced
  if (head === null) return committed

  if (row !== undefined && live === undefined) eraseSession(connection, id, row.session)
  const sums = copySums(live ?? noSums)
  const session = live?.session ?? begin(connection, id, change, sums)
  for (const { number, path } of advanced.epochs) insertEpoch(connection, id, session, number, pathToText(path))
  for (const entry of advanced.entries) {
    insertEntry(connection, session, entry)
    if (isSummary(entry)) sums.summary_sum = addSeq(sums.summary_sum, entry.seq)
  }
  for (const dropped of change.dropSnapshots ?? []) deleteSnapshot(connection, session, dropped, sums)
  for (const snapshot of advanced.snapshots) insertSnapshot(connection, session, snapshot, sums)
  remember(connection, session, head.counter, operation, committed, sums)
  if (head.counter % pruneEvery === 0) prune(connection, session, head.counter, sums)
  updateSession(connection, id, session, head, sums, live)
  reader.remember(row, session, head)
  return committed
}

function begin(connection: Connection, id: string, { staged }: Change, sums: ListSums): number {
  if (staged !== undefined) {
    const { session, summaries } = publishStaged(connection, id, staged.copy)
    sums.summary_sum = summaries
    return session
  }
  const session = insertNobody(connection)
  connection.run('UPDATE sessions SET id = ? WHERE session = ?', id, session)
  return session
}

function insertEpoch(connection: Connection, id: string, session: number, number: number, path: string): void {
  const checksum = epochChecksum(id, number, session, path)
  connection.run('INSERT INTO epochs VALUES (?, ?, ?, ?, ?)', id, number, session, path, checksum)
}

function insertSnapshot(connection: Connection, session: number, snapshot: SnapshotRecord, sums: ListSums): void {
  const { id, epoch, end, at, number } = snapshot
  const label = textToJson(snapshot.label)
  const automatic = snapshot.automatic ? 1 : 0
  const checksum = snapshotChecksum(session, { id, label, automatic, epoch, end, at, number })
  connection.run(
    'INSERT INTO snapshots VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    session,
    id,
    label,
    automatic,
    epoch,
    end,
    at,
    number,
    checksum,
  )
  sums.snapshot_sum = withMark(sums.snapshot_sum, checksum)
}

function deleteSnapshot(connection: Connection, session: number, id: string, sums: ListSums): void {
  const deleted = connection.get<{ checksum: number }>(
    'DELETE FROM snapshots WHERE session = ? AND id = ? RETURNING checksum',
    session,
    id,
  )
  if (deleted !== undefined) sums.snapshot_sum = withoutMark(sums.snapshot_sum, deleted.checksum)
}

function remember(
  connection: Connection,
  session: number,
  number: number,
  { id, digest }: Change['operation'],
  committed: Committed,
  sums: ListSums,
): void {
  const text = JSON.stringify(committed)
  const checksum = digest === '' ? null : operationChecksum(session, id, number, digest, text)
  connection.run('INSERT INTO operations VALUES (?, ?, ?, ?, ?, ?)', session, id, number, digest, text, checksum)
  if (digest !== '') sums.operation_sum = withMark(sums.operation_sum, operationMark(id))
}

function prune(connection: Connection, session: number, number: number, sums: ListSums): void {
  const last = number - operationsKept
  const named =
    sums.operation_sum === 0
      ? []
      : connection.column<string>(
          "SELECT id FROM operations WHERE session = ? AND number BETWEEN ? AND ? AND digest <> ''",
          session,
          sums.unchecked_operations + 1,
          last,
        )
  connection.run('DELETE FROM operations WHERE session = ? AND number <= ?', session, last)
  sums.operation_sum = named.map(operationMark).reduce(withoutMark, sums.operation_sum)
}
