import { type ClosedRange, joinRanges } from '../../src/core/path.ts'

/** A stretch of entries that both states read, or only one of them. */
export interface Stretch {
  readonly side: 'both' | 'left' | 'right'
  readonly range: ClosedRange
  /** The entry before it in the state that it is read from; `null` if it is the first one. */
  readonly after: number | null
}

/** What two states read, side by side. It takes the ranges only, whatever the length of the history. */
export function diffPaths(left: readonly ClosedRange[], right: readonly ClosedRange[]): Stretch[] {
  const cuts = [...new Set([...left, ...right].flatMap(([from, to]) => [from, to + 1]))].sort((a, b) => a - b)
  const [a, b] = [atomsOf(left, cuts), atomsOf(right, cuts)]
  const sides = align(a, b)
  const stretches: Stretch[] = []
  const before: { left: number | null; right: number | null } = { left: null, right: null }
  for (const { side, range } of sides) {
    stretches.push({ side, range, after: before[side === 'right' ? 'right' : 'left'] })
    if (side !== 'right') before.left = range[1]
    if (side !== 'left') before.right = range[1]
  }
  return joined(stretches)
}

function atomsOf(ranges: readonly ClosedRange[], cuts: readonly number[]): ClosedRange[] {
  const places = new Map(cuts.map((cut, index) => [cut, index]))
  return ranges.flatMap(([from, to]) => {
    const starts = cuts.slice(places.get(from), places.get(to + 1))
    return starts.map((start, index): ClosedRange => [start, (starts[index + 1] ?? to + 1) - 1])
  })
}

type Side = Pick<Stretch, 'side' | 'range'>

/** Above this many pairs, what lies between the common ends is not aligned any further. */
const mostPairs = 1_000_000

function align(a: readonly ClosedRange[], b: readonly ClosedRange[]): Side[] {
  const same = (i: number, j: number) => a[i] !== undefined && a[i]?.[0] === b[j]?.[0]
  const least = Math.min(a.length, b.length)
  let start = 0
  while (start < least && same(start, start)) start += 1
  let end = 0
  while (end < least - start && same(a.length - 1 - end, b.length - 1 - end)) end += 1
  const both = (range: ClosedRange): Side => ({ side: 'both', range })
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  return [...a.slice(0, start).map(both), ...alignBetween(left, right), ...a.slice(a.length - end).map(both)]
}

/** The longest common part of both, by entries, and what only one of them has in between. */
function alignBetween(a: readonly ClosedRange[], b: readonly ClosedRange[]): Side[] {
  if (a.length * b.length > mostPairs) {
    return [...a.map((range): Side => ({ side: 'left', range })), ...b.map((range): Side => ({ side: 'right', range }))]
  }
  const width = b.length + 1
  const best = new Float64Array((a.length + 1) * width)
  const at = (i: number, j: number) => best[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    const [from = 0, to = 0] = a[i] ?? []
    for (let j = b.length - 1; j >= 0; j--) {
      const same = b[j]?.[0] === from ? at(i + 1, j + 1) + to - from + 1 : 0
      best[i * width + j] = Math.max(same, at(i + 1, j), at(i, j + 1))
    }
  }
  const sides: Side[] = []
  // An entry is at most once in a path, so two that meet belong together.
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const [left, right] = [a[i], b[j]]
    if (left !== undefined && left[0] === right?.[0]) {
      sides.push({ side: 'both', range: left })
      i += 1
      j += 1
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      sides.push({ side: 'left', range: left })
      i += 1
    } else if (right !== undefined) {
      sides.push({ side: 'right', range: right })
      j += 1
    }
  }
  return sides
}

function joined(stretches: readonly Stretch[]): Stretch[] {
  const result: Stretch[] = []
  for (const stretch of stretches) {
    const last = result.at(-1)
    const [range, more] = last?.side === stretch.side ? joinRanges([last.range, stretch.range]) : []
    if (last !== undefined && range !== undefined && more === undefined) result[result.length - 1] = { ...last, range }
    else result.push(stretch)
  }
  return result
}
