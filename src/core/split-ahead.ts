import type { StoredEntry } from './backend.ts'
import { type ClosedRange, seqsOf, splitHead, splitTail } from './path.ts'

/** What is known about the beginning and the end of some ranges, and what lies in between. */
export interface SplitAhead {
  readonly head: readonly StoredEntry[]
  readonly unread: readonly ClosedRange[]
  readonly tail: readonly StoredEntry[]
}

/** Splits ranges by the entries that were read ahead. Those that are not next to either end are left to be read again. */
export function splitAhead(ranges: readonly ClosedRange[], ahead: readonly StoredEntry[]): SplitAhead {
  const head = runFrom(ranges, ahead)
  const rest = splitHead(ranges, head.length)[1]
  const tail = runTo(rest, ahead)
  return { head, unread: splitTail(rest, tail.length)[0], tail }
}

function runFrom(ranges: readonly ClosedRange[], ahead: readonly StoredEntry[]): readonly StoredEntry[] {
  const start = ahead.findIndex(({ seq }) => seq === ranges[0]?.[0])
  if (start === -1) return []
  let end = start
  for (const seq of seqsOf(ranges)) {
    if (ahead[end]?.seq !== seq) break
    end += 1
  }
  return ahead.slice(start, end)
}

function runTo(ranges: readonly ClosedRange[], ahead: readonly StoredEntry[]): readonly StoredEntry[] {
  const end = ahead.findLastIndex(({ seq }) => seq === ranges.at(-1)?.[1])
  if (end === -1) return []
  const seqs = [...seqsOf(splitTail(ranges, end + 1)[1])].reverse()
  const broken = seqs.findIndex((seq, index) => ahead[end - index]?.seq !== seq)
  const length = broken === -1 ? seqs.length : broken
  return ahead.slice(end + 1 - length, end + 1)
}
