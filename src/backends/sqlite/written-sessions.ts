import type { StoredEntry } from '../../core/backend.ts'
import type { SessionHead } from '../../core/session-state.ts'
import { insertEntries } from './insert-entry.ts'
import type { ListSums } from './list-sums.ts'
import type { Queries } from './queries.ts'
import { updateSession } from './session-row.ts'

const mostKept = 10_000

/** A row that this connection wrote is no longer there. What relied on it is to be done again, without. */
export class RowGone extends Error {}

type OnWrite = (session: number, before: SessionHead, head: SessionHead) => void

/** A session as the file has it, and its head after the appends that were added since. */
interface WrittenSession {
  readonly session: number
  readonly sums: ListSums
  readonly inFile: SessionHead
  readonly head: SessionHead
}

/**
 * The sessions that this connection wrote, for as long as nobody else writes to the file. An append to one of them reads nothing. Its entries are
 * written with those of the others, and its head once per transaction, however many appends share it.
 */
export class WrittenSessions {
  readonly #connection: Queries
  readonly #onWrite: OnWrite
  readonly #sessions = new Map<string, WrittenSession>()
  readonly #waiting = new Map<string, WrittenSession>()
  #entries: (readonly [session: number, StoredEntry])[] = []
  #validFor: string | null = null

  constructor(connection: Queries, onWrite: OnWrite) {
    this.#connection = connection
    this.#onWrite = onWrite
  }

  /** Within a transaction that writes. */
  find(id: string): WrittenSession | undefined {
    const { foreignChanges } = this.#connection
    if (foreignChanges !== this.#validFor) this.#sessions.clear()
    this.#validFor = foreignChanges
    return this.#sessions.get(id)
  }

  /** A session whose row was just written. */
  add(id: string, session: number, head: SessionHead, sums: ListSums): void {
    if (this.#sessions.size >= mostKept) this.#sessions.clear()
    this.#sessions.set(id, { session, sums, inFile: head, head })
  }

  /** After an append, whose entries and head are not written yet. */
  moveOn(id: string, entries: readonly StoredEntry[], head: SessionHead): void {
    const before = this.#sessions.get(id)
    if (before === undefined) return
    const { session, sums, inFile } = before
    const moved = { session, sums, inFile, head }
    this.#sessions.set(id, moved)
    this.#waiting.set(id, moved)
    for (const entry of entries) this.#entries.push([session, entry])
  }

  /** Writes what waits, so that the tables say what was added. */
  write(): void {
    if (this.#entries.length > 0) insertEntries(this.#connection, this.#entries)
    this.#entries = []
    for (const [id, { session, sums, inFile, head }] of this.#waiting) {
      if (updateSession(this.#connection, id, session, head, sums, { head: inFile, sums }) !== 1) throw new RowGone()
      this.#onWrite(session, inFile, head)
      this.#sessions.set(id, { session, sums, inFile: head, head })
    }
    this.#waiting.clear()
  }

  /** Before anything but an append writes: to this session, or to any. */
  release(id?: string): void {
    this.write()
    if (id === undefined) this.#sessions.clear()
    else this.#sessions.delete(id)
  }

  /** The transaction was not applied, or may not have been. */
  forget(): void {
    this.#entries = []
    this.#waiting.clear()
    this.#sessions.clear()
  }
}
