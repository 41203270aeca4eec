import { randomUUID } from 'node:crypto'
import type { Change, EncodedEntry, Reading } from '../backend.ts'
import type { Calls } from '../calls.ts'
import { decodeEntries } from '../decode-entries.ts'
import { publish } from '../diagnostics.ts'
import type { Entry } from '../entries.ts'
import { MemoryStoreBackendError, ResultGoneError, SeqNotFoundError } from '../errors.ts'
import { digestable } from '../operation.ts'
import {
  areThose,
  type ClosedRange,
  closePath,
  joinRanges,
  nearestSeqs,
  type Path,
  type PathPlan,
  planOnBase,
  rangesOf,
  seqsOf,
  splitAfter,
  splitBefore,
} from '../path.ts'
import { PathReader } from '../path-reader.ts'
import { readSlice } from '../read-slice.ts'
import { isBackendError, isLost, isSnapshotNotFound, isTurnLost } from '../recognize-error.ts'
import { beginOf } from '../session-about.ts'
import { versionOf } from '../session-state.ts'
import type { RewindOptions, Rewound, Snapshot } from '../types.ts'
import { encodeEntries, encodeMessages, seqsFrom } from './add.ts'
import { changePath, type Planned } from './change-path.ts'
import { automaticSnapshotsKept } from './snapshots.ts'

/** How often a rewind starts over because something was appended after it had read. */
const maxExactAttempts = 2

/** What is kept for a repeated call: the path that was cut, the log that it was cut from, and the snapshot that was asked for. */
interface Answer {
  readonly cut: Path
  readonly log?: string
  readonly snapshot: SavedState | null
}

type SavedState = Pick<Snapshot, 'id' | 'label'>

/**
 * Cuts everything from a place on, up to the end of the log at the commit, appends what comes in its place, and returns exactly what it cut, which stays readable for a repeated call until it is swept.
 *
 * It commits at the version it read, so that it has read everything it cuts. Writers could make that fail forever: after a few attempts it commits
 * regardless of appends, keeps the previous state as an automatic snapshot, which no sweep touches, reads the rest, and drops the snapshot.
 */
export async function rewind<Message extends object>(
  calls: Calls,
  session: string,
  options: RewindOptions<Message>,
): Promise<Rewound<Message>> {
  const add = [
    ...(options.add === undefined ? [] : encodeMessages(options.add, 'add')),
    ...(options.entries === undefined ? [] : encodeEntries(options.entries, 'entries')),
  ]
  const cutting = new Cutting(calls, session, options, add)
  const { answer, version, epoch, first, at, changed, ended } = await changePath<Answer | Path>(
    calls,
    session,
    'rewind',
    { options, content: contentOf(options, add) },
    (reading) => cutting.plan(reading),
  )
  const {
    cut: path,
    log,
    snapshot,
  } = isByOlderVersion(answer) ? { cut: answer, log: undefined, snapshot: null } : answer
  const cut = closePath(path, first - 1)
  const unread = cutting.unread(cut, log)
  if (unread.length > 0) await cutting.readBack(unread, { log, ended, operationId: options.operationId ?? '' })
  if (changed) await cutting.dropLeftBehind()
  return {
    version,
    epoch,
    removed: cutting.entriesOf(cut) as Entry<Message>[],
    seqs: seqsFrom(first, add.length),
    snapshot: snapshot && { ...snapshot, automatic: false, at },
  }
}

/** What a digest is made of. Without any option of 0.2 it is that of 0.1, so that a retry of that is recognized. */
function contentOf({ to, before, snapshot = false }: RewindOptions<object>, add: readonly EncodedEntry[]): unknown[] {
  if (before === undefined && snapshot === false && add.length === 0) return [to]
  return [to, before, snapshot, add.map(digestable)]
}

/** 0.1 kept the path alone. */
function isByOlderVersion(answer: Answer | Path): answer is Path {
  return Array.isArray(answer)
}

