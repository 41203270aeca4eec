import type { Usage } from '../../core/backend.ts'
import { stagedFor } from '../../core/operation.ts'
import type { ClosedRange } from '../../core/path.ts'
import type { Connection } from './connection.ts'
import { erasedSessions } from './removal.ts'

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

/** What is left of erased sessions and of copies that were given up, and what expired sessions hold. */
export function measureGone(connection: Connection): Usage {
  const expired = 'SELECT session FROM sessions WHERE expires_at <= ?'
  const late = 'SELECT session FROM staged WHERE written_at <= ?'
  const gone = `${erasedSessions} UNION ALL ${expired} UNION ALL ${late}`
  return measured(connection, `SELECT ${usage} WHERE session IN (${gone})`, Date.now(), Date.now() - stagedFor)
}

function measured(connection: Connection, sql: string, ...parameters: readonly number[]): Usage {
  return connection.get<Usage>(sql, ...parameters) ?? { entries: 0, bytes: 0 }
}
