import { randomBytes } from 'node:crypto'

/**
 * What ties a log (`-wal`) to the file that it continues. Every log begins with a transaction of its own that writes the next mark, and two
 * tables take turns at it. So the newest mark is the one in the log, and the one before it is read from the file itself: they follow one
 * another unless the file is not the one that the log was written for.
 */
export interface LogMark {
  readonly number: number
  /** Begins with six digits that all marks of a file have in common. */
  readonly token: string
  /** The token of the mark before. */
  readonly after: string
}

/** The newest mark first. */
export type LogMarks = readonly [LogMark, LogMark]

const shape = /^(\d{10}) ([0-9a-f]{22}) ([0-9a-f]{22})$/
/** Of one row with one text of 56 bytes: the size of its record, its row id, the size of its header, its type. */
const cellStart = Buffer.from([58, 1, 2, 125])

export const selectMarks = 'SELECT mark FROM odd_marks UNION ALL SELECT mark FROM even_marks'

export function toMarks(rows: readonly { mark: unknown }[]): LogMarks | null {
  const [one, other] = rows.map(({ mark }) => parse(String(mark)))
  if (!one || !other) return null
  return one.number > other.number ? [one, other] : [other, one]
}

/** The mark that a log begins with when `last` is the newest one. */
export function nextMark({ number, token }: LogMark): LogMark {
  return { number: number + 1, token: `${token.slice(0, 6)}${randomBytes(8).toString('hex')}`, after: token }
}

/** The statement that writes a mark, and its parameter. */
export function updateMark({ number, token, after }: LogMark): [sql: string, mark: string] {
  const table = number % 2 === 0 ? 'even_marks' : 'odd_marks'
  return [`UPDATE ${table} SET mark = ?`, `${String(number).padStart(10, '0')} ${token} ${after}`]
}

/** The mark on a page as it is stored, if that is all there is on it. */
export function markOnPage(page: Buffer): LogMark | null {
  const isLeafOfOneRow = page[0] === 0x0d && page.readUInt16BE(3) === 1
  const start = page.readUInt16BE(5)
  if (!isLeafOfOneRow || !page.subarray(start, start + 4).equals(cellStart)) return null
  return parse(page.toString('latin1', start + 4, start + 60))
}

/**
 * Whether a log that begins with `mark` continues the file in which these marks are read, the log included. A reader can keep SQLite from
 * restarting the log at the last moment. The next mark then stands in the middle of the old log, both tables are read from the log, and the log
 * is trusted as one without a mark is.
 */
export function continues(mark: LogMark, marks: LogMarks | null): boolean {
  if (marks === null) return false
  const [newest, before] = marks
  const isNotReadYet = newest.token === mark.after
  const isRead = newest.token === mark.token || newest.number > mark.number
  return isNotReadYet || (isRead && newest.after === before.token)
}

/** Whether `now` can be read in the file in which `earlier` was. */
export function isLater(now: LogMark, earlier: LogMark): boolean {
  if (now.number === earlier.number) return now.token === earlier.token
  return now.number > earlier.number && now.token.slice(0, 6) === earlier.token.slice(0, 6)
}

function parse(text: string): LogMark | null {
  const [, number, token, after] = shape.exec(text) ?? []
  return token === undefined || after === undefined ? null : { number: Number(number), token, after }
}
