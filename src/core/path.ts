/** Entries `from` to `to`, both included. An open range (`to` is `null`) includes whatever is appended later. */
export type Range = readonly [from: number, to: number | null]

/** Entries `from` to `to`, both included. */
export type ClosedRange = readonly [from: number, to: number]

/**
 * The entries that a session reads, in order. Only the last range is open. Ranges need not ascend and never overlap.
 */
export type Path = readonly Range[]

/**
 * A path with places that only the commit knows, which the backend fills in.
 *
 * - `end`: the last seq before the commit.
 * - `appended`: the first seq that the commit appends.
 * - `next`: the seq after everything that the commit appends.
 */
export type PathPlan = readonly (readonly [
  from: number | 'appended' | 'next',
  to: number | 'end' | 'appended' | null,
])[]

export const firstPath: Path = [[1, null]]

/** Shorter paths are stored whole: a difference would not be smaller, and would have to be assembled. */
const leastRangesOnBase = 5

/**
 * The path that reads `kept`, the beginning of the path of another epoch, and then `own`: as a plan, and if it is long as a difference from that
 * epoch as well.
 */
export function planOnBase(epoch: number, kept: readonly ClosedRange[], own: PathPlan) {
  const plan: PathPlan = [...kept, ...own]
  return kept.length < leastRangesOnBase ? { plan } : { plan, base: { epoch, entries: countEntries(kept), own } }
}

/** Looks up the path of an epoch by its number. */
export function pathsOf(epochs: readonly { readonly number: number; readonly path: Path }[]): PathLookup {
  const byNumber = new Map(epochs.map((epoch) => [epoch.number, epoch]))
  return { get: (number) => byNumber.get(number)?.path }
}

interface PathLookup {
  get(number: number): Path | undefined
}

export function fillPath(plan: PathPlan, end: number, appended: number): Path {
  const known = { end, appended: end + 1, next: end + appended + 1 }
  const fill = (place: number | keyof typeof known) => (typeof place === 'number' ? place : known[place])
  return joinRanges(plan.map(([from, to]) => [fill(from), to === null ? null : fill(to)]))
}

/** The path as it was when `end` was the last seq. */
export function closePath(path: Path, end: number): ClosedRange[] {
  return joinRanges(path.map(([from, to]) => [from, to ?? end] as const))
}

/** Drops empty ranges and joins adjacent ones. */
export function joinRanges<R extends Range>(ranges: readonly R[]): R[] {
  const joined: R[] = []
  for (const range of ranges) {
    const [from, to] = range
    if (to !== null && to < from) continue
    const last = joined.at(-1)
    if (last !== undefined && last[1] === from - 1) joined[joined.length - 1] = [last[0], to] as unknown as R
    else joined.push(range)
  }
  return joined
}

export function countEntries(ranges: readonly ClosedRange[]): number {
  return ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0)
}

export function* seqsOf(ranges: readonly ClosedRange[]): Generator<number> {
  for (const [from, to] of ranges) for (let seq = from; seq <= to; seq++) yield seq
}

/** Whether the entries are those of the ranges, one by one. */
export function areThose(ranges: readonly ClosedRange[], entries: readonly { readonly seq: number }[]): boolean {
  let index = 0
  for (const [from, to] of ranges) {
    for (let seq = from; seq <= to; seq++) if (entries[index++]?.seq !== seq) return false
  }
  return index === entries.length
}

export function rangesOf(seqs: Iterable<number>): ClosedRange[] {
  const ranges: [from: number, to: number][] = []
  let last: [from: number, to: number] | undefined
  for (const seq of seqs) {
    if (last !== undefined && last[1] === seq - 1) last[1] = seq
    else {
      last = [seq, seq]
      ranges.push(last)
    }
  }
  return ranges
}

/** The ascending `seqs` that are in the ranges, in the order of the ranges. */
export function selectSeqs(ranges: readonly ClosedRange[], seqs: readonly number[]): number[] {
  return ranges.flatMap(([from, to]) => seqs.slice(lowerBound(seqs, from), lowerBound(seqs, to + 1)))
}

function lowerBound(seqs: readonly number[], least: number): number {
  let low = 0
  let high = seqs.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((seqs[middle] ?? 0) < least) low = middle + 1
    else high = middle
  }
  return low
}

