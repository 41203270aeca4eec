import type { EncodedEntry, StoredEntry } from '../../core/backend.ts'
import { entryFormats, isPlainMessage } from '../../core/seal-entry.ts'
import { boundBody } from './checksums.ts'
import type { Queries } from './queries.ts'
import { entryColumns } from './rows.ts'

const rowsAtOnce = 16
const into = `INSERT INTO entries (session, ${entryColumns}) VALUES`
const row = '(?, ?, ?, ?, ?, ?, ?)'
/** What is the same for every plain message need not be passed. */
const plainRow = `(?, ?, ?, 'message', ${entryFormats.plain}, ?, NULL)`
const insert = `${into} ${row}`
const insertMany = `${into} ${Array(rowsAtOnce).fill(row).join(', ')}`
const insertManyPlain = `${into} ${Array(rowsAtOnce).fill(plainRow).join(', ')}`

export function insertEntry(connection: Queries, session: number, entry: StoredEntry): void {
  connection.run(insert, ...valuesOf(session, entry))
  if (isSummary(entry)) connection.run('INSERT INTO summaries VALUES (?, ?)', session, entry.seq)
}

/** Entries with the numbers of their sessions; none is a summary. Many rows in one statement take less time than one by one. */
export function insertEntries(
  connection: Queries,
  entries: readonly (readonly [session: number, entry: StoredEntry])[],
): void {
  const many = entries.length - (entries.length % rowsAtOnce)
  for (let from = 0; from < many; from += rowsAtOnce) {
    const rows = entries.slice(from, from + rowsAtOnce)
    const isPlain = rows.every(([, entry]) => isPlainMessage(entry))
    const values: unknown[] = []
    for (const [session, entry] of rows) {
      if (isPlain) values.push(session, entry.seq, entry.at, boundBody(session, entry))
      else values.push(...valuesOf(session, entry))
    }
    connection.run(isPlain ? insertManyPlain : insertMany, values)
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
