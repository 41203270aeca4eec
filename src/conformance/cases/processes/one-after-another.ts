import assert from 'node:assert/strict'
import { setImmediate as tick } from 'node:timers/promises'
import type { Case } from '../../case.ts'
import { same } from '../../same.ts'
import { texts, turns } from '../../samples.ts'

const processes = { level: 'processes', needs: ['addMessages', 'getHistory', 'persistent', 'processes'] } as const
const snapshots = { ...processes, needs: [...processes.needs, 'saveSnapshot', 'rollbackToSnapshot'] } as const

export const oneAfterAnother: Case[] = [
  {
    ...processes,
    id: 'processes.1/the-next-process-goes-on',
    clause: 'processes.1',
    title: 'what a process wrote before it ended, with and without closing, is read by the next, which goes on',
    async run({ store, close, again, inProcess }) {
      await close(store)
      const first = await inProcess()
      await first.store.addMessages('s', turns(1200))
      await first.store.addMessages('other', turns(1))
      await first.finish()
      const second = await inProcess()
      same(await second.store.getHistory('s'), turns(1200))
      await second.store.addMessages('s', turns(3, 1201))
      await second.leave()
      const third = await inProcess()
      same(await third.store.getHistory('s'), turns(1203))
      same(await third.store.getHistory('other'), turns(1))
      await third.finish()
      same(await (await again()).getHistory('s'), turns(1203))
    },
  },
  {
    ...processes,
    needs: [...processes.needs, 'trim', 'clear'],
    id: 'processes.1/what-was-cut-stays-cut',
    clause: 'processes.1',
    title: 'what a process trimmed and cleared before it ended stays so for the next',
    async run({ inProcess, store }) {
      await store.addMessages('trimmed', turns(20))
      await store.addMessages('cleared', turns(20))
      const first = await inProcess()
      await first.store.trim('trimmed', { maxEntries: 4 })
      await first.store.clear('cleared')
      await first.leave()
      const second = await inProcess()
      same(texts(await second.store.getHistory('trimmed')), texts(turns(4, 17)))
      same(await second.store.getHistory('cleared'), [])
      await second.store.addMessages('cleared', turns(1))
      await second.finish()
      same(await store.getHistory('cleared'), turns(1))
    },
  },
  {
    ...processes,
    id: 'processes.2/killed-between-two-writes',
    clause: 'processes.2',
    title: 'what was acknowledged is there after the process that wrote it was killed',
    async run({ store, again, inProcess }) {
      for (let round = 0; round < 3; round++) {
        const writer = await inProcess()
        await writer.store.addMessages('s', turns(2, round * 3 + 1))
        await writer.store.addMessages('s', turns(1, round * 3 + 3))
        await writer.kill()
        same(texts(await store.getHistory('s')), texts(turns(round * 3 + 3)))
      }
      same(texts(await (await again()).getHistory('s')), texts(turns(9)))
    },
  },
  {
    ...processes,
    id: 'processes.2/killed-in-the-middle-of-a-batch',
    clause: 'processes.2',
    title: 'a process killed in the middle of its writes loses nothing it acknowledged and leaves no batch in part',
    async run({ store, inProcess }) {
      const size = 150
      for (let round = 0; round < 3; round++) {
        const id = `round ${round}`
        const writer = await inProcess()
        const acknowledged = new Set<number>()
        const writes = Array.from({ length: 20 }, async (_, batch) => {
          await writer.store.addMessages(
            id,
            turns(size).map((turn) => ({ ...turn, content: `${batch}` })),
          )
          acknowledged.add(batch)
        })
        const settled = Promise.allSettled(writes)
        while ((await store.getHistory(id)).length <= round * size) await tick()
        await writer.kill()
        await settled
        const kept = texts(await store.getHistory(id))
        for (let batch = 0; batch < writes.length; batch++) {
          const count = kept.filter((text) => text === `${batch}`).length
          const allowed = acknowledged.has(batch) ? [size] : [0, size]
          assert.ok(allowed.includes(count), `batch ${batch}: ${count} turns of ${size} are there`)
        }
        await store.addMessages(id, turns(1))
        same((await store.getHistory(id)).length, kept.length + 1, 'the session goes on')
      }
    },
  },
  {
    ...snapshots,
    needs: [...snapshots.needs, 'listSnapshots'],
    id: 'processes.5/saved-by-one-rolled-back-by-another',
    clause: 'processes.5',
    title: 'one process saves and exits, another rolls back, a third finds the conversation and every snapshot',
    async run({ store, close, inProcess }) {
      await close(store)
      const saver = await inProcess()
      await saver.store.addMessages('s', turns(3))
      const early = await saver.store.saveSnapshot('s')
      await saver.store.addMessages('s', turns(3, 4))
      const late = await saver.store.saveSnapshot('s')
      await saver.store.addMessages('s', turns(1, 7))
      await saver.leave()
      const roller = await inProcess()
      await roller.store.rollbackToSnapshot('s', early.id)
      same(await roller.store.getHistory('s'), turns(3))
      await roller.leave()
      const reader = await inProcess()
      same(await reader.store.getHistory('s'), turns(3))
      const listed = (await reader.store.listSnapshots('s')).map(({ id }) => id)
      for (const { id } of [early, late]) assert.ok(listed.includes(id), 'a saved snapshot is gone after the rollback')
      await reader.store.rollbackToSnapshot('s', late.id)
      same(await reader.store.getHistory('s'), turns(6))
      await reader.finish()
    },
  },
  {
    ...snapshots,
    id: 'processes.5/killed-after-a-rollback',
    clause: 'processes.5',
    title: 'a rollback that was acknowledged holds after its process was killed, and the snapshot can be used again',
    async run({ store, inProcess }) {
      await store.addMessages('s', turns(50))
      const { id } = await store.saveSnapshot('s')
      for (let round = 0; round < 2; round++) {
        await store.addMessages('s', turns(5, 60))
        const roller = await inProcess()
        await roller.store.rollbackToSnapshot('s', id)
        await roller.kill()
        same(await store.getHistory('s'), turns(50))
      }
    },
  },
  {
    ...processes,
    id: 'closing.4/a-process-ends-when-its-handles-are-closed',
    clause: 'closing.4',
    title: 'a process that closed its handle has nothing left to do and ends by itself',
    async run({ inProcess }) {
      const process = await inProcess()
      await process.store.addMessages('s', turns(3))
      same(await process.store.getHistory('s'), turns(3))
      await process.finish()
    },
  },
]
