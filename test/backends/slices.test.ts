import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Reading, StoredEntry, Want } from '../../src/core/backend.ts'
import { everyBackend } from './every-backend.ts'

const seqsOf = (entries: readonly StoredEntry[]) => entries.map(({ seq }) => seq)

const { cases } = await everyBackend()

describe.each(cases)('%s: a read is bounded in bytes', (_, open) => {
  /** A session of entries of these sizes, roughly; a negative one is a tool call. */
  async function filled(...sizes: readonly number[]) {
    const { backend, store } = await open()
    const session = randomUUID()
    for (const size of sizes) {
      if (size > 0) await store.addMessages(session, [{ role: 'user', content: 'é'.repeat(size / 2) }])
      else await store.recordToolCall(session, { id: 'c', name: 'read', result: new Uint8Array(-size) })
    }
    const read = (want: Want): Promise<Reading> => backend.read(session, want, performance.now() + 60_000)
    return { backend, store, session, read }
  }

  test('ranges give the first entries that fit, and say that there are more', async () => {
    const { read } = await filled(...Array<number>(20).fill(1000))
    const all = await read({ ranges: [[1, 20]], maxBytes: 1_000_000 })
    expect([seqsOf(all.entries).length, all.more]).toEqual([20, false])
    const some = await read({ ranges: [[1, 20]], maxBytes: 3500 })
    expect([seqsOf(some.entries), some.more]).toEqual([[1, 2, 3], true])
    const unordered = await read({
      ranges: [
        [19, 20],
        [3, 4],
        [7, 9],
      ],
      maxBytes: 5500,
    })
    expect([seqsOf(unordered.entries), unordered.more]).toEqual([[19, 20, 3, 4, 7], true])
  })

  test('with last, the last entries that fit come, of the path or of the ranges', async () => {
    const { read } = await filled(...Array<number>(20).fill(1000))
    const path = await read({ last: 10, maxBytes: 3500 })
    expect([seqsOf(path.entries), path.more]).toEqual([[18, 19, 20], true])
    const whole = await read({ last: 10, maxBytes: 100_000 })
    expect([seqsOf(whole.entries), whole.more]).toEqual([[11, 12, 13, 14, 15, 16, 17, 18, 19, 20], false])
    const ranges = await read({
      ranges: [
        [19, 20],
        [3, 4],
        [7, 9],
      ],
      last: 6,
      maxBytes: 4500,
    })
    expect([seqsOf(ranges.entries), ranges.more]).toEqual([[4, 7, 8, 9], true])
    const unbounded = await read({
      ranges: [
        [19, 20],
        [3, 4],
        [7, 9],
      ],
      last: 6,
    })
    expect([seqsOf(unbounded.entries), unbounded.more]).toEqual([[20, 3, 4, 7, 8, 9], false])
    expect((await read({ ranges: [], last: 6 })).entries).toEqual([])
  })

  test('one entry comes, whatever its size; small ones before a large one come without it', async () => {
    const { read } = await filled(10, 10, 100_000, 10, -50_000, 10)
    const first = await read({ ranges: [[3, 6]], maxBytes: 1000 })
    expect([seqsOf(first.entries), first.more]).toEqual([[3], true])
    const small = await read({ ranges: [[1, 6]], maxBytes: 1000 })
    expect([seqsOf(small.entries), small.more]).toEqual([[1, 2], true])
    const bytes = await read({ ranges: [[4, 6]], maxBytes: 1000 })
    expect([seqsOf(bytes.entries), bytes.more]).toEqual([[4], true])
    const last = await read({ last: 6, maxBytes: 1000 })
    expect([seqsOf(last.entries), last.more]).toEqual([[6], true])
    const both = await read({ last: 6, maxBytes: 60_000 })
    expect([seqsOf(both.entries), both.more]).toEqual([[4, 5, 6], true])
  })

  test('small entries after which large ones come are not loaded together with those', async () => {
    const { read } = await filled(...Array<number>(60).fill(10), ...Array<number>(20).fill(200_000))
    const front = await read({ ranges: [[1, 80]], maxBytes: 500_000 })
    expect([front.entries.length, front.more]).toEqual([62, true])
    const rest = await read({ ranges: [[63, 80]], maxBytes: 500_000 })
    expect([seqsOf(rest.entries), rest.more]).toEqual([[63, 64], true])
  })

  test('an entry that is missing is left out, and does not end the list', async () => {
    const { backend, store, session, read } = await filled(...Array<number>(6).fill(1000))
    const { epoch } = await store.clear(session)
    await store.sweep(session)
    await store.addMessages(session, [{ role: 'user', content: 'x'.repeat(1000) }])
    expect(epoch).not.toBeNull()
    const left = await backend.read(session, { ranges: [[1, 7]], maxBytes: 500 }, performance.now() + 60_000)
    expect([seqsOf(left.entries), left.more]).toEqual([[7], false])
    expect(seqsOf((await read({ ranges: [[1, 7]], last: 7, maxBytes: 500 })).entries)).toEqual([7])
  })

  test('summaries come in slices too, with the seqs of as many', async () => {
    const { store, session, read } = await filled(10)
    for (let index = 0; index < 9; index++) {
      await store.addSummary(session, { text: 'x', embedding: new Float32Array(250).fill(index + 1) })
    }
    const found: number[][] = []
    for (let after = 0, more = true; more; ) {
      const reading: Reading = await read({ summariesAfter: after, maxBytes: 3500 })
      expect(seqsOf(reading.summaries)).toEqual(reading.summarySeqs)
      found.push(seqsOf(reading.summaries))
      after = reading.summarySeqs.at(-1) ?? 0
      more = reading.more
    }
    expect(found).toEqual([
      [2, 3, 4],
      [5, 6, 7],
      [8, 9, 10],
    ])
    const unbounded = await read({ summariesAfter: 3 })
    expect([seqsOf(unbounded.summaries), unbounded.more]).toEqual([[4, 5, 6, 7, 8, 9, 10], false])
  })
})
