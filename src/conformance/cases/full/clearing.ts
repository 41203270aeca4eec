import assert from 'node:assert/strict'
import { same } from '../helpers/same.ts'
import { texts, turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

export const clearing: WrittenCase[] = [
  {
    id: 'clearing.1/cleared-keeps-snapshots',
    clause: 'clearing.1',
    level: 'full',
    title: 'a cleared session is empty, keeps its snapshots and continues',
    async run({ store }) {
      await store.addMessages('s', turns(1200))
      await store.addSummary('s', { text: 'x', embedding: [1] })
      const snapshot = await store.saveSnapshot('s')
      await store.clear('s')
      same(await store.getEntries('s'), [])
      same(await store.recall('s', [1]), [])
      same(
        (await store.listSnapshots('s')).map(({ id }) => id),
        [snapshot.id],
      )
      await store.addMessages('s', turns(1, 7))
      same(await store.getHistory('s'), turns(1, 7))
      await store.rollbackToSnapshot('s', snapshot.id)
      assert.equal((await store.getEntries('s')).length, 1201)
    },
  },
  {
    id: 'clearing.2/clear-all-deletes-none',
    clause: 'clearing.2',
    level: 'full',
    title: 'clearAll clears every session and deletes none',
    async run({ store }) {
      const ids = Array.from({ length: 103 }, (_, index) => `session ${index}`)
      await Promise.all(ids.map((id) => store.addMessages(id, turns(2))))
      assert.equal(await store.clearAll(), 103)
      const histories = await Promise.all(ids.map((id) => store.getHistory(id)))
      same(
        ids.filter((_, index) => histories[index]?.length !== 0),
        [],
        'sessions that were not cleared',
      )
      const { sessions, cursor } = await store.listSessions({ limit: 2000 })
      same([sessions.length, cursor], [103, null])
      assert.equal(await store.deleteAllSessions(), 103)
      same(await store.listSessions(), { sessions: [], damaged: [], cursor: null })
    },
  },
  {
    id: 'clearing.3/erases-no-other',
    clause: 'clearing.3',
    level: 'full',
    needs: ['versions', 'codes'],
    title: 'deleting a session erases it and no other',
    async run({ store }) {
      const others = ['a ', 'A', 'ab', 'a:b', 'a/b', '*', 'a%']
      for (const id of ['a', ...others]) {
        await store.addMessages(id, turns(2))
        await store.saveSnapshot(id, { id: 'p' })
      }
      assert.equal(await store.deleteSession('a'), true)
      assert.equal(await store.deleteSession('a'), false)
      same(await store.getHistory('a'), [])
      same(await store.listSnapshots('a'), [])
      await assert.rejects(store.rollbackToSnapshot('a', 'p'), { code: 'SNAPSHOT_NOT_FOUND' })
      same((await store.addMessages('a', turns(1))).seqs, [1])
      assert.equal(await store.deleteSession('*'), true)
      assert.equal(await store.deleteSession('a%'), true)
      for (const id of others.slice(0, 5)) {
        assert.equal((await store.getHistory(id)).length, 2, id)
        assert.equal((await store.listSnapshots(id)).length, 1, id)
      }
    },
  },
  {
    id: 'clearing.3/never-mixed-with-successor',
    clause: 'clearing.3',
    level: 'full',
    title: 'a read of many entries never mixes a deleted session with its successor',
    async run({ store }) {
      const generation = (name: number) =>
        Array.from({ length: 2100 }, () => ({ role: 'user' as const, content: `generation ${name}` }))
      await store.addMessages('s', generation(0))
      let working = true
      const mixed: string[] = []
      const renew = async () => {
        for (let name = 1; name <= 5; name++) {
          await store.deleteSession('s')
          await store.addMessages('s', generation(name))
        }
      }
      const read = async () => {
        while (working && mixed.length === 0) {
          const contents = new Set(texts(await store.getHistory('s')))
          if (contents.size > 1) mixed.push([...contents].join(', '))
        }
      }
      const renewed = renew().finally(() => {
        working = false
      })
      await Promise.all([renewed, read()])
      same(mixed, [], 'a read of several generations')
    },
  },
]
