import type { StagedEntry } from '../../core/backend.ts'
import { stagedFor } from '../../core/operation.ts'
import type { Connection } from './connection.ts'
import { insertEntry } from './insert-entry.ts'
import { insertNobody } from './session-row.ts'
import { sumOfSummaries } from './summary-sum.ts'

/** Writes a slice of a copy. Slices ascend, so what does not come after the last entry is there already. */
export function stageEntries(connection: Connection, copy: string, entries: readonly StagedEntry[]): void {
  const now = Date.now()
  const session = find(connection, copy)?.session ?? begin(connection, copy)
  const [last] = connection.column<number | null>('SELECT max(seq) FROM entries WHERE session = ?', session)
  const fresh = entries.filter(({ seq }) => seq > (last ?? 0))
  for (const entry of fresh) insertEntry(connection, session, { ...entry, at: entry.at ?? now })
  connection.run(
    'UPDATE staged SET entries = entries + ?, written_at = ? WHERE session = ?',
    fresh.length,
    now,
    session,
  )
}

export function stagedEntries(connection: Connection, copy: string): number {
  return find(connection, copy)?.entries ?? 0
}

/** Gives the copy a session's id, and returns its number and the sum of its summaries. The head is written later. */
export function publishStaged(
  connection: Connection,
  id: string,
  copy: string,
): { session: number; summaries: number } {
  const { session } = find(connection, copy) as { session: number }
  connection.run('DELETE FROM staged WHERE session = ?', session)
  connection.run('UPDATE sessions SET id = ? WHERE session = ?', id, session)
  return { session, summaries: sumOfSummaries(connection, session) }
}

/** Without its mark, it is an erased session like any other. */
export function unstage(connection: Connection, copy: string): boolean {
  return connection.run('DELETE FROM staged WHERE copy = ?', copy) > 0
}

/** Gives up abandoned copies. */
export function unstageLate(connection: Connection): void {
  connection.run('DELETE FROM staged WHERE written_at <= ?', Date.now() - stagedFor)
}

function find(connection: Connection, copy: string): { session: number; entries: number } | undefined {
  return connection.get('SELECT session, entries FROM staged WHERE copy = ?', copy)
}

function begin(connection: Connection, copy: string): number {
  const session = insertNobody(connection)
  connection.run('INSERT INTO staged VALUES (?, ?, 0, 0)', session, copy)
  return session
}
