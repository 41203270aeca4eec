import type { Drop, Reclaimed, ReclaimScope } from '../../core/backend.ts'
import { MemoryLostError } from '../../core/errors.ts'
import { expiredKept, stagedFor } from '../../core/operation.ts'
import type { ClosedRange } from '../../core/path.ts'
import { isExpired } from '../../core/session-state.ts'
import { slice } from '../../core/slice.ts'
import { deleteAbout } from './about-rows.ts'
import type { Connection } from './connection.ts'
import { sessionOfEpochs } from './epoch-rows.ts'
import { buryOperations, forgetErased } from './erased-operations.ts'
import { isNobody, type SessionRow, toHead } from './rows.ts'
import { findSession, makeNobody, updateSession } from './session-row.ts'
import { unstageLate } from './staging.ts'
import { subtractSeq } from './summary-sum.ts'
import { forgetTurns } from './turns.ts'

const maxExpiredPerTransaction = 20

/** Of ended sessions and their operations, in addition to a slice of entries. */
const maxPerTransaction = { sessions: 200, operations: 1000 }

/** Staged sessions have no id either, but a mark. */
export const erasedSessions =
  'SELECT session FROM sessions WHERE id IS NULL AND NOT EXISTS (SELECT 1 FROM staged WHERE staged.session = sessions.session)'

/**
 * Unlinks a session: from here on it is gone for everyone. Its entries belong to no session until `reclaimSlice` removes them. Without
 * its row, such as when it was lost, the epochs identify it. Returns whether there was anything.
 */
export function eraseSession(connection: Connection, id: string, known: number | undefined): boolean {
  const session = known ?? sessionOfEpochs(connection, id)
  if (session === undefined) return false
  buryOperations(connection, id, session)
  connection.run('DELETE FROM snapshots WHERE session = ?', session)
  connection.run('DELETE FROM epochs WHERE id = ?', id)
  deleteAbout(connection, session)
  makeNobody(connection, session)
  return true
}

/** Whether there is anything for `reclaimSlice` to remove, found without writing. */
export function hasOutdated(connection: Connection): boolean {
  const now = Date.now()
  const found = connection.get<{ found: number }>(
    `SELECT EXISTS (SELECT 1 FROM sessions WHERE expires_at <= ?) OR EXISTS (${erasedSessions})
     OR EXISTS (SELECT 1 FROM staged WHERE written_at <= ?) OR EXISTS (SELECT 1 FROM erased_operations WHERE until <= ?)
     OR EXISTS (SELECT 1 FROM turns WHERE until <= ?) AS found`,
    now - expiredKept,
    now - stagedFor,
    now,
    now,
  )
  return found?.found !== 0
}

/** Removes a slice, or part of one, of what ended sessions have left. */
export function reclaimSlice(
  connection: Connection,
  expired: ExpiredSessions,
  scope: ReclaimScope,
  part: number,
): Reclaimed {
  unstageLate(connection)
  forgetTurns(connection)
  const { entries, done } = deleteErased(connection, part)
  if (!done || !forgetErased(connection, maxPerTransaction.operations)) return { entries, done: false }
  if (scope === 'erased') return { entries, done: true }
  return { entries, done: expired.erase(connection, scope) }
}

/** Deletes what erased sessions have left, many small ones at a time. */
function deleteErased(connection: Connection, part: number): Reclaimed {
  const most = { entries: Math.ceil(slice.entries * part), bytes: slice.bytes * part }
  const found = connection.all<{ session: number; checksum: number | null }>(
    `SELECT session, checksum FROM sessions WHERE session IN (${erasedSessions}) LIMIT ?`,
    maxPerTransaction.sessions,
  )
  const erased = found.filter(isNobody).map(({ session }) => session)
  let entries = 0
  let bytes = 0
  for (const session of erased) {
    if (entries >= most.entries || bytes >= most.bytes) return { entries, done: false }
    const left = { entries: most.entries - entries, bytes: most.bytes - bytes }
    const deleted = deleteEntries(connection, session, [1, Number.MAX_SAFE_INTEGER], left)
    entries += deleted.entries
    bytes += deleted.bytes
    if (!deleted.done) return { entries, done: false }
    connection.run('DELETE FROM sessions WHERE session = ?', session)
  }
  return { entries, done: erased.length === 0 || found.length < maxPerTransaction.sessions }
}

