import { createHash } from 'node:crypto'
import type { OperationRecord, Reclaimed } from '../../core/backend.ts'
import { erasedOperationsKept, erasure, shortDigest } from '../../core/operation.ts'
import type { ClosedRange } from '../../core/path.ts'
import type { Connection } from './connection.ts'
import { toOperation } from './rows.ts'

/** So many expired sessions are erased at a time. */
const expiredAtOnce = 20

/** So much is removed in one transaction, so that nobody waits long for the lock or the event loop. */
const slice = { entries: 1000, bytes: 4_000_000 }

/**
 * Unlinks a session: from here on it is gone for everyone. Its entries are under nobody's name until `reclaimSlice` removes them. Without
 * its row, as when that was lost, it goes by what the epochs tell. Returns whether there was anything.
 */
export function eraseSession(connection: Connection, id: string, known: number | undefined): boolean {
  const session = known ?? connection.get<{ session: number }>('SELECT session FROM epochs WHERE id = ?', id)?.session
  if (session === undefined) return false
  connection.run(
    'INSERT OR REPLACE INTO erased_operations SELECT ?, id, substr(digest, 1, ?), committed, ? FROM operations WHERE session = ?',
    hash(id),
    shortDigest,
    Date.now() + erasedOperationsKept,
    session,
  )
  connection.run('DELETE FROM operations WHERE session = ?', session)
  connection.run('DELETE FROM snapshots WHERE session = ?', session)
  connection.run('DELETE FROM epochs WHERE id = ?', id)
  connection.run(
    `INSERT INTO sessions VALUES (?, NULL, '', 0, '', 0, '', 0, 0, 0, NULL, 0, NULL)
     ON CONFLICT DO UPDATE SET id = NULL, expires_at = NULL`,
    session,
  )
  return true
}

/** Erasing a session is an operation too. */
export function rememberErasure(connection: Connection, id: string, operationId: string): void {
  const { digest, committed } = erasure()
  const until = Date.now() + erasedOperationsKept
  connection.run(
    'INSERT INTO erased_operations VALUES (?, ?, ?, ?, ?)',
    hash(id),
    operationId,
    digest,
    JSON.stringify(committed),
    until,
  )
}

/** An operation of an earlier session of the same id, in case it is tried again. */
export function erasedOperation(connection: Connection, id: string, operationId: string): OperationRecord | null {
  if (connection.get('SELECT 1 FROM erased_operations LIMIT 1') === undefined) return null
  const row = connection.get<{ digest: string; committed: string }>(
    'SELECT digest, committed FROM erased_operations WHERE session_hash = ? AND id = ?',
    hash(id),
    operationId,
  )
  return row ? toOperation(id, row) : null
}

/** Removes a slice of what sessions that are gone have left. */
export function reclaimSlice(connection: Connection, scope: 'erased' | 'all'): Reclaimed {
  connection.run('DELETE FROM erased_operations WHERE until <= ?', Date.now())
  const gone = connection.get<{ session: number }>('SELECT session FROM sessions WHERE id IS NULL')
  if (gone === undefined) return { entries: 0, done: scope === 'erased' || !eraseExpired(connection) }
  const { entries, done } = deleteEntries(connection, gone.session, [1, Number.MAX_SAFE_INTEGER], slice.entries)
  if (done) connection.run('DELETE FROM sessions WHERE session = ?', gone.session)
  return { entries, done: false }
}

/** Deletes entries of a range from its front, at most `limit` and not too many bytes; `done` if none of the range is left. */
export function deleteEntries(
  connection: Connection,
  session: number,
  [from, to]: ClosedRange,
  limit: number,
): Reclaimed {
  const found = connection.all<{ seq: number; bytes: number }>(
    `SELECT seq, octet_length(body) + coalesce(octet_length(bytes), 0) AS bytes FROM entries
     WHERE session = ? AND seq BETWEEN ? AND ? ORDER BY seq LIMIT ?`,
    session,
    from,
    to,
    limit,
  )
  let bytes = 0
  const last = found.find((entry) => {
    bytes += entry.bytes
    return bytes > slice.bytes
  })
  const end = last?.seq ?? (found.length < limit ? to : (found.at(-1)?.seq ?? to))
  connection.run('DELETE FROM summaries WHERE session = ? AND seq BETWEEN ? AND ?', session, from, end)
  const entries = connection.run('DELETE FROM entries WHERE session = ? AND seq BETWEEN ? AND ?', session, from, end)
  return { entries, done: end === to }
}

function eraseExpired(connection: Connection): boolean {
  const expired = connection.all<{ id: string; session: number }>(
    'SELECT id, session FROM sessions WHERE expires_at <= ? LIMIT ?',
    Date.now(),
    expiredAtOnce,
  )
  for (const { id, session } of expired) eraseSession(connection, id, session)
  return expired.length > 0
}

function hash(id: string): Uint8Array {
  return createHash('sha256').update(id).digest().subarray(0, 16)
}
