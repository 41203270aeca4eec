import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { encodeEntry } from '../../../core/encode-entry.ts'
import type { FullStore } from '../../case.ts'
import { same } from '../helpers/same.ts'
import { turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

/** A repeatable sequence of numbers between -1 and 1. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 1_073_741_824 - 1
  }
}

export const recalling: WrittenCase[] = [
  {
    id: 'recall.1/exact-top-k',
    clause: 'recall.1',
    level: 'full',
    needs: ['bytes'],
    title: 'recall returns the exact cosine top k, nearest first',
    async run({ store }) {
      const next = numbers(42)
      const vectors = Array.from({ length: 1200 }, (_, index) => {
        const scale = index % 7 === 0 ? 100 : 1
        return Float32Array.from({ length: 24 }, () => scale * next())
      })
      const add = (embedding: Float32Array, index: number) => store.addSummary('s', { text: `${index}`, embedding })
      for (let from = 0; from < vectors.length; from += 100) {
        await Promise.all(vectors.slice(from, from + 100).map((vector, index) => add(vector, from + index)))
      }
      const query = Float32Array.from({ length: 24 }, next)
      const norm = (a: Float32Array) => Math.hypot(...a)
      const cosine = (a: Float32Array) =>
        a.reduce((sum, x, index) => sum + x * (query[index] ?? 0), 0) / norm(a) / norm(query)
      const expected = vectors
        .map((vector, index) => ({ text: `${index}`, score: cosine(vector) }))
        .sort((a, b) => b.score - a.score)
      for (const k of [1, 5, 60, 1200, 1500]) {
        const found = await store.recall('s', query, { k })
        same(
          found.map(({ summary }) => summary.text),
          expected.slice(0, k).map(({ text }) => text),
        )
        for (const [index, { score }] of found.entries())
          assert.ok(Math.abs(score - (expected[index]?.score ?? 0)) < 1e-9, `score ${index} of ${k}: ${score}`)
      }
      assert.equal((await store.recall('s', query)).length, 5)
      await store.addSummary('t', { text: 'zero', embedding: [0, 0] })
      for (const [index, embedding] of [
        [1, 0],
        [-1, 0],
        [1, 1],
        [0, 1],
        [-1, 1],
      ].entries()) {
        await store.addSummary('t', { text: `${index}`, embedding })
      }
      const found = await store.recall('t', [9, 1], { k: 9 })
      same(
        found.map(({ summary }) => summary.text).filter((text) => text !== 'zero'),
        ['0', '2', '3', '4', '1'],
      )
      same(found.find(({ summary }) => summary.text === 'zero')?.score, 0, 'the score of a vector of zeros')
      same(
        (await store.recall('t', [0, 0], { k: 9 })).map(({ score }) => score),
        [0, 0, 0, 0, 0, 0],
        'the scores for a query of zeros',
      )
    },
  },
  {
    id: 'recall.2/only-what-is-read',
    clause: 'recall.2',
    level: 'full',
    needs: ['versions'],
    title: 'only what the path reads is found, on every handle',
    async run({ store, again }) {
      const other = await again()
      await store.addSummary('s', { text: 'a', embedding: [1, 0] })
      await store.addSummary('s', { text: 'no embedding' })
      const { id } = await store.saveSnapshot('s')
      await store.addSummary('s', { text: 'b', embedding: [0, 1] })
      const recalled = async (handle: FullStore, at?: string) =>
        (await handle.recall('s', [1, 1], { at })).map(({ summary }) => summary.text)
      const found = async () => {
        const here = await recalled(store)
        same(await recalled(other), here)
        return here
      }
      same(await found(), ['a', 'b'])
      same(await recalled(store, id), ['a'])
      await store.rollbackToSnapshot('s', id)
      same(await found(), ['a'])
      await store.addSummary('s', { text: 'c', embedding: [1, 1] })
      same(await found(), ['c', 'a'])
      await store.addSummary('t', { text: 'foreign', embedding: [1, 1] })
      same(await found(), ['c', 'a'])
      same(await recalled(store, id), ['a'])
      await store.fork('s', 'forked', { at: id })
      same((await store.recall('forked', [1, 1])).length, 1)
      const { seq } = await store.addSummary('s', { text: 'd', embedding: [1, 1] })
      await store.rewind('s', { to: seq - 1 })
      same(await found(), ['c', 'a'])
      await store.addMessages('s', turns(3))
      await store.compact('s', { keep: 1, summarize: () => ({ text: 'e', embedding: [2, 1] }) })
      same(await found(), ['c', 'e', 'a'])
      await store.clear('s')
      same(await found(), [])
      await store.rollbackToSnapshot('s', id)
      same(await found(), ['a'])
    },
  },
  {
    id: 'recall.2/after-a-sweep',
    clause: 'recall.2',
    level: 'full',
    title: 'summaries that stay are found after everything around them was swept',
    async run({ store }) {
      const kept: string[] = []
      for (let part = 0; part < 4; part++) {
        const text = `part ${part}`
        await store.addMessages('s', turns(600, 600 * part + 1))
        await store.addSummary('s', { text, embedding: [1, part] })
        kept.push(text)
      }
      await store.trim('s', { maxEntries: 5 })
      await store.sweep('s')
      const found = async () => (await store.recall('s', [1, 0], { k: 9 })).map(({ summary }) => summary.text)
      same(await found(), kept, 'what is recalled after a sweep')
      await store.addMessages('s', turns(600))
      await store.trim('s', { maxEntries: 5 })
      await store.sweep()
      same(await found(), kept, 'what is recalled after another one')
      same((await store.verify('s')).ok, true, 'what verify says')
    },
  },
  {
    id: 'recall.2/gone-and-imported-again',
    clause: 'recall.2',
    level: 'full',
    title: 'recall in an imported session finds nothing of the session it replaced',
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
    id: 'recall.3/other-dimensions',
    clause: 'recall.3',
    level: 'full',
    needs: ['bytes', 'codes'],
    title: 'other dimensions are rejected, and the error has both numbers',
    async run({ store }) {
      await store.addSummary('s', { text: 'a', embedding: [1, 2, 3] })
      await assert.rejects(store.recall('s', [1, 2]), {
        code: 'DIMENSION_MISMATCH',
        expected: 3,
        actual: 2,
        message: /\b2\b.*\b3\b/,
      })
      await assert.rejects(store.recall('s', new Float32Array(4)), { code: 'DIMENSION_MISMATCH', actual: 4 })
      const noVectors = [
        '123',
        3,
        null,
        {},
        [],
        ['1', '2', '3'],
        [1, '2', 3],
        [1, 2, Number.NaN],
        [1, 2, 1e300],
        [[1, 2, 3]],
      ]
      for (const wrong of [...noVectors, Uint8Array.of(1, 2, 3), Float64Array.of(1, 2, 3), { 0: 1, length: 1 }]) {
        await assert.rejects(store.recall('s', wrong as never), { name: 'TypeError', code: 'INVALID_ARGUMENT' })
      }
      assert.equal((await store.recall('s', [1, 2, 3])).length, 1)
      await store.saveSnapshot('s', { id: 'three' })
      const { seq } = await store.addSummary('s', { text: 'b', embedding: [1, 2] })
      for (const query of [
        [1, 2, 3],
        [1, 2],
      ]) {
        await assert.rejects(store.recall('s', query), { code: 'DIMENSION_MISMATCH', actual: query.length })
      }
      same(
        (await store.recall('s', [1, 2, 3], { at: 'three' })).map(({ summary }) => summary.text),
        ['a'],
      )
      await store.rewind('s', { to: seq - 1 })
      assert.equal((await store.recall('s', [1, 2, 3])).length, 1)
    },
  },
  {
    id: 'recall.4/bit-by-bit',
    clause: 'recall.4',
    level: 'full',
    needs: ['bytes'],
    title: 'embeddings come back bit for bit',
    async run({ store }) {
      const bits = Uint32Array.of(0x00000001, 0x80000000, 0x7f7fffff, 0xff7fffff, 0x3dcccccd, 0x33d6bf95)
      const embedding = new Float32Array(bits.buffer)
      const padded = new Float32Array([9, ...embedding, 9]).subarray(1, 7)
      await store.addMessages('s', turns(1))
      await store.addSummary('s', { text: 'a', embedding: padded })
      same((await store.recall('s', embedding))[0]?.summary.embedding, embedding)
      const [entry] = await store.getEntries('s', { kinds: ['summary'] })
      same(entry?.kind === 'summary' ? entry.summary.embedding : undefined, embedding)
      const next = numbers(7)
      const long = Float32Array.from({ length: 3072 }, next)
      await store.addMessages('t', turns(2))
      await store.compact('t', { keep: 1, summarize: () => ({ text: 'b', embedding: long }) })
      same((await store.recall('t', long))[0]?.summary.embedding, long)
    },
  },
  {
    id: 'recall.5/embeddings-that-another-handle-changed',
    clause: 'recall.5',
    level: 'full',
    needs: ['bytes'],
    title: 'recall uses embeddings that another handle changed by importing the session again',
    async run({ store, again }) {
      const other = await again()
      const vectors = [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ]
      const nearest = async (query: number[]) => (await store.recall('s', query, { k: 1 }))[0]?.summary.text
      for (const [index, embedding] of vectors.entries()) await store.addSummary('s', { text: `${index}`, embedding })
      for (const changed of [0, 1, 2, 0]) {
        for (const [index, query] of vectors.entries()) same(await nearest(query), `${index}`)
        vectors[changed] = vectors[changed]?.map((number) => -2 * number) ?? []
        const copy = await other.exportSession('s')
        const entries = copy.entries.map((entry, index) => {
          const summary = { text: `${index}`, embedding: Float32Array.from(vectors[index] ?? []) }
          return { ...entry, ...encodeEntry('summary', summary, 'summary') }
        })
        await other.deleteSession('s')
        await other.importSession({ ...copy, entries })
      }
      for (const [index, query] of vectors.entries()) same(await nearest(query), `${index}`)
    },
  },
]
