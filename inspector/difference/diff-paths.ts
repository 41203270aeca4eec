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
  return ranges.flatMap(([from, to]) => {
    const inside = cuts.filter((cut) => from < cut && cut <= to)
    const starts = [from, ...inside]
    return starts.map((start, index): ClosedRange => [start, (starts[index + 1] ?? to + 1) - 1])
  })
}

/** The longest common part of both, by entries, and what only one of them has in between. */
function align(a: readonly ClosedRange[], b: readonly ClosedRange[]): Pick<Stretch, 'side' | 'range'>[] {
  const width = b.length + 1
  const best = new Float64Array((a.length + 1) * width)
  const at = (i: number, j: number) => best[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const [from, to] = a[i] as ClosedRange
      const same = b[j]?.[0] === from ? at(i + 1, j + 1) + to - from + 1 : 0
      best[i * width + j] = Math.max(same, at(i + 1, j), at(i, j + 1))
    }
  }
  const sides: Pick<Stretch, 'side' | 'range'>[] = []
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const [one, other] = [a[i], b[j]]
    if (
      one !== undefined &&
      other !== undefined &&
      one[0] === other[0] &&
      at(i, j) > Math.max(at(i + 1, j), at(i, j + 1))
    ) {
      sides.push({ side: 'both', range: one })
      i += 1
      j += 1
    } else if (one !== undefined && (other === undefined || at(i + 1, j) >= at(i, j + 1))) {
      sides.push({ side: 'left', range: one })
      i += 1
    } else if (other !== undefined) {
      sides.push({ side: 'right', range: other })
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
