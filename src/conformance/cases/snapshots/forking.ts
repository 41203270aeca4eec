import assert from 'node:assert/strict'
import type { FullStore } from '../../case.ts'
import { same } from '../helpers/same.ts'
import { texts, toolResult, turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'
import { fill } from './helpers/filled-session.ts'

/** A path of many pieces that are not in the order of their seqs, and summaries of every range of seqs. */
async function coverEveryRange(store: FullStore): Promise<void> {
  const piece = (number: number) => [
    { kind: 'record' as const, record: { type: 't', number } },
    { kind: 'message' as const, message: { role: 'user', content: `${number}` } },
  ]
  await store.addEntries('many', [0, 1, 2, 3, 4, 5].flatMap(piece))
  await store.trim('many', { maxEntries: 2 })
  await store.compact('many', { keep: 1, summarize: () => 'sum' })
  await store.addMessages('many', turns(2))
  const ranges = Array.from({ length: 15 }, (_, from) =>
    Array.from({ length: 15 - from }, (__, more): [number, number] => [from + 1, from + 1 + more]),
  ).flat()
  for (const covers of ranges) await store.addSummary('many', { text: `${covers}`, covers: [covers] })
  const seqs = (await store.getEntries('many')).map(({ seq }) => seq)
  await store.fork('many', 'copy of many')
  for (const entry of await store.getEntries('copy of many', { kinds: ['summary'] })) {
    if (entry.kind !== 'summary' || entry.standsIn) continue
    const [from = 0, to = 0] = entry.summary.text.split(',').map(Number)
    const expected = seqs.flatMap((seq, index) => (seq >= from && seq <= to ? [index + 1] : []))
    const told = (entry.summary.covers ?? []).flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, index) => first + index),
    )
    same(told, expected, `what covered ${from} to ${to}, in the numbers of the fork`)
  }
}

