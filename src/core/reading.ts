import type { Reading, Want } from './backend.ts'
import { type ClosedRange, closePath, splitTail } from './path.ts'
import type { SessionState } from './session-state.ts'

/** What is read of a session that does not exist. */
export const emptyReading: Reading = {
  state: null,
  operation: null,
  snapshot: null,
  automatic: [],
  entries: [],
  summaries: [],
  summarySeqs: [],
  more: false,
}

/** The entries that a want asks for, before its budget. */
export function wantedRanges({ path, end }: SessionState, { ranges, last }: Want): readonly ClosedRange[] {
  if (last === undefined) return ranges ?? []
  return splitTail(ranges ?? closePath(path, end), last)[1]
}
