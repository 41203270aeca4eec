import type { EncodedEntry, StoredEntry } from '../../core/backend.ts'
import { boundBody } from './checksums.ts'
import type { Connection } from './connection.ts'
import { entryColumns } from './rows.ts'

export function insertEntry(connection: Connection, session: number, entry: StoredEntry): void {
  const { seq, at, kind, format, bytes } = entry
  connection.run(
    `INSERT INTO entries (session, ${entryColumns}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    session,
    seq,
    at,
    kind,
    format,
    boundBody(session, entry),
    bytes,
  )
  if (!isSummary(entry)) return
  connection.run('INSERT INTO summaries VALUES (?, ?)', session, seq)
}

export function isSummary({ kind }: EncodedEntry): boolean {
  return kind === 'summary' || kind === 'compaction'
}