/** Drops what nobody reads of a session, and keeps the sum of its summaries true. */
export function dropSlice(
  connection: Connection,
  id: string,
  row: SessionRow,
  { ranges, epochs, limit }: Omit<Drop, 'ifPath'>,
  part: number,
): Reclaimed {
  for (const epoch of epochs) connection.run('DELETE FROM epochs WHERE id = ? AND number = ?', id, epoch)
  const most = Math.ceil(limit * part)
  const left = { entries: most, bytes: slice.bytes * part }
  let done = true
  let summary_sum = row.summary_sum
  for (const range of ranges) {
    if (!done) break
    const isFull = left.entries <= 0 || left.bytes <= 0
    const removed = isFull ? null : deleteEntries(connection, row.session, range, left)
    left.entries -= removed?.entries ?? 0
    left.bytes -= removed?.bytes ?? 0
    done = removed?.done ?? false
    for (const seq of removed?.summaries ?? []) summary_sum = subtractSeq(summary_sum, seq)
  }
  if (summary_sum !== row.summary_sum) {
    updateSession(connection, id, row.session, toHead(row), { ...row, summary_sum }, undefined)
  }
  return { entries: most - left.entries, done }
}

export interface Deleted extends Reclaimed {
  readonly bytes: number
  /** The seqs of those that were summaries. */
  readonly summaries: readonly number[]
}

/** Deletes entries of a range from its front until that is enough; `done` if none of the range is left. */
export function deleteEntries(
  connection: Connection,
  session: number,
  [from, to]: ClosedRange,
  limit: { readonly entries: number; readonly bytes: number },
): Deleted {
  const found = connection.all<{ seq: number; bytes: number }>(
    `SELECT seq, octet_length(body) + coalesce(octet_length(bytes), 0) AS bytes FROM entries
     WHERE session = ? AND seq BETWEEN ? AND ? ORDER BY seq LIMIT ?`,
    session,
    from,
    to,
    limit.entries,
  )
  let bytes = 0
  const last = found.find((entry) => {
    bytes += entry.bytes
    return bytes >= limit.bytes
  })
  const end = last?.seq ?? (found.length < limit.entries ? to : (found.at(-1)?.seq ?? to))
  const summaries = connection.column<number>(
    'DELETE FROM summaries WHERE session = ? AND seq BETWEEN ? AND ? RETURNING seq',
    session,
    from,
    end,
  )
  const entries = connection.run('DELETE FROM entries WHERE session = ? AND seq BETWEEN ? AND ?', session, from, end)
  return { entries, summaries, bytes, done: end === to }
}

/** Continues where the last call ended, and starts over after the end: damaged sessions stay, and must not block the others. */
export class ExpiredSessions {
  readonly #after = { outdated: start, all: start }

  /** Erases a few. Returns whether none is left. */
  erase(connection: Connection, scope: 'outdated' | 'all'): boolean {
    const endedBefore = Date.now() - (scope === 'all' ? 0 : expiredKept)
    const { at, session } = this.#after[scope]
    const found = connection.all<{ id: string; at: number; session: number }>(
      `SELECT id, expires_at AS at, session FROM sessions WHERE expires_at <= ? AND (expires_at, session) > (?, ?)
       ORDER BY expires_at, session LIMIT ?`,
      endedBefore,
      at,
      session,
      maxExpiredPerTransaction,
    )
    const erased = found.filter(({ id }) => eraseExpired(connection, id, endedBefore))
    const last = found.length < maxExpiredPerTransaction ? undefined : found.at(-1)
    this.#after[scope] = last ?? start
    return last === undefined && erased.length === 0
  }
}

const start: { readonly at: number; readonly session: number } = { at: -1, session: 0 }

function eraseExpired(connection: Connection, id: string, endedBefore: number): boolean {
  try {
    const row = findSession(connection, id)
    return row !== undefined && isExpired(toHead(row), endedBefore) && eraseSession(connection, id, row.session)
  } catch (error) {
    if (error instanceof MemoryLostError) return false
    throw error
  }
}
