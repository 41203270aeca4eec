import type { Reading, StoredEntry, Want } from './backend.ts'
import type { Calls } from './calls.ts'
import { decodeEntries, lost } from './decode-entries.ts'
import { publish } from './diagnostics.ts'
import type { Entry } from './entries.ts'
import { SnapshotNotFoundError } from './errors.ts'
import { areThose, type ClosedRange, closePath, describeSeqs, rangesOf, selectSeqs, seqsOf } from './path.ts'
import { readSlice } from './read-slice.ts'
import { pathTokenOf, type SessionState } from './session-state.ts'
import { slice } from './slice.ts'
import { splitAhead } from './split-ahead.ts'

function isSamePath(a: SessionState, b: SessionState): boolean {
  return a.log === b.log && pathTokenOf(a) === pathTokenOf(b)
}

/** The path changed and its entries were swept while it was being read. */
export class PathMoved extends Error {}

/** The seqs of some summaries of a log, ascending, and those that are on the path, in path order. */
export interface SummarySlice {
  readonly seqs: readonly number[]
  readonly onPath: readonly StoredEntry[]
}

/**
 * Reads the entries of one path, that of the session or of a snapshot, as it was when the reader was opened. Entries never change, so this
 * is a consistent view without a lock; entries that are missing although they are still on the path are a `MemoryLostError`.
 */
export class PathReader {
  readonly #calls: Calls
  readonly #session: string
  readonly #snapshotId: string | undefined
  readonly #first: Reading
  readonly state: SessionState | null
  readonly ranges: readonly ClosedRange[]

  /** Opens a reader and passes it to `use`; starts over whenever the path changes meanwhile. */
  static async use<T>(
    calls: Calls,
    session: string,
    { at, ...want }: Omit<Want, 'snapshot' | 'maxBytes'> & { at?: string | undefined },
    use: (reader: PathReader, reading: Reading) => Promise<T>,
  ): Promise<T> {
    const fullWant: Want = { ...want, ...(at !== undefined && { snapshot: at }), maxBytes: slice.bytes }
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

  async entries(ranges: readonly ClosedRange[]): Promise<Entry[]> {
    const entries: Entry[] = []
    for await (const stored of this.slices(ranges)) for (const entry of this.decode(stored)) entries.push(entry)
    return entries
  }

  /** The entries of the ranges, slice by slice; from the end, the last slice comes first, each slice in order. */
  async *slices(
    ranges: readonly ClosedRange[],
    { fromEnd = false, size = slice.entries }: { fromEnd?: boolean; size?: number } = {},
  ): AsyncGenerator<readonly StoredEntry[]> {
    const { head, unread, tail } = splitAhead(ranges, this.#first.entries)
    const [known, alsoKnown] = fromEnd ? [tail, head] : [head, tail]
    if (known.length > 0) yield known
    let left = unread
    for (let count = size; left.length > 0; count = Math.max(64, 2 * count)) {
      const options = { count: Math.min(count, slice.entries), fromEnd }
      const { state, entries, read, rest } = await readSlice(this.#calls, this.#session, left, options)
      if (state?.log !== this.state?.log) throw new PathMoved()
      await this.#requireAll(read, entries)
      yield entries
      left = rest
    }
    if (alsoKnown.length > 0) yield alsoKnown
  }

  /** The summaries on the path after the seq that the reader was opened with, slice by slice. */
  async *summarySlices(): AsyncGenerator<SummarySlice> {
    let reading = this.#first
    for (;;) {
      const { summarySeqs, summaries, more } = reading
      const wanted = selectSeqs(this.ranges, summarySeqs)
      const found = new Map(summaries.map((entry) => [entry.seq, entry]))
      const onPath = wanted.flatMap((seq) => found.get(seq) ?? [])
      await this.#requireAll(rangesOf(wanted), onPath)
      yield { seqs: summarySeqs, onPath }
      if (!more) break
      reading = await this.#calls.read(this.#session, {
        summariesAfter: summarySeqs.at(-1) ?? 0,
        maxBytes: slice.bytes,
      })
      if (reading.state?.log !== this.state?.log) throw new PathMoved()
    }
    if (reading !== this.#first) await this.requireStill()
  }

  decode(stored: readonly StoredEntry[]): Entry[] {
    return decodeEntries(this.#session, stored)
  }

  /** Throws unless `entries` are exactly those of `ranges`. */
  async #requireAll(ranges: readonly ClosedRange[], entries: readonly StoredEntry[]): Promise<void> {
    if (areThose(ranges, entries)) return
    const found = new Set(entries.map(({ seq }) => seq))
    const missing = [...seqsOf(ranges)].filter((seq) => !found.has(seq))
    await this.requireStill()
    const reason = missing.length === 0 ? 'entries are out of order' : `entries ${describeSeqs(missing)} are missing`
    throw lost(this.#session, missing, reason)
  }

  /** Throws unless the path is still the one this reader was opened on. */
  async requireStill(): Promise<void> {
    const want = this.#snapshotId === undefined ? {} : { snapshot: this.#snapshotId }
    const { state, snapshot } = await this.#calls.read(this.#session, want)
    if (this.#snapshotId !== undefined) {
      if (snapshot === null) throw new SnapshotNotFoundError(this.#session, this.#snapshotId)
      const isSame = state?.log === this.state?.log && snapshot.record.number === this.#first.snapshot?.record.number
      if (!isSame) throw new PathMoved()
    } else if (state === null || this.state === null || !isSamePath(state, this.state)) {
      throw new PathMoved()
    }
  }
}
