import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type ClosedRange,
  closePath,
  countEntries,
  fillPath,
  joinRanges,
  nearestSeqs,
  type Path,
  type PathPlan,
  planOnBase,
  rangesOf,
  selectSeqs,
  seqsOf,
  splitAfter,
  splitBefore,
  splitHead,
  splitTail,
  unreadRanges,
} from '../../src/core/path.ts'
import { StoredEpochs } from '../../src/core/stored-epochs.ts'

const list = (ranges: readonly ClosedRange[]) => [...seqsOf(ranges)]

function pathOnBase(base: Path, entries: number, own: Path): Path {
  const told = { cause: null, at: null }
  const rows = [
    { ...told, number: 1, path: base, base: null, difference: null },
    { ...told, number: 2, path: null, base: 1, difference: { entries, own } },
  ]
  return new StoredEpochs('s', rows).path(2)
}

/** Ranges that need not ascend and never overlap. */
const paths = fc
  .uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 30 })
  .map((seqs) => ({ seqs, ranges: rangesOf(seqs) }))

test('ranges hold the seqs they were made of, in order', () => {
  fc.assert(
    fc.property(paths, ({ seqs, ranges }) => {
      expect(list(ranges)).toEqual(seqs)
      expect(countEntries(ranges)).toBe(seqs.length)
      expect(joinRanges(ranges)).toEqual(ranges)
    }),
  )
})

test('splitting is slicing', () => {
  fc.assert(
    fc.property(paths, fc.nat(40), ({ seqs, ranges }, count) => {
      const [rest, tail] = splitTail(ranges, count)
      expect(list(tail)).toEqual(count === 0 ? [] : seqs.slice(-count))
      expect([...list(rest), ...list(tail)]).toEqual(seqs)
      const [head, behind] = splitHead(ranges, count)
      expect(list(head)).toEqual(seqs.slice(0, count))
      expect([...list(head), ...list(behind)]).toEqual(seqs)
    }),
  )
})

test('splitting behind a seq goes by the path, not by the number', () => {
  fc.assert(
    fc.property(paths, fc.integer({ min: 1, max: 40 }), ({ seqs, ranges }, seq) => {
      const parts = splitAfter(ranges, seq)
      const index = seqs.indexOf(seq)
      expect(parts?.map(list)).toEqual(index === -1 ? undefined : [seqs.slice(0, index + 1), seqs.slice(index + 1)])
    }),
  )
})

test('what is unread is all that is not kept', () => {
  fc.assert(
    fc.property(paths, paths, fc.integer({ min: 40, max: 45 }), (a, b, end) => {
      const kept = new Set([...a.seqs, ...b.seqs])
      const unread = Array.from({ length: end }, (_, index) => index + 1).filter((seq) => !kept.has(seq))
      expect(list(unreadRanges(end, [...a.ranges, ...b.ranges]))).toEqual(unread)
    }),
  )
})

test('selecting seqs follows the path', () => {
  fc.assert(
    fc.property(paths, fc.uniqueArray(fc.integer({ min: 1, max: 40 })), ({ seqs, ranges }, wanted) => {
      const ascending = wanted.toSorted((a, b) => a - b)
      expect(selectSeqs(ranges, ascending)).toEqual(seqs.filter((seq) => wanted.includes(seq)))
    }),
  )
})

test('a plan is filled with what the commit knows', () => {
  expect(
    fillPath(
      [
        [1, 3],
        ['appended', 'appended'],
        [5, 'end'],
        ['next', null],
      ],
      9,
      1,
    ),
  ).toEqual([
    [1, 3],
    [10, 10],
    [5, 9],
    [11, null],
  ])
  expect(
    fillPath(
      [
        [1, 5],
        [6, 'end'],
        ['next', null],
      ],
      5,
      0,
    ),
  ).toEqual([[1, null]])
  expect(
    closePath(
      [
        [4, 6],
        [9, null],
      ],
      8,
    ),
  ).toEqual([[4, 6]])
})

test('splitting before a seq goes by the path, not by the number', () => {
  fc.assert(
    fc.property(paths, fc.integer({ min: 1, max: 40 }), ({ seqs, ranges }, seq) => {
      const parts = splitBefore(ranges, seq)
      const index = seqs.indexOf(seq)
      expect(parts?.map(list)).toEqual(index === -1 ? undefined : [seqs.slice(0, index), seqs.slice(index)])
    }),
  )
})

test('the nearest seqs are those below and above', () => {
  fc.assert(
    fc.property(paths, fc.integer({ min: 0, max: 41 }), ({ seqs, ranges }, seq) => {
      fc.pre(!seqs.includes(seq))
      const below = seqs.filter((one) => one < seq)
      const above = seqs.filter((one) => one > seq)
      expect(nearestSeqs(ranges, seq)).toEqual({
        below: below.length === 0 ? null : Math.max(...below),
        above: above.length === 0 ? null : Math.min(...above),
      })
    }),
  )
})

/** What a rewind or a rollback appends to the part of a path that it keeps. */
const ends: fc.Arbitrary<PathPlan> = fc.constantFrom<PathPlan[]>([['next', null]], [['appended', null]])

test('a path as a difference from another is the same path', () => {
  fc.assert(
    fc.property(paths, fc.nat(30), fc.nat(5), ends, ({ ranges }, count, appended, own) => {
      const end = 40
      const base: Path = joinRanges<Path[number]>([...ranges, [end + 1, null]])
      const [kept] = splitHead(closePath(base, end + 3), count)
      const planned = planOnBase(7, kept, own)
      const filled = fillPath(planned.plan, end + 3, appended)
      expect(list(closePath(filled, end + 20)).slice(0, countEntries(kept))).toEqual(list(kept))
      if (!('base' in planned)) {
        expect(kept.length).toBeLessThan(5)
        return
      }
      const { epoch, entries, own: ownPlan } = planned.base
      expect(epoch).toBe(7)
      expect(pathOnBase(base, entries, fillPath(ownPlan, end + 3, appended))).toEqual(filled)
    }),
    { numRuns: 500 },
  )
})

test('differences from differences are the same path, however long the chain', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ cut: fc.nat(4), add: fc.nat(3) }), { minLength: 1, maxLength: 40 }), (edits) => {
      let end = 12
      let whole: Path = [[1, null]]
      let rebuilt: Path = whole
      for (const { cut, add } of edits) {
        const ranges = closePath(whole, end)
        const [kept] = splitHead(ranges, Math.max(0, countEntries(ranges) - cut))
        const planned = planOnBase(1, kept, [[add > 0 ? 'appended' : 'next', null]])
        const own = fillPath([[add > 0 ? 'appended' : 'next', null]], end, add)
        rebuilt = 'base' in planned ? pathOnBase(rebuilt, planned.base.entries, own) : fillPath(planned.plan, end, add)
        whole = fillPath(planned.plan, end, add)
        expect(rebuilt).toEqual(whole)
        end += add + 1
      }
    }),
  )
})
