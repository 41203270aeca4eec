import { noAbout } from '../../core/advance.ts'
import type { SessionAbout } from '../../core/backend.ts'
import { MemoryLostError } from '../../core/errors.ts'
import { textFromJson, textToJson } from '../../core/text-json.ts'
import { type AboutColumns, aboutChecksum } from './checksums.ts'
import { disown, own } from './owner-rows.ts'
import type { Queries } from './queries.ts'
import type { SessionRow } from './rows.ts'

export interface AboutRow extends AboutColumns {
  readonly checksum: number
}

/** Owner, title and metadata of a session. Throws if they do not match its row. */
export function readAbout(
  connection: Queries,
  id: string,
  row: Pick<SessionRow, 'session' | 'about_sum'>,
): SessionAbout {
  if (row.about_sum === 0) return noAbout
  const found = findAbout(connection, row.session)
  if (found?.checksum !== row.about_sum || found.id !== id || !isSoundAbout(row.session, found)) {
    throw new MemoryLostError(id, [], 'its owner, title and metadata are damaged')
  }
  return { owner: found.owner, title: textFromJson(id, found.title), metadata: textFromJson(id, found.metadata) }
}

/** Returns what the session's row says about them. */
export function writeAbout(connection: Queries, id: string, session: number, about: SessionAbout): number {
  deleteAbout(connection, session)
  const { owner } = about
  const [title, metadata] = [textToJson(about.title), textToJson(about.metadata)]
  if (owner === null && title === null && metadata === null) return 0
  const checksum = aboutChecksum(session, { id, owner, title, metadata })
  connection.run('INSERT INTO about VALUES (?, ?, ?, ?, ?, ?)', session, id, owner, title, metadata, checksum)
  if (owner !== null) own(connection, owner, session)
  return checksum
}

export function deleteAbout(connection: Queries, session: number): void {
  const sql = 'DELETE FROM about WHERE session = ? RETURNING owner'
  const deleted = connection.get<{ owner: string | null }>(sql, session)
  if (deleted && deleted.owner !== null) disown(connection, deleted.owner, session)
}

export function findAbout(connection: Queries, session: number): AboutRow | undefined {
  return connection.get('SELECT id, owner, title, metadata, checksum FROM about WHERE session = ?', session)
}

export function isSoundAbout(session: number, row: AboutRow): boolean {
  return row.checksum === aboutChecksum(session, row)
}
