import type { Damage } from '../../core/backend.ts'
import { ownerChecksum } from './checksums.ts'
import type { Queries } from './queries.ts'

/** How many sessions an owner has, and the sum of their numbers. */
interface Owned {
  readonly sessions: number
  readonly session_sum: number
}

const none: Owned = { sessions: 0, session_sum: 0 }

export function own(connection: Queries, owner: string, session: number): void {
  const { sessions, session_sum } = find(connection, owner) ?? none
  save(connection, owner, { sessions: sessions + 1, session_sum: session_sum + session })
}

export function disown(connection: Queries, owner: string, session: number): void {
  const { sessions, session_sum } = find(connection, owner) ?? none
  if (sessions > 1) save(connection, owner, { sessions: sessions - 1, session_sum: session_sum - session })
  else connection.run('DELETE FROM owners WHERE owner = ?', owner)
}

/**
 * Where to look for the sessions of an owner: in the index, unless it leaves one out or has one too many; then in the whole table, which takes
 * longer. `null` if neither is what it must be.
 */
export function whereOwned(connection: Queries, owner: string): string | null {
  const told = find(connection, owner)
  const inIndex = count(connection, byIndex, owner)
  if (isSame(told ?? none, inIndex)) return byIndex
  const inTable = count(connection, byTable, owner)
  return isSame(told ?? none, inTable) || isSame(inIndex, inTable) ? byTable : null
}

/** Lists of owners that have lost a session or have one too many. */
export function damagedOwners(connection: Queries): Damage[] {
  const damaged = connection.all(
    `SELECT 1 FROM (SELECT owner, count(*) AS sessions, sum(session) AS session_sum FROM about WHERE owner IS NOT NULL GROUP BY owner) AS found
     FULL JOIN owners USING (owner) WHERE (found.sessions, found.session_sum) IS NOT (owners.sessions, owners.session_sum)`,
  )
  return damaged.map(() => ({ session: null, seqs: [], reason: 'the session list of an owner is damaged' }))
}

const byIndex = 'about INDEXED BY about_by_owner'
const byTable = 'about NOT INDEXED'

function count(connection: Queries, from: string, owner: string): Owned {
  const sql = `SELECT count(*) AS sessions, coalesce(sum(session), 0) AS session_sum FROM ${from} WHERE owner = ?`
  return connection.get<Owned>(sql, owner) ?? none
}

function find(connection: Queries, owner: string): Owned | undefined {
  const row = connection.get<Owned & { checksum: number }>(
    'SELECT sessions, session_sum, checksum FROM owners WHERE owner = ?',
    owner,
  )
  return row?.checksum === (row && ownerChecksum(owner, row.sessions, row.session_sum)) ? row : undefined
}

function save(connection: Queries, owner: string, { sessions, session_sum }: Owned): void {
  const checksum = ownerChecksum(owner, sessions, session_sum)
  connection.run('INSERT OR REPLACE INTO owners VALUES (?, ?, ?, ?)', owner, sessions, session_sum, checksum)
}

function isSame(one: Owned, other: Owned): boolean {
  return one.sessions === other.sessions && one.session_sum === other.session_sum
}
