import type { EncodedEntry, StoredEntry } from '../../core/backend.ts'
import { boundBody } from './checksums.ts'
import type { Queries } from './queries.ts'
import { entryColumns } from './rows.ts'

const row = '(?, ?, ?, ?, ?, ?, ?)'
const rowsAtOnce = 16
const insert = `INSERT INTO entries (session, ${entryColumns}) VALUES ${row}`
const insertMany = `${insert}${`, ${row}`.repeat(rowsAtOnce - 1)}`

export function insertEntry(connection: Queries, session: number, entry: StoredEntry): void {
  connection.run(insert, ...valuesOf(session, entry))
  if (isSummary(entry)) connection.run('INSERT INTO summaries VALUES (?, ?)', session, entry.seq)
}

/** Entries with the numbers of their sessions; none is a summary. Many rows in one statement take less time than one by one. */
export function insertEntries(
  connection: Queries,
  entries: readonly (readonly [session: number, StoredEntry])[],
): void {
  const many = entries.length - (entries.length % rowsAtOnce)
  for (let from = 0; from < many; from += rowsAtOnce) {
    const values: unknown[] = []
    for (let index = from; index < from + rowsAtOnce; index++) {
      const [session, entry] = entries[index] as (typeof entries)[number]
      values.push(...valuesOf(session, entry))
    }
    connection.run(insertMany, values)
  }
  for (const [session, entry] of entries.slice(many)) connection.run(insert, ...valuesOf(session, entry))
}

function valuesOf(session: number, entry: StoredEntry): unknown[] {
  const { seq, at, kind, format, bytes } = entry
  return [session, seq, at, kind, format, boundBody(session, entry), bytes]
}

export function isSummary({ kind }: EncodedEntry): boolean {
  return kind === 'summary' || kind === 'compaction'
}
