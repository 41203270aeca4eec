import type { Usage } from '../../core/backend.ts'
import type { ClosedRange } from '../../core/path.ts'
import type { Connection } from './connection.ts'

const usage =
  'count(*) AS entries, coalesce(sum(octet_length(body) + coalesce(octet_length(bytes), 0)), 0) AS bytes FROM entries'

export function measureRanges(connection: Connection, session: number, ranges: readonly ClosedRange[]): Usage {
  return ranges
    .map(([from, to]) =>
      measured(connection, `SELECT ${usage} WHERE session = ? AND seq BETWEEN ? AND ?`, session, from, to),
    )
    .reduce((sum, one) => ({ entries: sum.entries + one.entries, bytes: sum.bytes + one.bytes }), {
      entries: 0,
      bytes: 0,
    })
}

/** What is left of erased sessions, and what expired ones hold. */
export function measureGone(connection: Connection): Usage {
  const gone = 'SELECT session FROM sessions WHERE id IS NULL OR expires_at <= ?'
  return measured(connection, `SELECT ${usage} WHERE session IN (${gone})`, Date.now())
}

function measured(connection: Connection, sql: string, ...parameters: readonly number[]): Usage {
  return connection.get<Usage>(sql, ...parameters) ?? { entries: 0, bytes: 0 }
}
