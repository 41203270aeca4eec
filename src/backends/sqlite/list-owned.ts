import type { ListedPage, ListedSession } from '../../core/backend.ts'
import { MemoryLostError } from '../../core/errors.ts'
import { type OwnerCursor, ownerCursorToText } from '../../core/owner-page.ts'
import { findAbout, isSoundAbout } from './about-rows.ts'
import { sessionChecksum } from './checksums.ts'
import type { Connection } from './connection.ts'
import { whereOwned } from './owner-rows.ts'
import { type SessionRow, sessionColumns, toHead } from './rows.ts'
import type { SessionReader } from './session-reader.ts'

/** In a damaged row, both can be anything. The id comes from the row that has to be read anyway. */
const id = "CASE WHEN typeof(sessions.id) = 'text' THEN sessions.id ELSE about.id END"
const updatedAt = `CASE WHEN typeof(updated_at) = 'integer' AND updated_at BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER} THEN updated_at ELSE 0 END`

/**
 * A page of the sessions of an owner, the last written first. The order needs only two values of each session; everything else is read and checked
 * of those on the page. Expiry is checked only after the row was found to be sound.
 */
export function listOwned(
  connection: Connection,
  reader: SessionReader,
  owner: string,
  cursor: OwnerCursor | null,
  limit: number,
): ListedPage {
  const from = whereOwned(connection, owner)
  if (from === null) throw new MemoryLostError('', [], 'the session list of an owner is damaged')
  const sessions: ListedSession[] = []
  let after = cursor
  for (;;) {
    const wanted = limit - sessions.length
    const found: (OwnerCursor & { session: number })[] = connection.all(
      `SELECT * FROM (SELECT about.session, ${id} AS id, ${updatedAt} AS updatedAt FROM ${from} LEFT JOIN sessions USING (session) WHERE owner = ?)
       WHERE ? OR updatedAt < ? OR (updatedAt = ? AND id > ?) ORDER BY updatedAt DESC, id LIMIT ?`,
      owner,
      after === null ? 1 : 0,
      after?.updatedAt ?? 0,
      after?.updatedAt ?? 0,
      after?.id ?? '',
      wanted + 1,
    )
    const page = found.slice(0, wanted)
    for (const { session } of page) {
      const listed = listedOf(connection, reader, owner, session)
      if (listed !== undefined) sessions.push(listed)
    }
    after = page.at(-1) ?? null
    if (found.length <= wanted || after === null) return { sessions, cursor: null }
    if (sessions.length >= limit) return { sessions, cursor: ownerCursorToText(after) }
  }
}

/** `undefined`: it has expired. */
function listedOf(
  connection: Connection,
  reader: SessionReader,
  owner: string,
  session: number,
): ListedSession | undefined {
  const about = findAbout(connection, session)
  if (about === undefined || !isSoundAbout(session, about) || about.owner !== owner) {
    return { id: idOf(connection, session), state: null, about: null }
  }
  const { id } = about
  const listed = reader.listed(id)
  const isThis = listed === undefined ? reader.row(id)?.session === session : listed.state?.log === `${session}`
  return isThis ? listed : { id, state: null, about: null }
}

/** The id of a session that is known by its number alone. */
function idOf(connection: Connection, session: number): string {
  const row = connection.get<SessionRow & { id: string }>(
    `SELECT session, id, ${sessionColumns} FROM sessions WHERE session = ?`,
    session,
  )
  if (row === undefined || row.checksum !== sessionChecksum(row.id, session, toHead(row), row)) {
    throw new MemoryLostError('', [], 'a session of an owner is damaged')
  }
  return row.id
}
