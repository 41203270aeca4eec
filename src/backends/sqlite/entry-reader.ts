import type { Reading, StoredEntry } from '../../core/backend.ts'
import { MemoryLostError } from '../../core/errors.ts'
import { type ClosedRange, countEntries } from '../../core/path.ts'
import { entryFormats } from '../../core/seal-entry.ts'
import { slice, takeWithin } from '../../core/slice.ts'
import { boundBody } from './checksums.ts'
import type { Connection } from './connection.ts'
import { entryColumns, type SessionRow } from './rows.ts'
import { sumOfSummaries } from './summary-sum.ts'

const where = 'FROM entries WHERE session = ? AND seq BETWEEN ? AND ?'
/** Nearly all entries are messages without bytes, up to this size. */
const plain = `kind = 'message' AND format = ${entryFormats.plain} AND bytes IS NULL AND at >= 0 AND octet_length(body) <= ?`
const size = 'octet_length(body) + coalesce(octet_length(bytes), 0)'

interface Taken {
  readonly entries: StoredEntry[]
  /** Maximum number of entries. */
  readonly bytes: number
  readonly more: boolean
}

/** What the tables say of entries, within whatever transaction is open. */
export class EntryReader {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** The first entries of the ranges within the budget, or the last ones. */
  read(
    session: number,
    ranges: readonly ClosedRange[],
    { maxBytes, fromEnd }: { maxBytes: number; fromEnd: boolean },
  ): Pick<Reading, 'entries' | 'more'> {
    const light = Math.floor(maxBytes / 2 / Math.max(1, countEntries(ranges)))
    const parts: StoredEntry[][] = []
    let left = maxBytes
    let more = false
    for (const range of fromEnd ? [...ranges].reverse() : ranges) {
      const part = this.#readLight(session, range, light, left) ?? this.#readOneByOne(session, range, left, fromEnd)
      const isTooMuch = parts.length > 0 && part.bytes > left
      more = part.more || isTooMuch
      if (!isTooMuch && part.entries.length > 0) parts.push(part.entries)
      left -= part.bytes
      if (more) break
    }
    const all = ([] as StoredEntry[]).concat(...(fromEnd ? parts.reverse() : parts))
    return { entries: unbound(session, all), more }
  }

  /**
   * Column by column, which takes little more than half the time of rows, because every fetched value takes time. The first column holds the times of
   * plain entries and, below zero, the sizes of the others. `null` if some are missing, or if the range may be too large.
   */
  #readLight(session: number, [from, to]: ClosedRange, light: number, left: number): Taken | null {
    const marks = this.#connection.column<number>(
      `SELECT CASE WHEN ${plain} THEN at ELSE -(${size}) END ${where} ORDER BY seq`,
      light,
      session,
      from,
      to,
    )
    if (marks.length <= to - from) return null
    let bytes = 0
    let others = 0
    for (const mark of marks) {
      bytes += mark < 0 ? -mark : light
      if (mark < 0) others += 1
    }
    if (bytes > left) return null
    const bodies = this.#connection.column<string>(`SELECT body ${where} ORDER BY seq`, session, from, to)
    const entries: StoredEntry[] = bodies.map((body, index) => ({
      seq: from + index,
      at: marks[index] as number,
      kind: 'message',
      format: entryFormats.plain,
      body,
      bytes: null,
    }))
    if (others > 0) {
      const sql = `SELECT ${entryColumns} ${where} AND NOT (${plain})`
      for (const entry of this.#connection.all<StoredEntry>(sql, session, from, to, light)) {
        entries[entry.seq - from] = entry
      }
    }
    return { entries, bytes, more: false }
  }

  #readOneByOne(session: number, [from, to]: ClosedRange, left: number, fromEnd: boolean): Taken {
    const sql = `SELECT ${entryColumns} ${where} ORDER BY seq ${fromEnd ? 'DESC' : 'ASC'}`
    const { taken, bytes, more } = takeWithin(this.#connection.each<StoredEntry>(sql, session, from, to), left)
    return { entries: fromEnd ? taken.reverse() : taken, bytes, more }
  }

  /** Throws if the list of summaries, once it was read to its end, is not the one that the session's row tells of. */
  readSummaries(
    id: string,
    { session, summary_sum }: SessionRow,
    after: number,
    maxBytes: number | undefined,
  ): Pick<Reading, 'summaries' | 'summarySeqs' | 'more'> {
    const rows = this.#connection.each<{ wanted: number } & StoredEntry>(
      `SELECT summaries.seq AS wanted, entries.seq, at, kind, format, coalesce(body, '') AS body, bytes FROM summaries
       LEFT JOIN entries USING (session, seq) WHERE summaries.session = ? AND summaries.seq > ? ORDER BY summaries.seq LIMIT ?`,
      session,
      after,
      maxBytes === undefined ? -1 : slice.entries + 1,
    )
    const { taken, more } = takeWithin(rows, maxBytes ?? Number.POSITIVE_INFINITY)
    const isTooMany = maxBytes !== undefined && taken.length > slice.entries
    if (isTooMany) taken.pop()
    if (!more && !isTooMany && sumOfSummaries(this.#connection, session) !== summary_sum) {
      throw new MemoryLostError(id, [], 'the list of its summaries is damaged')
    }
    const found = taken.filter(({ seq }) => seq !== null).map(({ wanted, ...entry }) => entry)
    return {
      summaries: unbound(session, found),
      summarySeqs: taken.map(({ wanted }) => wanted),
      more: more || isTooMany,
    }
  }
}

/** The entries as they were given, from rows that nobody else has. */
function unbound(session: number, entries: StoredEntry[]): StoredEntry[] {
  for (const entry of entries) (entry as { body: string }).body = boundBody(session, entry)
  return entries
}
