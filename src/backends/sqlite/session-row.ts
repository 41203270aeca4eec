import { MemoryLostError } from '../../core/errors.ts'
import { isExpired, type SessionHead } from '../../core/session-state.ts'
import { sessionChecksum } from './checksums.ts'
import type { ListSums } from './list-sums.ts'
import type { Queries } from './queries.ts'
import { nobodyValues, type SessionRow, sessionColumns, sessionPlaces, sessionValues, toHead } from './rows.ts'

const excluded = sessionColumns.replaceAll(/\w+/g, 'excluded.$&')

/** The row of a session, even if expired. Throws if it changed since it was written, or if it is missing although it must exist. */
export function findSession(connection: Queries, id: string): SessionRow | undefined {
  const row = connection.get<SessionRow>(`SELECT session, ${sessionColumns} FROM sessions WHERE id = ?`, id)
  if (row === undefined) requireNothingLeft(connection, id)
  else if (row.checksum !== sessionChecksum(id, row.session, toHead(row), row))
    throw new MemoryLostError(id, [], 'its state is damaged')
  return row
}

/** The row of a session unless it has expired. Throws if it is not the newest one that was written. */
export function findLiveSession(connection: Queries, id: string): SessionRow | undefined {
  const row = findSession(connection, id)
  if (row === undefined || isExpired(toHead(row), Date.now())) return undefined
  requireNewest(connection, id, row)
  return row
}

/** Throws if the state was set back to an earlier one: it says less than there is. */
export function requireNewest(connection: Queries, id: string, { session, end, epoch }: SessionRow): void {
  const last = connection.get<{ seq: number | null; epoch: number | null }>(
    `SELECT (SELECT max(seq) FROM entries WHERE session = ?) AS seq, (SELECT max(number) FROM epochs WHERE id = ?) AS epoch`,
    session,
    id,
  )
  const { seq, epoch: number } = { seq: last?.seq ?? 0, epoch: last?.epoch ?? 0 }
  if (seq > end) {
    const seqs = Array.from({ length: Math.min(seq - end, 1000) }, (_, index) => end + 1 + index)
    throw new MemoryLostError(id, seqs, `its log continues after entry ${end}, which is the last one in its state`)
  }
  if (number > epoch) {
    throw new MemoryLostError(id, [], `there is an epoch ${number}, but ${epoch} is the last one in its state`)
  }
}

/** A session that has a number and nothing else yet. */
export function insertNobody(connection: Queries): number {
  const session = connection.insert(
    `INSERT INTO sessions (${sessionColumns}) VALUES (${sessionPlaces})`,
    ...nobodyValues(0),
  )
  makeNobody(connection, session)
  return session
}

/** Clears everything but the number of a session; if its row was lost, it gets a new one. */
export function makeNobody(connection: Queries, session: number): void {
  connection.run(
    `INSERT INTO sessions (session, ${sessionColumns}) VALUES (?, ${sessionPlaces})
     ON CONFLICT (session) DO UPDATE SET (id, ${sessionColumns}) = (NULL, ${excluded})`,
    session,
    ...nobodyValues(session),
  )
}

/** `before`: what the row says. An append changes little of it. Returns the number of rows that there were. */
export function updateSession(
  connection: Queries,
  id: string,
  session: number,
  head: SessionHead,
  sums: ListSums,
  before: { readonly head: SessionHead; readonly sums: ListSums } | undefined,
): number {
  if (before !== undefined && isAppend(before.head, head) && isSameSums(before.sums, sums)) {
    const { counter, nonce, end, updatedAt } = head
    const checksum = sessionChecksum(id, session, head, sums)
    return connection.run(
      'UPDATE sessions SET counter = ?, nonce = ?, end = ?, updated_at = ?, checksum = ? WHERE session = ?',
      counter,
      nonce,
      end,
      updatedAt,
      checksum,
      session,
    )
  }
  return connection.run(
    `UPDATE sessions SET (${sessionColumns}) = (${sessionPlaces}) WHERE session = ?`,
    ...sessionValues(id, session, head, sums),
    session,
  )
}

function isAppend(before: SessionHead, head: SessionHead): boolean {
  return (
    before.epoch === head.epoch &&
    before.ttl === head.ttl &&
    before.expiresAt === head.expiresAt &&
    before.ownTtl === head.ownTtl
  )
}

function isSameSums(before: ListSums, sums: ListSums): boolean {
  return (
    before === sums ||
    (before.summary_sum === sums.summary_sum &&
      before.snapshot_sum === sums.snapshot_sum &&
      before.operation_sum === sums.operation_sum &&
      before.about_sum === sums.about_sum)
  )
}

/** No row, but epochs: the session's state was lost. */
function requireNothingLeft(connection: Queries, id: string): void {
  const left = connection.get<{ session: number }>('SELECT session FROM epochs WHERE id = ?', id)
  if (left === undefined) return
  const seqs = connection.column<number>('SELECT seq FROM entries WHERE session = ?', left.session)
  throw new MemoryLostError(id, seqs, 'its state is missing, but entries remain')
}
