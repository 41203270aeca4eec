import type { Reading, StoredEntry, Want } from './backend.ts'
import type { Calls } from './calls.ts'
import { decodeEntry } from './decode-entry.ts'
import { publish } from './diagnostics.ts'
import type { Entry } from './entries.ts'
import { MemoryLostError, SnapshotNotFoundError } from './errors.ts'
import {
  areThose,
  type ClosedRange,
  closePath,
  describeSeqs,
  rangesOf,
  selectSeqs,
  seqsOf,
  splitHead,
  splitTail,
} from './path.ts'
import { epochOf, type SessionState } from './session-state.ts'

/** So many entries are read in one go, so that other work gets its turn. */
const sliceSize = 1000

/** The path changed and its entries were swept while it was being read. */
export class PathMoved extends Error {}

/**
 * Reads the entries of one path, that of the session or of a snapshot, as it was when the reader was opened. Entries never change, so this
 * is a consistent view without a lock; any that are missing although the path still demands them are a `MemoryLostError`.
 */
export class PathReader {
  readonly #calls: Calls
  readonly #session: string
  readonly #snapshotId: string | undefined
  readonly #first: Reading
  readonly state: SessionState | null
  readonly ranges: readonly ClosedRange[]

  /** Opens a reader and hands it to `use`, again from the start whenever the path moves under it. */
  static async use<T>(
    calls: Calls,
    session: string,
    want: { at?: string | undefined; last?: number; operation?: string | undefined; summariesAfter?: number },
    use: (reader: PathReader, reading: Reading) => Promise<T>,
  ): Promise<T> {
    const { at, last, operation, summariesAfter } = want
    const fullWant: Want = {
      ...(at !== undefined ? { snapshot: at } : last !== undefined && { last: Math.min(last, sliceSize) }),
      ...(operation !== undefined && { operation }),
      ...(summariesAfter !== undefined && { summariesAfter }),
    }
    for (;;) {
      const reading = await calls.read(session, fullWant)
      try {
        return await use(new PathReader(calls, session, at, reading), reading)
      } catch (error) {
        if (!(error instanceof PathMoved)) throw error
        publish('conflict', { method: 'read', session })
      }
    }
  }

  constructor(calls: Calls, session: string, snapshotId: string | undefined, first: Reading) {
    this.#calls = calls
    this.#session = session
    this.#snapshotId = snapshotId
    this.#first = first
    this.state = first.state
    if (snapshotId === undefined) {
      this.ranges = first.state === null ? [] : closePath(first.state.path, first.state.end)
    } else {
      if (first.snapshot === null) throw new SnapshotNotFoundError(session, snapshotId)
      this.ranges = closePath(first.snapshot.path, first.snapshot.record.end)
    }
  }

  all(): Promise<Entry[]> {
    return this.entries(this.ranges)
  }

  async entries(ranges: readonly ClosedRange[]): Promise<Entry[]> {
    return this.decode(await this.stored(ranges))
  }

  async stored(ranges: readonly ClosedRange[]): Promise<StoredEntry[]> {
    const ahead = this.#first.entries
    const [notYet, tail] = splitTail(ranges, ahead.length)
    const haveTail = areThose(tail, ahead)
    const found: StoredEntry[] = []
    let left: ClosedRange[] = haveTail ? notYet : [...ranges]
    while (left.length > 0) {
      const [slice, others] = splitHead(left, sliceSize)
      const reading = await this.#calls.read(this.#session, { ranges: slice })
      if (reading.state?.birth !== this.state?.birth) throw new PathMoved()
      await this.#requireAll(slice, reading.entries)
      for (const entry of reading.entries) found.push(entry)
      left = others
    }
    if (haveTail) for (const entry of ahead) found.push(entry)
    return found
  }

  /** The summaries on the path, of those that the reader was opened with. */
  async summaries(): Promise<StoredEntry[]> {
    const bySeq = new Map(this.#first.summaries.map((entry) => [entry.seq, entry]))
    const wanted = selectSeqs(this.ranges, this.#first.summarySeqs)
    await this.#requireAll(rangesOf(wanted), this.#first.summaries)
    return wanted.map((seq) => bySeq.get(seq) as StoredEntry)
  }

  decode(stored: readonly StoredEntry[]): Entry[] {
    const unreadable: { seq: number; error: unknown }[] = []
    const entries: Entry[] = []
    for (const one of stored) {
      try {
        entries.push(decodeEntry(one))
      } catch (error) {
        unreadable.push({ seq: one.seq, error })
      }
    }
    const [first] = unreadable
    if (first === undefined) return entries
    const seqs = unreadable.map(({ seq }) => seq)
    const reason = `entries ${describeSeqs(seqs)} cannot be read: ${(first.error as Error).message}`
    throw this.#lost(seqs, reason, first.error)
  }

  /** Throws unless `entries` are exactly those of `ranges`. */
  async #requireAll(ranges: readonly ClosedRange[], entries: readonly StoredEntry[]): Promise<void> {
    if (areThose(ranges, entries)) return
    const found = new Set(entries.map(({ seq }) => seq))
    const missing = [...seqsOf(ranges)].filter((seq) => !found.has(seq))
    if (missing.length === 0) return
    await this.requireStill()
    throw this.#lost(missing, `entries ${describeSeqs(missing)} are missing`)
  }

  /** Throws unless the path is still the one this reader was opened on. */
  async requireStill(): Promise<void> {
    const want = this.#snapshotId === undefined ? {} : { snapshot: this.#snapshotId }
    const { state, snapshot } = await this.#calls.read(this.#session, want)
    if (this.#snapshotId !== undefined) {
      if (snapshot === null) throw new SnapshotNotFoundError(this.#session, this.#snapshotId)
      const isSame =
        state?.birth === this.state?.birth && snapshot.record.number === this.#first.snapshot?.record.number
      if (!isSame) throw new PathMoved()
    } else if (state === null || this.state === null || epochOf(state) !== epochOf(this.state)) {
      throw new PathMoved()
    }
  }

  #lost(seqs: readonly number[], reason: string, cause?: unknown): MemoryLostError {
    publish('lost', { session: this.#session, seqs, reason })
    return new MemoryLostError(this.#session, seqs, reason, cause === undefined ? {} : { cause })
  }
}
