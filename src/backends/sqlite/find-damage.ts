import type { Damage } from '../../core/backend.ts'
import type { Connection } from './connection.ts'
import { damagedOwners } from './owner-rows.ts'
import { isCorrupt } from './sqlite-error.ts'

/** Checks the file as a whole: entries that belong to no session, lists of owners, and what SQLite says about its structure. */
export function findDamage(connection: Connection, structure: readonly string[]): Damage[] {
  const broken = structure.filter((reason) => reason !== 'ok').map(ofFile)
  try {
    return [...broken, ...entriesOfNobody(connection), ...damagedOwners(connection)]
  } catch (error) {
    if (!isCorrupt(error)) throw error
    return [...broken, ofFile((error as Error).message)]
  }
}

function ofFile(reason: string): Damage {
  return { session: null, seqs: [], reason: `the file is damaged: ${reason}` }
}

function entriesOfNobody(connection: Connection): Damage[] {
  const damage: Damage[] = []
  let session = nextWithEntries(connection, 0)
  while (session !== null) {
    if (!isKnown(connection, session)) {
      const seqs = connection
        .all<{ seq: number }>('SELECT seq FROM entries WHERE session = ?', session)
        .map(({ seq }) => seq)
      damage.push({ session: null, seqs, reason: `${seqs.length} entries belong to no session` })
    }
    session = nextWithEntries(connection, session)
  }
  return damage
}

function nextWithEntries(connection: Connection, after: number): number | null {
  const row = connection.get<{ session: number | null }>(
    'SELECT min(session) AS session FROM entries WHERE session > ?',
    after,
  )
  return row?.session ?? null
}

function isKnown(connection: Connection, session: number): boolean {
  return (
    connection.get('SELECT 1 FROM sessions WHERE session = ?', session) !== undefined ||
    connection.get('SELECT 1 FROM epochs WHERE session = ?', session) !== undefined
  )
}
