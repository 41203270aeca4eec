import type { Reading, SnapshotList, Want } from './backend.ts'
import { type ClosedRange, closePath, splitTail } from './path.ts'
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

/** The requested entries, before applying the budget. */
export function wantedRanges({ path, end }: SessionState, { ranges, last }: Want): readonly ClosedRange[] {
  if (last === undefined) return ranges ?? []
  return splitTail(ranges ?? closePath(path, end), last)[1]
}
