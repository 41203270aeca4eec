import assert from 'node:assert/strict'
import { same } from '../helpers/same.ts'
import { texts, toolResult, turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'
import { fill } from './helpers/filled-session.ts'

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
]