/** What one rewind has read so far. */
class Cutting {
  readonly #calls: Calls
  readonly #session: string
  readonly #options: RewindOptions<object>
  readonly #add: readonly EncodedEntry[]
  readonly #saved: SavedState | null
  readonly #begin: Pick<Change, 'begin'>
  #log: string | undefined
  readonly #known = new Map<number, Entry>()
  #attempts = 0
  #leftBehind: string | undefined

  constructor(calls: Calls, session: string, options: RewindOptions<object>, add: readonly EncodedEntry[]) {
    this.#calls = calls
    this.#session = session
    this.#options = options
    this.#add = add
    const { snapshot = false } = options
    const { id = randomUUID(), label = null } = typeof snapshot === 'object' ? snapshot : {}
    this.#saved = snapshot === false ? null : { id, label }
    this.#begin = beginOf(options)
  }

  async plan(reading: Reading): Promise<Planned<Answer>> {
    const reader = new PathReader(this.#calls, this.#session, undefined, reading)
    const { state, ranges } = reader
    const [kept, cut] = this.#split(ranges)
    const snapshot = this.#saved
    const writes = {
      ...(this.#add.length > 0 && { append: this.#add }),
      ...(snapshot && { putSnapshot: { ...snapshot, automatic: false } }),
    }
    if (cut.length === 0 && Object.keys(writes).length === 0) return { change: null, answer: { cut: [], snapshot } }
    if (state === null) return { change: { ...writes, ...this.#begin }, answer: { cut: [], snapshot } }
    const { log } = state
    this.#learn(await reader.entries(this.unread(cut, log)))
    this.#attempts += 1
    const isExact = this.#attempts <= maxExactAttempts
    if (isExact && cut.length === 0) {
      return { change: { ...writes, ifVersion: versionOf(state) }, answer: { cut: [], snapshot } }
    }
    const guard = isExact ? { ifVersion: versionOf(state) } : snapshot ? {} : await this.#keepLeftBehind()
    const own: PathPlan = [[this.#add.length > 0 ? 'appended' : 'next', null]]
    return {
      change: { ...writes, ...guard, path: { cause: 'rewind', ...planOnBase(state.epoch, kept, own) } },
      answer: { cut: joinRanges<Path[number]>([...cut, [state.end + 1, null]]), log, snapshot },
    }
  }

  #split(ranges: readonly ClosedRange[]): [kept: readonly ClosedRange[], cut: readonly ClosedRange[]] {
    const { to, before } = this.#options
    if (to === 0) return [[], ranges]
    const split = before === undefined ? splitAfter(ranges, to) : splitBefore(ranges, before)
    if (split !== undefined) return split
    const seq = before ?? to
    throw new SeqNotFoundError(this.#session, seq, nearestSeqs(ranges, seq))
  }

  /** What is not known of a log. What is known of another one is forgotten. */
  unread(ranges: readonly ClosedRange[], log: string | undefined): ClosedRange[] {
    if (log !== this.#log) this.#known.clear()
    this.#log = log
    return rangesOf([...seqsOf(ranges)].filter((seq) => !this.#known.has(seq)))
  }

  entriesOf(ranges: readonly ClosedRange[]): Entry[] {
    return [...seqsOf(ranges)].map((seq) => this.#known.get(seq) as Entry)
  }

  /** Reads what was cut, unless it was swept or its session is gone. 0.1 did not keep the log. */
  async readBack(
    ranges: readonly ClosedRange[],
    { log: cutFrom, ended, operationId }: { log: string | undefined; ended: boolean; operationId: string },
  ): Promise<void> {
    let log = cutFrom
    try {
      for (let left = ranges; left.length > 0; ) {
        const { state, entries, read, rest } = await readSlice(this.#calls, this.#session, left)
        log ??= state?.log
        const isThere = !ended && state !== null && state.log === log && areThose(read, entries)
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
      if (!(isBackendError(error) || isLost(error) || isTurnLost(error))) throw error
      publish('unswept', { session: this.#session, error })
    }
  }

  #learn(entries: readonly Entry[]): void {
    for (const entry of entries) this.#known.set(entry.seq, entry)
  }

  /** In addition to the ten that rollbacks keep, so that this temporary snapshot does not push one out. */
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
