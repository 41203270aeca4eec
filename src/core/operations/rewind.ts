import { randomUUID } from 'node:crypto'
import type { Change, Reading } from '../backend.ts'
import type { Calls } from '../calls.ts'
import { decodeEntries } from '../decode-entries.ts'
import { publish } from '../diagnostics.ts'
import type { Entry } from '../entries.ts'
import { MemoryStoreBackendError, ResultGoneError, SeqNotFoundError } from '../errors.ts'
import { areThose, type ClosedRange, closePath, joinRanges, type Path, rangesOf, seqsOf, splitAfter } from '../path.ts'
import { PathReader } from '../path-reader.ts'
import { readSlice } from '../read-slice.ts'
import { isBackendError, isLost, isSnapshotNotFound } from '../recognize-error.ts'
import { reaches, versionOf } from '../session-state.ts'
import type { RewindOptions, Rewound } from '../types.ts'
import { changePath, type Planned } from './change-path.ts'
import { automaticSnapshotsKept } from './snapshots.ts'

/** How often a rewind starts over because something was appended after it had read. */
const maxExactAttempts = 2

/**
 * Cuts everything after a seq, up to the end of the log at the commit, and returns exactly what it cut, which stays readable for a repeated call until it is swept.
 *
 * It commits at the version it read, so that it has read everything it cuts. Writers could make that fail forever: after a few attempts it commits
 * regardless of appends, keeps the previous state as an automatic snapshot, which no sweep touches, reads the rest, and drops the snapshot.
 */
export async function rewind<Message extends object>(
  calls: Calls,
  session: string,
  options: RewindOptions,
): Promise<Rewound<Message>> {
  const { to, operationId } = options
  const cutting = new Cutting(calls, session, to)
  const { answer, version, epoch, first, changed } = await changePath<Path>(
    calls,
    session,
    'rewind',
    { options, content: [to] },
    (reading) => cutting.plan(reading),
  )
  const cut = closePath(answer, first - 1)
  const unread = cutting.unread(cut)
  if (unread.length > 0) await cutting.readBack(unread, version, operationId ?? '')
  if (changed) await cutting.dropLeftBehind()
  return { version, epoch, removed: cutting.entriesOf(cut) as Entry<Message>[] }
}

/** What one rewind has read so far. */
class Cutting {
  readonly #calls: Calls
  readonly #session: string
  readonly #to: number
  #log: string | undefined
  readonly #known = new Map<number, Entry>()
  #attempts = 0
  #leftBehind: string | undefined

  constructor(calls: Calls, session: string, to: number) {
    this.#calls = calls
    this.#session = session
    this.#to = to
  }

  async plan(reading: Reading): Promise<Planned<Path>> {
    const reader = new PathReader(this.#calls, this.#session, undefined, reading)
    const { state, ranges } = reader
    const split = this.#to === 0 ? [[], ranges] : splitAfter(ranges, this.#to)
    if (split === undefined) throw new SeqNotFoundError(this.#session, this.#to)
    const [kept = [], cut = []] = split
    if (state === null || cut.length === 0) return { change: null, answer: [] }
    if (state.log !== this.#log) this.#known.clear()
    this.#log = state.log
    this.#learn(await reader.entries(this.unread(cut)))
    this.#attempts += 1
    const guard = this.#attempts > maxExactAttempts ? await this.#keepLeftBehind() : { ifVersion: versionOf(state) }
    return {
      change: { ...guard, path: [...kept, ['next', null]] },
      answer: joinRanges<Path[number]>([...cut, [state.end + 1, null]]),
    }
  }

  unread(ranges: readonly ClosedRange[]): ClosedRange[] {
    return rangesOf([...seqsOf(ranges)].filter((seq) => !this.#known.has(seq)))
  }

  entriesOf(ranges: readonly ClosedRange[]): Entry[] {
    return [...seqsOf(ranges)].map((seq) => this.#known.get(seq) as Entry)
  }

  /** Reads what was cut, unless it was swept or its session is gone. */
  async readBack(ranges: readonly ClosedRange[], version: string | null, operationId: string): Promise<void> {
    try {
      for (let left = ranges; left.length > 0; ) {
        const { state, entries, read, rest } = await readSlice(this.#calls, this.#session, left)
        const isThere = version !== null && reaches(state, version) && areThose(read, entries)
        if (!isThere) throw new ResultGoneError(this.#session, operationId)
        this.#learn(decodeEntries(this.#session, entries))
        left = rest
      }
    } catch (error) {
      if (!isBackendError(error)) throw error
      throw new MemoryStoreBackendError('BACKEND_FAILED', 'rewind: the entries that were cut could not be read back', {
        applied: 'unknown',
        cause: error,
      })
    }
  }

  /** If this fails, the snapshot stays, which is harmless: a rollback drops it eventually. */
  async dropLeftBehind(): Promise<void> {
    const id = this.#leftBehind
    if (id === undefined) return
    try {
      const operation = { id: randomUUID(), digest: '' }
      await this.#calls.commit(this.#session, { operation, ifSnapshot: { id }, dropSnapshots: [id] })
    } catch (error) {
      if (isSnapshotNotFound(error)) return
      if (!(isBackendError(error) || isLost(error))) throw error
      publish('unswept', { session: this.#session, error })
    }
  }

  #learn(entries: readonly Entry[]): void {
    for (const entry of entries) this.#known.set(entry.seq, entry)
  }

  /** In addition to the ten that rollbacks keep, so that this temporary one pushes none of them out. */
  async #keepLeftBehind(): Promise<Pick<Change, 'putSnapshot' | 'dropSnapshots'>> {
    const { snapshots } = await this.#calls.snapshots(this.#session)
    const automatic = snapshots.filter((one) => one.automatic).sort((a, b) => a.number - b.number)
    this.#leftBehind = randomUUID()
    return {
      putSnapshot: { id: this.#leftBehind, label: null, automatic: true },
      dropSnapshots: automatic.slice(0, Math.max(0, automatic.length - automaticSnapshotsKept)).map(({ id }) => id),
    }
  }
}
