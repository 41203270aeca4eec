import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EntryLog } from '../../../src/backends/memory/entry-log.ts'
import type { StoredEntry, StoredKind } from '../../../src/core/backend.ts'
import { type ClosedRange, rangesOf } from '../../../src/core/path.ts'

const kinds: readonly StoredKind[] = ['message', 'toolCall', 'summary', 'compaction', 'record']

/** Of every kind; some with bytes, some with a body too long to be packed, some in a format of a later version. */
function makeEntry(seq: number): StoredEntry {
  return {
    kind: kinds[seq % kinds.length] as StoredKind,
    format: seq % 11 === 0 ? 1000 : (seq % 4) + 1,
    body: seq % 13 === 0 ? `${seq} é🙂`.padEnd(5000, 'x') : seq % 7 === 0 ? '' : `body of ${seq} é🙂`,
    bytes: seq % 17 === 0 ? Uint8Array.of(seq % 256) : null,
    seq,
    at: 1.7e12 + seq / 4,
  }
}

type Step = { readonly add: number; readonly skip: number } | { readonly drop: readonly number[] }

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ add: fc.integer({ min: 1, max: 1500 }), skip: fc.integer({ min: 0, max: 40 }) }),
    },
    { weight: 1, arbitrary: fc.record({ skip: fc.integer({ min: 900, max: 3000 }), add: fc.constant(1) }) },
    { weight: 3, arbitrary: fc.record({ drop: fc.uniqueArray(fc.integer({ min: 1, max: 8000 }), { maxLength: 6 }) }) },
  ),
  { minLength: 1, maxLength: 8 },
)

/** Between each two places in turn. */
function toRanges(places: readonly number[]): ClosedRange[] {
  const sorted = places.toSorted((a, b) => a - b)
  return sorted.flatMap((from, index) => (index % 2 === 0 ? [[from, sorted[index + 1] ?? from] as const] : []))
}

function requireSame(log: EntryLog, model: ReadonlyMap<number, StoredEntry>): void {
  expect(log.size).toBe(model.size)
  expect([...log.chunks()].flat()).toEqual([...model.values()])
  const last = Math.max(0, ...model.keys())
  for (let seq = 1; seq <= last + 1; seq++) {
    if (log.has(seq) !== model.has(seq)) expect(log.has(seq), `has ${seq}`).toBe(model.has(seq))
    if (log.get(seq)?.body !== model.get(seq)?.body) expect(log.get(seq)).toEqual(model.get(seq))
  }
}

test('a log keeps what is put into it, in whatever chunks, until it is dropped', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const log = new EntryLog()
      const model = new Map<number, StoredEntry>()
      let next = 1
      for (const step of all) {
        if ('drop' in step) {
          const ranges = toRanges(step.drop)
          const before = model.size
          for (const [from, to] of ranges) for (let seq = from; seq <= to; seq++) model.delete(seq)
          expect([...log.drop(ranges)].reduce((sum, dropped) => sum + dropped, 0)).toBe(before - model.size)
        } else {
          next += step.skip
          for (const end = next + step.add; next < end; next++) {
            log.put(makeEntry(next))
            model.set(next, makeEntry(next))
          }
        }
      }
      requireSame(log, model)
    }),
    { numRuns: 40 },
  )
})

test('every second entry of many chunks is dropped at once', () => {
  const log = new EntryLog()
  for (let seq = 1; seq <= 5000; seq++) log.put(makeEntry(seq))
  const odd = Array.from({ length: 2500 }, (_, index) => 2 * index + 1)
  expect([...log.drop(rangesOf(odd))].reduce((sum, dropped) => sum + dropped, 0)).toBe(2500)
  expect([...log.chunks()].flat().map(({ seq }) => seq)).toEqual(odd.map((seq) => seq + 1))
})

test('an entry can be put into a chunk that was packed', () => {
  const log = new EntryLog()
  for (const seq of [1, 5, 3000, 3, 2999, 2]) log.put(makeEntry(seq))
  expect([...log.chunks()].flat()).toEqual([1, 2, 3, 5, 2999, 3000].map(makeEntry))
})