export const forking: WrittenCase[] = [
  {
    id: 'forking.1/goes-its-own-way',
    clause: 'forking.1',
    level: 'snapshots',
    needs: ['versions', 'bytes'],
    title: 'a fork is an independent copy',
    async run({ store }) {
      await fill(store)
      const content = async (id: string, at?: string) =>
        (await store.getEntries(id, { at })).map(({ seq, at: time, ...entry }) => entry)
      const { id: at } = await store.saveSnapshot('s')
      const atSnapshot = await content('s')
      await store.addMessages('s', turns(2, 40))
      assert.equal((await store.fork('s', 'now')).entries, 7)
      assert.equal((await store.fork('s', 'then', { at })).entries, 5)
      assert.equal((await store.fork('s', 'sibling')).entries, 7)
      same(
        (await store.getEntries('then')).map(({ seq }) => seq),
        [1, 2, 3, 4, 5],
      )
      same(await content('now'), await content('s'))
      same(await content('then'), atSnapshot)
      const own = texts(await store.getHistory('s'))
      await store.addMessages('now', turns(1, 90))
      await store.clear('then')
      await store.addMessages('s', [...turns(1, 91), toolResult('c')])
      await store.recordToolCall('s', { id: 'late', name: 'n' })
      await store.addSummary('s', { text: 'late' })
      same(texts(await store.getHistory('now')), [...own, 'turn 90'])
      same(texts(await store.getHistory('s')), [...own, 'turn 91', 'result of c'])
      same(texts(await store.getHistory('sibling')), own)
      same(await content('s', at), atSnapshot)
      same(await store.listSnapshots('now'), [])
      same(await store.listSnapshots('then'), [])
      await store.deleteSession('s')
      assert.equal((await store.getEntries('now')).length, 8)
      assert.equal((await store.getEntries('sibling')).length, 7)
    },
  },
  {
    id: 'forking.2/fork-over-existing',
    clause: 'forking.2',
    level: 'snapshots',
    needs: ['versions', 'codes'],
    title: 'forking into an existing session is rejected and changes nothing',
    async run({ store }) {
      await store.addMessages('s', turns(3))
      const { version } = await store.addMessages('t', turns(1, 9))
      await assert.rejects(store.fork('s', 't'), { code: 'SESSION_EXISTS', session: 't' })
      await assert.rejects(store.fork('s', 's'), { code: 'SESSION_EXISTS' })
      assert.equal((await store.getHistory('t')).version, version)
      same(texts(await store.getHistory('t')), ['turn 9'])
      await store.addMessages('cleared', turns(2))
      await store.clear('cleared')
      await store.saveSnapshot('empty')
      for (const target of ['cleared', 'empty']) {
        const before = await store.sessionInfo(target)
        await assert.rejects(store.fork('s', target), { code: 'SESSION_EXISTS', session: target })
        same(await store.sessionInfo(target), before)
      }
      const results = await Promise.allSettled([store.fork('s', 'u'), store.fork('s', 'u')])
      same(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
      same(await store.getHistory('u'), turns(3))
    },
  },
  {
    id: 'forking.4/unknown-source',
    clause: 'forking.4',
    level: 'snapshots',
    needs: ['codes'],
    title: 'forking a missing session is rejected and creates none',
    async run({ store }) {
      const unknown = { code: 'SESSION_NOT_FOUND', session: 'none' }
      await assert.rejects(store.fork('none', 't'), unknown)
      await assert.rejects(store.fork('none', 't', { at: 'snapshot' }), unknown)
      await store.addMessages('none', turns(1))
      await store.deleteSession('none')
      await assert.rejects(store.fork('none', 't'), unknown)
      assert.equal(await store.sessionInfo('t'), null)
      assert.equal(await store.sessionInfo('none'), null)
      await store.saveSnapshot('empty')
      assert.equal((await store.fork('empty', 't')).entries, 0)
    },
  },
  {
    id: 'forking.5/up-to-a-seq',
    clause: 'forking.5',
    level: 'snapshots',
    needs: ['versions', 'edits', 'codes'],
    title: 'a fork up to an entry has everything on the path up to it, now or at a snapshot',
    async run({ store }) {
      await store.addMessages('s', turns(8))
      await store.saveSnapshot('s', { id: 'eight' })
      await store.compact('s', { keep: 4, summarize: () => 'so far' })
      same((await store.getHistory('s')).seqs, [9, 5, 6, 7, 8])
      assert.equal((await store.fork('s', 'a', { to: 6 })).entries, 3)
      same(texts(await store.getHistory('a')), ['so far', 'turn 5', 'turn 6'])
      same((await store.getHistory('a')).seqs, [1, 2, 3])
      assert.equal((await store.fork('s', 'b', { to: 9 })).entries, 1)
      same(texts(await store.getHistory('b')), ['so far'])
      assert.equal((await store.fork('s', 'c', { at: 'eight', to: 3 })).entries, 3)
      same(await store.getHistory('c'), turns(3))
      await assert.rejects(store.fork('s', 'd', { to: 3 }), { code: 'SEQ_NOT_FOUND', seq: 3 })
      assert.equal(await store.sessionInfo('d'), null)
      await store.addMessages('long', turns(2500))
      assert.equal((await store.fork('long', 'most', { to: 2400 })).entries, 2400)
      same(await store.getHistory('most'), turns(2400))
    },
  },
  {
    id: 'forking.6/covers-in-the-new-numbers',
    clause: 'forking.6',
    level: 'snapshots',
    needs: ['versions', 'bytes'],
    title:
      'a fork renumbers what its summaries cover, leaves out what it does not have, and leaves fields of other kinds alone',
    async run({ store }) {
      await store.addMessages('other kinds', [{ role: 'user', content: 'x', covers: [[7, 9]] }])
      await store.recordToolCall('other kinds', { id: 'c', name: 'n', covers: [[7, 9]] })
      await store.fork('other kinds', 'copy of other kinds')
      for (const entry of await store.getEntries('copy of other kinds')) {
        const { covers } = (entry.kind === 'message' ? entry.message : entry.kind === 'toolCall' && entry.toolCall) as {
          covers?: unknown
        }
        same(covers, [[7, 9]], `what is called covers in a ${entry.kind}`)
      }
      const covers = async (id: string) =>
        (await store.getEntries(id, { kinds: ['summary'] })).map((entry) => entry.kind === 'summary' && entry.summary)
      await store.addMessages('s', turns(6))
      const embedding = Float32Array.of(0.5, -1)
      await store.addSummary('s', {
        text: 'some',
        covers: [
          [2, 3],
          [5, 9],
        ],
        embedding,
        note: { bytes: new Uint8Array([7]) },
      })
      await store.addSummary('s', { text: 'none' })
      await store.trim('s', { maxEntries: 4 })
      await store.addMessages('s', turns(1, 7))
      same(
        (await store.getEntries('s')).map(({ seq }) => seq),
        [3, 4, 5, 6, 7, 8, 9],
      )
      await store.fork('s', 't')
      same(await covers('t'), [
        {
          text: 'some',
          covers: [
            [1, 1],
            [3, 7],
          ],
          embedding,
          note: { bytes: new Uint8Array([7]) },
        },
        { text: 'none' },
      ])
      assert.equal('covers' in ((await covers('t'))[1] || {}), false)
      await store.compact('s', { keep: 2, summarize: () => 'so far' })
      same(
        (await store.getEntries('s')).map(({ seq }) => seq),
        [10, 6, 7, 8, 9],
      )
      await store.fork('s', 'u')
      same(await covers('u'), [{ text: 'so far', covers: [] }, { text: 'some', covers: [[2, 5]] }, { text: 'none' }])
      same(
        (await covers('s'))[1],
        {
          covers: [
            [2, 3],
            [5, 9],
          ],
        },
        'the source is as it was',
      )
      await coverEveryRange(store)
    },
  },
]
