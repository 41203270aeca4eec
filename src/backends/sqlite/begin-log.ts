import { type LogMark, nextMark, selectMarks, toMarks, updateMark } from './log-mark.ts'
import type { Queries } from './queries.ts'
import { isBusy, isFull } from './sqlite-error.ts'

/**
 * Call before each write. If the next transaction starts a new log, because all of the old one is in the file, it first writes the mark that
 * says which file the log continues. Returns the mark if it wrote one. `look` is called within the transaction, through another connection.
 */
export function beginLog(connection: Queries, before: Checkpoint, look: () => Checkpoint): LogMark | null {
  if (before.log !== before.checkpointed) return null
  connection.requireSchema()
  if (before.log > 0 && checkpoint(connection, 'RESTART').busy !== 0) return null
  connection.run('BEGIN IMMEDIATE')
  const { log, checkpointed } = look()
  const isFirst = log === before.log && checkpointed === before.log
  const last = isFirst ? toMarks(connection.all(selectMarks))?.[0] : undefined
  const next = last === undefined ? null : nextMark(last)
  if (next !== null) connection.run(...updateMark(next))
  connection.run('COMMIT')
  return next
}

/** Moves the log into the file, as far as others do not block it. A log that others started has no mark; the next one will. */
export function emptyLog(connection: Queries): void {
  try {
    checkpoint(connection, 'TRUNCATE')
  } catch (error) {
    if (!isBusy(error) && !isFull(error)) throw error
  }
}

/** How much of the log is in the file, in pages. `busy` is not 0 if others blocked it. */
export interface Checkpoint {
  readonly busy: number
  readonly log: number
  readonly checkpointed: number
}

/** `NOOP` only reads the state. */
export function checkpoint(connection: Queries, how: 'NOOP' | 'RESTART' | 'TRUNCATE'): Checkpoint {
  const result = connection.get<Checkpoint>(`PRAGMA wal_checkpoint(${how})`)
  return result ?? { busy: 1, log: 0, checkpointed: 0 }
}
