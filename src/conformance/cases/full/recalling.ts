import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import type { Case } from '../../case.ts'
import { same } from '../../same.ts'
import { turns } from '../../samples.ts'

/** A repeatable sequence of numbers between -1 and 1. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 1_073_741_824 - 1
  }
}

export const recalling: Case[] = [
  {
    id: 'recall.1/the-exact-cosine-top-k-nearest-first',
    clause: 'recall.1',
    level: 'full',
    needs: ['addSummary', 'recall', 'bytes'],
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
        same(
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
    id: 'recall.2/only-what-the-path-reads-is-found',
    clause: 'recall.2',
    level: 'full',
    needs: ['addSummary', 'saveSnapshot', 'rollbackToSnapshot', 'recall'],
    title: 'only what the path reads is found',
    async run({ store }) {
      await store.addSummary('s', { text: 'a', embedding: [1, 0] })
      await store.addSummary('s', { text: 'no embedding' })
      const { id } = await store.saveSnapshot('s')
      await store.addSummary('s', { text: 'b', embedding: [0, 1] })
      const found = async () => (await store.recall('s', [1, 1])).map(({ summary }) => summary.text)
      same(await found(), ['a', 'b'])
      await store.rollbackToSnapshot('s', id)
      same(await found(), ['a'])
      await store.addSummary('s', { text: 'c', embedding: [1, 1] })
      same(await found(), ['c', 'a'])
      await store.addSummary('t', { text: 'foreign', embedding: [1, 1] })
      same(await found(), ['c', 'a'])
    },
  },
  {
    id: 'recall.2/what-was-found-in-a-session-that-is-gone',
    clause: 'recall.2',
    level: 'full',
    needs: ['addMessages', 'addSummary', 'recall', 'expire', 'exportSession', 'importSession'],
    title: 'what was found in a session that is gone is not found in the one imported in its place',
    async run({ store }) {
      await store.addSummary('s', { text: 'a', embedding: [1, 0] })
      const copy = await store.exportSession('s')
      await store.addSummary('s', { text: 'b', embedding: [0, 1] })
      const found = async () => (await store.recall('s', [0, 1])).map(({ summary }) => summary.text)
      same(await found(), ['b', 'a'])
      await store.expire('s', { ttl: 1 })
      await setTimeout(10)
      await store.importSession(copy)
      await store.addMessages('s', turns(1))
      await store.addSummary('s', { text: 'c', embedding: [0, -1] })
      same(await found(), ['a', 'c'])
    },
  },
  {
    id: 'recall.3/other-dimensions-are-refused-with-both-numbers',
    clause: 'recall.3',
    level: 'full',
    needs: ['addSummary', 'recall', 'bytes', 'codes'],
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
    id: 'recall.4/embeddings-come-back-bit-by-bit',
    clause: 'recall.4',
    level: 'full',
    needs: ['addMessages', 'addSummary', 'getEntries', 'recall', 'bytes'],
    title: 'embeddings come back bit by bit',
    async run({ store }) {
      const bits = Uint32Array.of(0x00000001, 0x80000000, 0x7f7fffff, 0xff7fffff, 0x3dcccccd, 0x33d6bf95)
      const embedding = new Float32Array(bits.buffer)
      const padded = new Float32Array([9, ...embedding, 9]).subarray(1, 7)
      await store.addMessages('s', turns(1))
      await store.addSummary('s', { text: 'a', embedding: padded })
      same((await store.recall('s', embedding))[0]?.summary.embedding, embedding)
      const [entry] = await store.getEntries('s', { kinds: ['summary'] })
      same(entry?.kind === 'summary' ? entry.summary.embedding : undefined, embedding)
    },
  },
]
