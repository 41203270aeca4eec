import type { StoredEntry } from './backend.ts'
import type { Calls } from './calls.ts'
import { type ClosedRange, splitAfter, splitBefore, splitHead, splitTail } from './path.ts'
import type { SessionState } from './session-state.ts'
import { slice } from './slice.ts'

export interface ReadSlice {
  readonly state: SessionState | null
  /** The entries of `read` that exist. */
  readonly entries: readonly StoredEntry[]
  /** The part of the ranges that was read. */
  readonly read: readonly ClosedRange[]
  readonly rest: readonly ClosedRange[]
}

/** Reads the first or last entries of the ranges: at most `count`, and as many as fit into a slice. */
export async function readSlice(
  calls: Calls,
  session: string,
  ranges: readonly ClosedRange[],
  { count = slice.entries, fromEnd = false }: { count?: number; fromEnd?: boolean } = {},
): Promise<ReadSlice> {
  const [before, after] = fromEnd ? splitTail(ranges, count) : splitHead(ranges, count)
  const asked = fromEnd ? after : before
  const want = { ranges: asked, ...(fromEnd && { last: count }), maxBytes: slice.bytes }
  const { state, entries, more } = await calls.read(session, want)
  const edge = (fromEnd ? entries[0] : entries.at(-1))?.seq
  if (!more || edge === undefined) return { state, entries, read: asked, rest: fromEnd ? before : after }
  const [first = [], second = []] = (fromEnd ? splitBefore(asked, edge) : splitAfter(asked, edge)) ?? []
  return fromEnd
    ? { state, entries, read: second, rest: [...before, ...first] }
    : { state, entries, read: first, rest: [...second, ...after] }
}
