import { sessionChecksum, snapshotChecksum } from './checksums.ts'
import { checkEpochs } from './epoch-rows.ts'
import { type ErasedOperation, put } from './erased-operations.ts'
import { withMark } from './list-sum.ts'
import type { Queries } from './queries.ts'
import { type SessionRow, type SnapshotRow, sessionColumns, toHead } from './rows.ts'
import { makeNobody } from './session-row.ts'
import { sumOfSummaries } from './summary-sum.ts'

const sessionsPerSlice = 1000

/** Adds checksums to rows written by 0.1, except entries and operations, of which there may be very many. */
export function addChecksums(connection: Queries): void {
  for (let last = 0; ; ) {
    const rows = connection.all<SessionRow & { id: string | null }>(
      `SELECT session, id, ${sessionColumns} FROM sessions WHERE session > ? ORDER BY session LIMIT ?`,
      last,
      sessionsPerSlice,
    )
    for (const { id, ...row } of rows) {
      if (id === null) makeNobody(connection, row.session)
      else checkSession(connection, id, row)
    }
    const end = rows.at(-1)
    if (end === undefined) break
    last = end.session
  }
  checkErased(connection)
}

function checkSession(connection: Queries, id: string, before: SessionRow): void {
  const { session, counter } = before
  const row = {
    ...before,
    summary_sum: sumOfSummaries(connection, session),
    snapshot_sum: checkSnapshots(connection, session),
    unchecked_operations: counter,
  }
  checkEpochs(connection, id)
  connection.run(
    'UPDATE sessions SET summary_sum = ?, snapshot_sum = ?, unchecked_operations = ?, checksum = ? WHERE session = ?',
    row.summary_sum,
    row.snapshot_sum,
    row.unchecked_operations,
    sessionChecksum(id, session, toHead(row), row),
    session,
  )
}

function checkSnapshots(connection: Queries, session: number): number {
  let sum = 0
  for (const row of connection.all<SnapshotRow>('SELECT * FROM snapshots WHERE session = ?', session)) {
    const checksum = snapshotChecksum(session, row)
    connection.run('UPDATE snapshots SET checksum = ? WHERE session = ? AND id = ?', checksum, session, row.id)
    sum = withMark(sum, checksum)
  }
  return sum
}

function checkErased(connection: Queries): void {
  const keys = connection.column<Buffer>('SELECT DISTINCT session_hash FROM erased_operations')
  for (const key of keys) {
    const operations = connection.all<ErasedOperation>(
      'SELECT id, digest, committed, until FROM erased_operations WHERE session_hash = ?',
      key,
    )
    connection.run('DELETE FROM erased_operations WHERE session_hash = ?', key)
    put(connection, key, operations)
  }
}
