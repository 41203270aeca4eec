import { createHash } from 'node:crypto'
import type { OperationRecord } from '../../core/backend.ts'
import type { ClosedRange } from '../../core/path.ts'
import type { Connection } from './connection.ts'
import { toOperation } from './rows.ts'

/** So long the operations of a session that is gone stay known, without its id and without content. */
const erasedOperationsKept = 24 * 60 * 60 * 1000

/** So many expired sessions are erased at a time. */
const expiredAtOnce = 100

/**
 * Unlinks a session: from here on it is gone for everyone. Its entries are under nobody's name until `reclaimSlice` removes them. Without
 * its row, as when that was lost, it goes by what the epochs tell. Returns whether there was anything.
 */
export function eraseSession(connection: Connection, id: string, known: number | undefined): boolean {
  const session = known ?? connection.get<{ session: number }>('SELECT session FROM epochs WHERE id = ?', id)?.session
  if (session === undefined) return false
  connection.run(
    'INSERT OR REPLACE INTO erased_operations SELECT ?, id, committed, ? FROM operations WHERE session = ?',
    hash(id),
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

/** An operation of an earlier session of the same id, in case it is tried again. */
export function erasedOperation(connection: Connection, id: string, operationId: string): OperationRecord | null {
  if (connection.get('SELECT 1 FROM erased_operations LIMIT 1') === undefined) return null
  const row = connection.get<{ digest: null; committed: string }>(
    'SELECT NULL AS digest, committed FROM erased_operations WHERE session_hash = ? AND id = ?',
    hash(id),
    operationId,
  )
  return row ? toOperation(id, row) : null
}

/** Removes at most `limit` entries of sessions that are gone, and returns how many; 0 when none are left. */
export function reclaimSlice(connection: Connection, scope: 'erased' | 'all', limit: number): number {
  connection.run('DELETE FROM erased_operations WHERE until <= ?', Date.now())
  let removed = 0
  while (removed < limit) {
    const gone = connection.get<{ session: number }>('SELECT session FROM sessions WHERE id IS NULL')
    if (gone !== undefined) removed += removeEntries(connection, gone.session, limit - removed)
    else if (scope === 'erased' || !eraseExpired(connection)) break
  }
  return removed
}

/** Deletes at most `limit` entries of a range, from its front. */
export function deleteEntries(connection: Connection, session: number, [from, to]: ClosedRange, limit: number): number {
  const found = connection.all<{ seq: number }>(
    'SELECT seq FROM entries WHERE session = ? AND seq BETWEEN ? AND ? ORDER BY seq LIMIT ?',
    session,
    from,
    to,
    limit,
  )
  const last = found.length < limit ? to : (found.at(-1)?.seq ?? to)
  connection.run('DELETE FROM summaries WHERE session = ? AND seq BETWEEN ? AND ?', session, from, last)
  return connection.run('DELETE FROM entries WHERE session = ? AND seq BETWEEN ? AND ?', session, from, last)
}

function removeEntries(connection: Connection, session: number, limit: number): number {
  const removed = deleteEntries(connection, session, [1, Number.MAX_SAFE_INTEGER], limit)
  if (removed < limit) connection.run('DELETE FROM sessions WHERE session = ?', session)
  return removed
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
