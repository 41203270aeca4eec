import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type ClosedRange,
  closePath,
  countEntries,
  fillPath,
  joinRanges,
  rangesOf,
  selectSeqs,
  seqsOf,
  splitAfter,
  splitHead,
  splitTail,
  unreadRanges,
} from '../../src/core/path.ts'

const list = (ranges: readonly ClosedRange[]) => [...seqsOf(ranges)]

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
