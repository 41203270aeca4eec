import type { Reading, SnapshotList, Want } from './backend.ts'
import { type ClosedRange, closePath, splitAfter, splitBefore, splitHead, splitTail } from './path.ts'
import type { SessionState } from './session-state.ts'

/** The result of reading a missing session. */
export const emptyReading: Reading = {
  state: null,
  operation: null,
  snapshot: null,
  about: null,
  automatic: [],
  entries: [],
  summaries: [],
  summarySeqs: [],
  more: false,
}

/** The snapshots of a missing session. */
export const noSnapshots: SnapshotList = { state: null, snapshots: [], epochs: [], about: null }

/** The requested entries, before applying the budget. `snapshot`: the requested one, `null` if there is none. */
export function wantedRanges(
  { path, end }: SessionState,
  want: Want,
  snapshot: Reading['snapshot'],
): readonly ClosedRange[] {
  const { ranges, first, last } = want
  if (first === undefined && last === undefined) return ranges ?? []
  if (ranges !== undefined) return splitTail(ranges, last ?? 0)[1]
  if (want.snapshot !== undefined && snapshot === null) return []
  const whole = snapshot === null ? closePath(path, end) : closePath(snapshot.path, snapshot.record.end)
  const page = pageOf(whole, want)
  return first === undefined ? splitTail(page, last ?? 0)[1] : splitHead(page, first)[0]
}

function pageOf(ranges: readonly ClosedRange[], { before, after }: Want): readonly ClosedRange[] {
  if (before !== undefined) return splitBefore(ranges, before)?.[0] ?? []
  return after === undefined ? ranges : (splitAfter(ranges, after)?.[1] ?? [])
}
