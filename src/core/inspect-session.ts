import type { Damage, EpochRecord, SnapshotList, StoredEntry } from './backend.ts'
import type { Calls } from './calls.ts'
import { decodeEntry } from './decode-entry.ts'
import {
  type ClosedRange,
  closePath,
  describeSeqs,
  pathsOf,
  RangeUnion,
  seqsOf,
  splitHead,
  unreadRanges,
} from './path.ts'
import { readSlice } from './read-slice.ts'
import { isLost } from './recognize-error.ts'
import { pathTokenOf } from './session-state.ts'
import { slice } from './slice.ts'

export interface Inspected {
  /** `null` if it is lost, too. */
  readonly list: SnapshotList | null
  readonly ranges: readonly ClosedRange[]
  readonly damage: readonly Damage[]
}

/**
 * Reads everything that the path and the snapshots of a session need, each entry once, and lists all
 * damage. `visitor` hears when reading starts (again whenever something was swept meanwhile), and gets the entries, ascending.
 */
export async function inspectSession(
  calls: Calls,
  session: string,
  visitor: { begin?: () => void; visit?: (entries: readonly StoredEntry[]) => void } = {},
): Promise<Inspected> {
  reading: for (;;) {
    visitor.begin?.()
    let list: SnapshotList
    try {
      list = await calls.snapshots(session)
    } catch (error) {
      if (!isLost(error)) throw error
      return { list: null, ranges: [], damage: [{ session, seqs: error.seqs, reason: error.reason }] }
    }
    const { ranges, damage } = demanded(session, list)
    const summaries: number[] = []
    for (let left: readonly ClosedRange[] = ranges; left.length > 0; ) {
      try {
        const { state, entries, read, rest } = await readSlice(calls, session, left)
        if (state?.log !== list.state?.log) continue reading
        left = rest
        damage.push(...damagedEntries(session, read, entries))
        for (const { seq, kind } of entries) if (kind === 'summary' || kind === 'compaction') summaries.push(seq)
        visitor.visit?.(entries)
      } catch (error) {
        if (!isLost(error)) throw error
        const [asked, rest] = splitHead(left, slice.entries)
        left = rest
        damage.push({ session, seqs: [...seqsOf(asked)], reason: error.reason })
      }
    }
    if (summaries.length > 0) damage.push(...(await unlistedSummaries(calls, session, summaries)))
    if (damage.length === 0 || sameList(list, await calls.snapshots(session))) return { list, ranges, damage }
  }
}

/** Everything that the path and the snapshots read, each entry once, ascending. */
export function demanded(
  session: string,
  { state, snapshots, epochs }: Pick<SnapshotList, 'state' | 'snapshots'> & { readonly epochs: readonly EpochRecord[] },
) {
  const paths = pathsOf(epochs)
  const damage: Damage[] = []
  const union = new RangeUnion()
  if (state !== null) union.add(closePath(state.path, state.end))
  for (const { id, epoch, end } of snapshots) {
    const path = paths.get(epoch)
    if (path === undefined) {
      damage.push({ session, seqs: [], reason: `the path of snapshot ${JSON.stringify(id)} is missing` })
    } else {
      union.add(closePath(path, end))
    }
  }
  const read = union.ranges
  const end = read.reduce((most, [, to]) => Math.max(most, to), 0)
  return { ranges: unreadRanges(end, unreadRanges(end, read)), damage }
}

function damagedEntries(session: string, slice: readonly ClosedRange[], entries: readonly StoredEntry[]): Damage[] {
  const damage: Damage[] = []
  const found = new Set(entries.map(({ seq }) => seq))
  const missing = [...seqsOf(slice)].filter((seq) => !found.has(seq))
  if (missing.length > 0)
    damage.push({ session, seqs: missing, reason: `entries ${describeSeqs(missing)} are missing` })
  for (const entry of entries) {
    try {
      decodeEntry(entry)
    } catch (error) {
      const reason = `entry ${entry.seq} cannot be read: ${(error as Error).message}`
      damage.push({ session, seqs: [entry.seq], reason })
    }
  }
  return damage
}

/** `recall` finds summaries through a separate list. */
async function unlistedSummaries(calls: Calls, session: string, summaries: readonly number[]): Promise<Damage[]> {
  try {
    const listed = new Set<number>()
    for (let after = 0, isMore = true; isMore; ) {
      const { summarySeqs, more } = await calls.read(session, { summariesAfter: after, maxBytes: slice.bytes })
      for (const seq of summarySeqs) listed.add(seq)
      after = summarySeqs.at(-1) ?? after
      isMore = more
    }
    const seqs = summaries.filter((seq) => !listed.has(seq))
    return seqs.length === 0
      ? []
      : [{ session, seqs, reason: `summaries ${describeSeqs(seqs)} are not listed for recall` }]
  } catch (error) {
    if (!isLost(error)) throw error
    return [{ session, seqs: error.seqs, reason: error.reason }]
  }
}

function sameList(a: SnapshotList, b: SnapshotList): boolean {
  const mark = ({ state, snapshots }: SnapshotList) =>
    JSON.stringify([state && [state.log, pathTokenOf(state)], snapshots.map(({ number }) => number).sort()])
  return mark(a) === mark(b)
}
