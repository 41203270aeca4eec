import { advance } from '../../core/advance.ts'
import type { Change, Committed } from '../../core/backend.ts'
import { pathToText } from '../../core/path-text.ts'
import { isExpired, type SessionHead } from '../../core/session-state.ts'
import type { Connection } from './connection.ts'
import { eraseSession } from './removal.ts'
import { entryColumns, fromHead, headColumns, toHead } from './rows.ts'
import type { SessionReader } from './session-reader.ts'

/** At least so many operations of a session are remembered; they are pruned every so often. */
const operationsKept = 256
const pruneEvery = 64

/** Applies a change within the transaction that is open, or throws before it has written anything. */
export function applyChange(connection: Connection, reader: SessionReader, id: string, change: Change): Committed {
  const now = Date.now()
  const row = reader.row(id)
  const head = row && !isExpired(toHead(row), now) ? toHead(row) : null
  const advanced = advance(
    id,
    {
      head,
      operation: reader.operation(id, row?.session, change.operation.id),
      snapshotNumber: (snapshotId) =>
        head === null
          ? undefined
          : connection.get<{ number: number }>(
              'SELECT number FROM snapshots WHERE session = ? AND id = ?',
              row?.session,
              snapshotId,
            )?.number,
    },
    change,
    now,
  )
  const { committed } = advanced
  if (advanced.head === null) return committed

  if (row !== undefined && head === null) eraseSession(connection, id, row.session)
  const session = writeHead(connection, id, head === null ? undefined : row?.session, advanced.head)
  for (const { number, path } of advanced.epochs) {
    connection.run('INSERT INTO epochs VALUES (?, ?, ?, ?)', id, number, session, pathToText(path))
  }
  for (const { seq, at, kind, format, body, bytes } of advanced.entries) {
    connection.run(
      `INSERT INTO entries (session, ${entryColumns}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
      session,
      seq,
      at,
      kind,
      format,
      body,
      bytes,
    )
    if (kind === 'summary' || kind === 'compaction') connection.run('INSERT INTO summaries VALUES (?, ?)', session, seq)
  }
  for (const dropped of change.dropSnapshots ?? []) {
    connection.run('DELETE FROM snapshots WHERE session = ? AND id = ?', session, dropped)
  }
  for (const snapshot of advanced.snapshots) {
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
  remember(connection, session, advanced.head.counter, change.operation, committed)
  return committed
}

function writeHead(connection: Connection, id: string, session: number | undefined, head: SessionHead): number {
  if (session === undefined) {
    return connection.insert(
      `INSERT INTO sessions (id, ${headColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      ...fromHead(head),
    )
  }
  connection.run(
    `UPDATE sessions SET (${headColumns}) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE session = ?`,
    ...fromHead(head),
    session,
  )
  return session
}

function remember(
  connection: Connection,
  session: number,
  number: number,
  operation: Change['operation'],
  committed: Committed,
): void {
  const { id, digest } = operation
  connection.run(
    'INSERT INTO operations VALUES (?, ?, ?, ?, ?)',
    session,
    id,
    number,
    digest,
    JSON.stringify(committed),
  )
  if (number % pruneEvery === 0) {
    connection.run('DELETE FROM operations WHERE session = ? AND number <= ?', session, number - operationsKept)
  }
}
