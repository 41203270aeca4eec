import { type Advanced, advance, foundHead, noAbout } from '../../core/advance.ts'
import type { Change, Committed, SnapshotRecord } from '../../core/backend.ts'
import { isExpired } from '../../core/session-state.ts'
import { textToJson } from '../../core/text-json.ts'
import { readAbout, writeAbout } from './about-rows.ts'
import { snapshotChecksum } from './checksums.ts'
import type { Connection } from './connection.ts'
import { insertEpoch, shortenEpoch } from './epoch-rows.ts'
import { insertEntry, isSummary } from './insert-entry.ts'
import { withMark, withoutMark } from './list-sum.ts'
import { copySums, type ListSums, noSums } from './list-sums.ts'
import { insertOperation } from './operation-rows.ts'
import { eraseSession } from './removal.ts'
import { type SessionRow, toHead } from './rows.ts'
import type { SessionReader } from './session-reader.ts'
import { insertNobody, updateSession } from './session-row.ts'
import { publishStaged, stagedEntries } from './staging.ts'
import { addSeq } from './summary-sum.ts'
import { holdsTurn } from './turns.ts'
import type { UnnamedOperations } from './unnamed-operations.ts'
import type { WrittenSessions } from './written-sessions.ts'

/** Applies a change within the open transaction, or throws before it has written anything. */
export function applyChange(
  connection: Connection,
  reader: SessionReader,
  unnamed: UnnamedOperations,
  written: WrittenSessions,
  id: string,
  change: Change,
): Committed {
  const now = Date.now()
  const appended = isAppendAlone(change) ? appendToWritten(unnamed, written, id, change, now) : null
  if (appended !== null) return appended
  written.release(id)
  const row = reader.row(id)
  const found = row && toHead(row)
  const live = found && !isExpired(found, now) ? row : undefined
  if (live) reader.requireNewest(id, live)
  const { operation } = change
  const isNamed = operation.digest !== ''
  const advanced = advance(
    id,
    {
      head: live && found ? found : null,
      operation: isNamed ? reader.operation(id, row, operation.id) : unnamed.find(id, operation.id),
      snapshotNumber: (snapshotId) => live && reader.snapshot(id, live, snapshotId)?.number,
      staged: (copy) => stagedEntries(connection, copy),
      holdsTurn: (token) => holdsTurn(connection, id, token, now),
    },
    change,
    now,
  )
  const { committed, head } = advanced
  if (head === null) return committed

  const about = aboutAfter(connection, id, live, advanced)
  if (row !== undefined && live === undefined) eraseSession(connection, id, row.session)
  const sums = copySums(live ?? noSums)
  const session = live?.session ?? begin(connection, id, change, sums)
  if (about !== null) sums.about_sum = writeAbout(connection, id, session, about)
  if (live !== undefined && head.epoch > live.epoch) shortenEpoch(connection, id, live.epoch)
  for (const epoch of advanced.epochs) insertEpoch(connection, id, session, epoch)
  for (const entry of advanced.entries) {
    insertEntry(connection, session, entry)
    if (isSummary(entry)) sums.summary_sum = addSeq(sums.summary_sum, entry.seq)
  }
  for (const dropped of change.dropSnapshots ?? []) deleteSnapshot(connection, session, dropped, sums)
  for (const snapshot of advanced.snapshots) insertSnapshot(connection, session, snapshot, sums)
  if (isNamed) insertOperation(connection, session, head.counter, operation, committed, sums)
  else unnamed.add(id, operation.id, committed)
  updateSession(connection, id, session, head, sums, live && found && { head: found, sums: live })
  reader.remember(row, session, head)
  written.add(id, session, head, sums)
  unnamed.wrote(id, { session, isNew: live === undefined, head })
  return committed
}

/** `null` unless this connection knows the session. */
function appendToWritten(
  unnamed: UnnamedOperations,
  written: WrittenSessions,
  id: string,
  change: Change,
  now: number,
): Committed | null {
  const known = written.find(id)
  if (known === undefined || isExpired(known.head, now)) return null
  const { operation } = change
  const operationFound = unnamed.find(id, operation.id)
  const { snapshotNumber, holdsTurn } = noneFound
  const found = { head: known.head, operation: operationFound, snapshotNumber, staged: nothingStaged, holdsTurn }
  const advanced = advance(id, found, change, now)
  const { committed, head } = advanced
  if (head === null) return committed
  unnamed.add(id, operation.id, committed)
  written.moveOn(id, advanced.entries, head)
  unnamed.wrote(id, { session: known.session, isNew: false, head })
  return committed
}

const noneFound = foundHead(null)
const nothingStaged = () => 0

/** Whether a change that no caller named appends messages or records, and does nothing else. */
function isAppendAlone(change: Change): boolean {
  const { operation, append } = change
  if (operation.digest !== '' || append === undefined || append.some(isSummary)) return false
  for (const part in change) if (!partsOfAppend.has(part)) return false
  return true
}

/** `begin` says nothing about a session that exists. */
const partsOfAppend: ReadonlySet<string> = new Set<keyof Change>([
  'operation',
  'append',
  'ifVersion',
  'ifEpoch',
  'ttl',
  'begin',
])

/** `null`: they stay as they are. */
function aboutAfter(connection: Connection, id: string, live: SessionRow | undefined, { about }: Advanced) {
  const isUnchanged = Object.keys(about).length === 0
  if (isUnchanged) return null
  return { ...(live === undefined ? noAbout : readAbout(connection, id, live)), ...about }
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
