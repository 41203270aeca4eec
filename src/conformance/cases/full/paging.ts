import assert from 'node:assert/strict'
import type { History } from '../../../core/types.ts'
import type { FullStore } from '../../case.ts'
import { same } from '../helpers/same.ts'
import { turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

/** More turns than any case has: a store whose pages never end is stopped here. */
const endless = 200

/** Reads from the end to the beginning, a page of n at a time. */
async function backwards(store: FullStore, last: number, at?: string): Promise<number[]> {
  const all: number[] = []
  for (let page = await store.getHistory('s', { last, at }); page.length > 0 && all.length < endless; ) {
    all.unshift(...page.seqs)
    page = await store.getHistory('s', { last, at, before: page.seqs[0] })
  }
  return all
}

/** Reads from the beginning to the end. */
async function forwards(store: FullStore, first: number, at?: string): Promise<number[]> {
  const all: number[] = []
  for (let page = await store.getHistory('s', { first, at }); page.length > 0 && all.length < endless; ) {
    all.push(...page.seqs)
    page = await store.getHistory('s', { first, at, after: page.seqs.at(-1) })
  }
  return all
}

const seqsOf = ({ seqs }: History) => [...seqs]

export const paging: WrittenCase[] = [
  {
    id: 'history.8/pages-in-both-directions',
    clause: 'history.8',
    level: 'full',
    needs: ['versions', 'windows', 'pages'],
    title: 'paging in either direction, with any page size, returns each turn once and in order',
    async run({ store }) {
      for (let part = 0; part < 5; part++) {
        await store.addMessages('s', turns(24, 24 * part + 1))
        await store.recordToolCall('s', { id: `c${part}`, name: 'tool' })
      }
      const { seqs } = await store.getHistory('s')
      for (const size of [1, 7, 50, 120, 1000]) {
        same(await backwards(store, size), seqs, `pages of ${size}, backwards`)
        same(await forwards(store, size), seqs, `pages of ${size}, forwards`)
      }
      same(await store.getHistory('s', { first: 3 }), turns(3))
      same(await store.getHistory('s', { last: 2, before: 25 }), turns(2, 23), 'before an entry that is no turn')
      same(await store.getHistory('s', { first: 2, after: 25 }), turns(2, 25), 'after an entry that is no turn')
      same(await store.getHistory('s', { after: 122 }), turns(2, 119))
      same(await store.getHistory('s', { before: 3 }), turns(2))
      same(await store.getHistory('s', { first: 1, before: 10 }), turns(1))
      same(await store.getHistory('s', { last: 1, after: 10 }), turns(1, 120))
      same(await store.getHistory('s', { first: 0 }), [])
      same(await store.getHistory('s', { first: 5, after: 125 }), [])
      const calls = await store.getEntries('s', { kinds: ['toolCall'], last: 2, before: 100 })
      same(
        calls.map(({ seq }) => seq),
        [50, 75],
      )
      const entries = await store.getEntries('s', { first: 3, after: 24 })
      same(
        entries.map(({ kind, seq }) => [kind, seq]),
        [
          ['toolCall', 25],
          ['message', 26],
          ['message', 27],
        ],
      )
    },
  },
  {
    id: 'history.8/pages-follow-the-path',
    clause: 'history.8',
    level: 'full',
    needs: ['versions', 'windows', 'pages'],
    title: 'pages follow the path, not the seqs, in the present and in a snapshot',
    async run({ store }) {
      await store.addMessages('s', [{ role: 'system', content: 'be brief' }, ...turns(8)])
      const { id } = await store.saveSnapshot('s')
      await store.compact('s', { keep: 4, summarize: () => 'what was said' })
      await store.addMessages('s', turns(2, 9))
      const path = [1, 10, 6, 7, 8, 9, 11, 12]
      same(seqsOf(await store.getHistory('s')), path)
      for (const size of [1, 3, 100]) {
        same(await backwards(store, size), path)
        same(await forwards(store, size), path)
        same(await backwards(store, size, id), [1, 2, 3, 4, 5, 6, 7, 8, 9])
        same(await forwards(store, size, id), [1, 2, 3, 4, 5, 6, 7, 8, 9])
      }
      same(seqsOf(await store.getHistory('s', { last: 5, before: 6 })), [1, 10])
      same(seqsOf(await store.getHistory('s', { first: 2, after: 10 })), [6, 7])
      await store.rollbackToSnapshot('s', id)
      await store.addMessages('s', turns(1, 9))
      same(await backwards(store, 2), [1, 2, 3, 4, 5, 6, 7, 8, 9, 13])
    },
  },
  {
    id: 'history.8/unread-seq-is-refused',
    clause: 'history.8',
    level: 'full',
    needs: ['versions', 'pages', 'codes'],
    title: 'a page next to a seq that is not on the path is rejected, not returned empty',
    async run({ store }) {
      const unknown = { code: 'SEQ_NOT_FOUND' }
      await assert.rejects(store.getHistory('s', { before: 1 }), unknown)
      await store.addMessages('s', turns(6))
      const { id } = await store.saveSnapshot('s')
      await store.rewind('s', { to: 5 })
      await store.addMessages('s', turns(1, 6))
      await store.trim('s', { maxEntries: 3 })
      for (const seq of [1, 3, 6, 8, 1000]) {
        await assert.rejects(store.getHistory('s', { last: 2, before: seq }), unknown, `before ${seq}`)
        await assert.rejects(store.getEntries('s', { first: 2, after: seq }), unknown, `after ${seq}`)
      }
      same(seqsOf(await store.getHistory('s', { before: 7 })), [4, 5])
      same(seqsOf(await store.getHistory('s', { at: id, last: 2, before: 6 })), [4, 5])
      await assert.rejects(store.getHistory('s', { at: id, before: 7 }), unknown)
    },
  },
  {
    id: 'history.8/senseless-pages',
    clause: 'history.8',
    level: 'full',
    needs: ['pages', 'codes'],
    title: 'contradictory page options are rejected',
    async run({ store }) {
      await store.addMessages('s', turns(4))
      const invalid = { name: 'TypeError', code: 'INVALID_ARGUMENT' }
      for (const page of [
        { first: 1, last: 1 },
        { before: 3, after: 1 },
        { first: -1 },
        { before: 0 },
        { after: 1.5 },
        { after: '1' as never },
      ]) {
        await assert.rejects(store.getHistory('s', page), invalid)
        await assert.rejects(store.getEntries('s', page), invalid)
      }
      await assert.rejects(store.getHistory('s', { first: 1, maxEntries: 1 }), invalid)
      await assert.rejects(store.getHistory('s', { before: 3, maxEntries: 1 }), invalid)
    },
  },
]
