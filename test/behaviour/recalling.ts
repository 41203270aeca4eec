import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { type BehaviourCase, turns } from './case.ts'

/** A repeatable sequence of numbers between -1 and 1. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 1_073_741_824 - 1
  }
}

export const recalling: BehaviourCase[] = [
  {
    clause: 'recall.1',
    title: 'the exact cosine top k, nearest first',
    async run({ store }) {
      const next = numbers(42)
      const vectors = Array.from({ length: 60 }, () => Float32Array.from({ length: 24 }, next))
      for (const [index, embedding] of vectors.entries()) await store.addSummary('s', { text: `${index}`, embedding })
      const query = Float32Array.from({ length: 24 }, next)
      const norm = (a: Float32Array) => Math.hypot(...a)
      const cosine = (a: Float32Array) =>
        a.reduce((sum, x, index) => sum + x * (query[index] ?? 0), 0) / norm(a) / norm(query)
      const expected = vectors
        .map((vector, index) => ({ text: `${index}`, score: cosine(vector) }))
        .sort((a, b) => b.score - a.score)
      for (const k of [1, 5, 60, 100]) {
        const found = await store.recall('s', query, { k })
        assert.deepEqual(
          found.map(({ summary }) => summary.text),
          expected.slice(0, k).map(({ text }) => text),
        )
        for (const [index, { score }] of found.entries())
          assert.ok(Math.abs(score - (expected[index]?.score ?? 0)) < 1e-9)
      }
      assert.equal((await store.recall('s', query)).length, 5)
    },
  },
  {
    clause: 'recall.2',
    title: 'only what the path reads is found',
    async run({ store }) {
      await store.addSummary('s', { text: 'a', embedding: [1, 0] })
      await store.addSummary('s', { text: 'no embedding' })
      const { id } = await store.saveSnapshot('s')
      await store.addSummary('s', { text: 'b', embedding: [0, 1] })
      const found = async () => (await store.recall('s', [1, 1])).map(({ summary }) => summary.text)
      assert.deepEqual(await found(), ['a', 'b'])
      await store.rollbackToSnapshot('s', id)
      assert.deepEqual(await found(), ['a'])
      await store.addSummary('s', { text: 'c', embedding: [1, 1] })
      assert.deepEqual(await found(), ['c', 'a'])
      await store.addSummary('t', { text: 'foreign', embedding: [1, 1] })
      assert.deepEqual(await found(), ['c', 'a'])
    },
  },
  {
    clause: 'recall.2',
    title: 'what was found in a session that is gone is not found in the one imported in its place',
    async run({ store }) {
      await store.addSummary('s', { text: 'a', embedding: [1, 0] })
      const copy = await store.exportSession('s')
      await store.addSummary('s', { text: 'b', embedding: [0, 1] })
      const found = async () => (await store.recall('s', [0, 1])).map(({ summary }) => summary.text)
      assert.deepEqual(await found(), ['b', 'a'])
      await store.expire('s', { ttl: 1 })
      await setTimeout(10)
      await store.importSession(copy)
      await store.addMessages('s', turns(1))
      await store.addSummary('s', { text: 'c', embedding: [0, -1] })
      assert.deepEqual(await found(), ['a', 'c'])
    },
  },
  {
    clause: 'recall.3',
    title: 'other dimensions are refused with both numbers',
    async run({ store }) {
      await store.addSummary('s', { text: 'a', embedding: [1, 2, 3] })
      await assert.rejects(store.recall('s', [1, 2]), {
        code: 'DIMENSION_MISMATCH',
        expected: 3,
        actual: 2,
        message: /\b2\b.*\b3\b/,
      })
      await assert.rejects(store.recall('s', new Float32Array(4)), { code: 'DIMENSION_MISMATCH', actual: 4 })
      assert.equal((await store.recall('s', [1, 2, 3])).length, 1)
    },
  },
  {
    clause: 'recall.4',
    title: 'embeddings come back bit by bit',
    async run({ store }) {
      const bits = Uint32Array.of(0x00000001, 0x80000000, 0x7f7fffff, 0xff7fffff, 0x3dcccccd, 0x33d6bf95)
      const embedding = new Float32Array(bits.buffer)
      const padded = new Float32Array([9, ...embedding, 9]).subarray(1, 7)
      await store.addMessages('s', turns(1))
      await store.addSummary('s', { text: 'a', embedding: padded })
      const same = (found: Float32Array | undefined) => {
        assert.ok(found instanceof Float32Array)
        assert.deepEqual(new Uint32Array(found.buffer, found.byteOffset, found.length), bits)
      }
      same((await store.recall('s', embedding))[0]?.summary.embedding)
      const [entry] = await store.getEntries('s', { kinds: ['summary'] })
      same(entry?.kind === 'summary' ? entry.summary.embedding : undefined)
    },
  },
]