/** Splits so that the second part holds the last `count` entries, or all there are. */
export function splitTail(ranges: readonly ClosedRange[], count: number): [rest: ClosedRange[], tail: ClosedRange[]] {
  const rest = [...ranges]
  const tail: ClosedRange[] = []
  let missing = count
  while (missing > 0) {
    const range = rest.pop()
    if (range === undefined) break
    const [from, to] = range
    const size = to - from + 1
    if (size > missing) {
      rest.push([from, to - missing])
      tail.unshift([to - missing + 1, to])
      break
    }
    tail.unshift(range)
    missing -= size
  }
  return [rest, tail]
}

/** Splits so that the first part holds the first `count` entries, or all there are. */
export function splitHead(ranges: readonly ClosedRange[], count: number): [head: ClosedRange[], rest: ClosedRange[]] {
  const head: ClosedRange[] = []
  let missing = count
  for (const [index, [from, to]] of ranges.entries()) {
    const size = to - from + 1
    if (missing < size) {
      if (missing > 0) head.push([from, from + missing - 1])
      return [head, [[from + Math.max(0, missing), to], ...ranges.slice(index + 1)]]
    }
    head.push([from, to])
    missing -= size
  }
  return [head, []]
}

/** Splits after `seq`, which belongs to the first part; `undefined` if it is not in the ranges. */
export function splitAfter(
  ranges: readonly ClosedRange[],
  seq: number,
): [before: ClosedRange[], after: ClosedRange[]] | undefined {
  const index = ranges.findIndex(([from, to]) => from <= seq && seq <= to)
  const range = ranges[index]
  if (range === undefined) return undefined
  const before = [...ranges.slice(0, index), [range[0], seq] as const]
  const after = joinRanges([[seq + 1, range[1]] as const, ...ranges.slice(index + 1)])
  return [before, after]
}

/** Splits before `seq`, which belongs to the second part; `undefined` if it is not in the ranges. */
export function splitBefore(
  ranges: readonly ClosedRange[],
  seq: number,
): [before: ClosedRange[], after: ClosedRange[]] | undefined {
  const [upTo, after] = splitAfter(ranges, seq) ?? []
  if (upTo === undefined || after === undefined) return undefined
  return [splitTail(upTo, 1)[0], joinRanges([[seq, seq] as const, ...after])]
}

/** The nearest seqs in the ranges on either side of one that is not in them. */
export function nearestSeqs(
  ranges: readonly ClosedRange[],
  seq: number,
): { readonly below: number | null; readonly above: number | null } {
  let below: number | null = null
  let above: number | null = null
  for (const [from, to] of ranges) {
    if (to < seq) below = Math.max(to, below ?? to)
    else above = Math.min(from, above ?? from)
  }
  return { below, above }
}

/**
 * Collects what many paths read. Paths that grew out of one another share most of their ranges, so each is kept once.
 */
export class RangeUnion {
  readonly #ends = new Map<number, number>()

  add(ranges: readonly ClosedRange[]): void {
    for (const [from, to] of ranges) this.#ends.set(from, Math.max(to, this.#ends.get(from) ?? 0))
  }

  /** In any order; they may overlap. */
  get ranges(): ClosedRange[] {
    return [...this.#ends]
  }
}

/** The part of the log from 1 to `end` that none of `kept` reads, ascending. */
export function unreadRanges(end: number, kept: readonly ClosedRange[]): ClosedRange[] {
  const unread: ClosedRange[] = []
  let next = 1
  for (const [from, to] of [...kept].sort((a, b) => a[0] - b[0])) {
    if (from > next) unread.push([next, from - 1])
    next = Math.max(next, to + 1)
  }
  if (next <= end) unread.push([next, end])
  return unread
}

/** The parts of the ascending `ranges` that are in none of `others`. */
export function rangesWithout(ranges: readonly ClosedRange[], others: readonly ClosedRange[]): ClosedRange[] {
  const end = ranges.at(-1)?.[1] ?? 0
  return unreadRanges(end, [...others, ...unreadRanges(end, ranges)])
}

/** For people: `3, 5-9`. */
export function describeSeqs(seqs: readonly number[]): string {
  return describeRanges(rangesOf(seqs))
}

export function describeRanges(ranges: readonly ClosedRange[]): string {
  const parts = ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`))
  return parts.length > 12 ? `${parts.slice(0, 12).join(', ')}, …` : parts.join(', ')
}
