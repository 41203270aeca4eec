import assert from 'node:assert/strict'
import type { FullStore } from '../../case.ts'
import { same } from '../helpers/same.ts'
import { turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'
import { fill } from './helpers/filled-session.ts'

const ids = async (store: FullStore, automatic = false) =>
  (await store.listSnapshots('s')).filter((snapshot) => snapshot.automatic === automatic).map(({ id }) => id)

export const rollingBack: WrittenCase[] = [
  {
    id: 'snapshots.1/exact-state-comes-back',
    clause: 'snapshots.1',
    level: 'snapshots',
    needs: ['bytes'],
    title: 'a rollback brings back the exact state, including summaries and tool calls',
    async run({ store }) {
      await fill(store)
      const before = await store.getEntries('s')
      const { id } = await store.saveSnapshot('s', { label: 'before' })
      for (const change of [
        () => store.addMessages('s', turns(5, 100)),
        () => store.trim('s', { maxEntries: 1 }),
        () => store.clear('s'),
        () => store.compact('s', { keep: 0, summarize: () => 'x' }),
        () => store.rewind('s', { to: 1 }),
        () => store.sweep(),
      ]) {
        await change()
        await store.rollbackToSnapshot('s', id)
        same(await store.getEntries('s'), before)
      }
    },
  },
  {
    id: 'snapshots.2/earlier-and-later-survive',
    clause: 'snapshots.2',
    level: 'snapshots',
    title: 'every saved snapshot survives every rollback, earlier and later ones',
    async run({ store }) {
      const saved: { id: string; entries: unknown[] }[] = []
      for (let round = 0; round < 12; round++) {
        await store.addMessages('s', turns(2, round * 2 + 1))
        const { id } = await store.saveSnapshot('s', { label: `round ${round}` })
        saved.push({ id, entries: await store.getEntries('s') })
      }
      const order = [5, 0, 11, 3, 3, 8, 1, 10, 2, 7, 4, 9, 6]
      for (const target of order) {
        await store.rollbackToSnapshot('s', saved[target]?.id ?? '')
        same(await store.getEntries('s'), saved[target]?.entries)
        await store.addMessages('s', turns(1, 500 + target))
        same(
          await ids(store),
          saved.map(({ id }) => id),
        )
      }
      await store.sweep()
      for (const { id, entries } of saved) same(await store.getEntries('s', { at: id }), entries)
    },
  },
  {
    id: 'snapshots.3/rollback-rolled-back',
    clause: 'snapshots.3',
    level: 'snapshots',
    needs: ['bytes'],
    title: 'the previous state is kept, and a rollback can be rolled back',
    async run({ store }) {
      await fill(store)
      const { id } = await store.saveSnapshot('s')
      await store.addMessages('s', turns(4, 50))
      const left = await store.getEntries('s')
      const { leftBehind } = await store.rollbackToSnapshot('s', id)
      same(await ids(store, true), [leftBehind])
      await store.addMessages('s', turns(1, 60))
      await store.rollbackToSnapshot('s', leftBehind)
      same(await store.getEntries('s'), left)
    },
  },
  {
    id: 'snapshots.3/newest-ten-stay',
    clause: 'snapshots.3',
    level: 'snapshots',
    needs: ['bytes'],
    title: 'the newest ten automatic snapshots stay, and the rollback target is never dropped',
    async run({ store }) {
      await fill(store)
      const { id } = await store.saveSnapshot('s')
      const left: string[] = []
      for (let round = 0; round < 15; round++) {
        await store.addMessages('s', turns(1, round))
        left.push((await store.rollbackToSnapshot('s', id)).leftBehind)
      }
      same(await ids(store, true), left.slice(-10))
      const oldest = left[5] ?? ''
      const expected = await store.getEntries('s', { at: oldest })
      for (let round = 0; round < 12; round++) {
        await store.rollbackToSnapshot('s', oldest)
        same(await store.getEntries('s'), expected)
      }
      assert.ok((await ids(store, true)).includes(oldest), 'the one rolled back to was dropped')
      same(await ids(store), [id])
    },
  },
  {
    id: 'snapshots.8/turns-added-meanwhile',
    clause: 'snapshots.8',
    level: 'snapshots',
    needs: ['versions'],
    title: 'a rollback loses none of the turns that others add at the same time',
    async run({ store, again }) {
      const other = await again()
      await store.addMessages('s', turns(4))
      const { id } = await store.saveSnapshot('s')
      const adding = Array.from({ length: 8 }, async (_, writer) => {
        const seqs: number[] = []
        const handle = writer % 2 === 0 ? store : other
        for (let turn = 0; turn < 20; turn++) seqs.push(...(await handle.addMessages('s', turns(1, 100 + turn))).seqs)
        return seqs
      })
      const states: string[] = []
      for (let round = 0; round < 4; round++) states.push((await store.rollbackToSnapshot('s', id)).leftBehind)
      const added = (await Promise.all(adding)).flat()
      const now = (await store.getHistory('s')).seqs
      const seen = [now]
      for (const at of states) seen.push((await store.getHistory('s', { at })).seqs)
      for (const seqs of seen) same(seqs.slice(0, 4), [1, 2, 3, 4])
      const read = seen.flatMap((seqs) => seqs.slice(4)).sort((a, b) => a - b)
      same(
        read,
        added.sort((a, b) => a - b),
      )
    },
  },
]
