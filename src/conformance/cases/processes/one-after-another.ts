import assert from 'node:assert/strict'
import { hostileIds } from '../helpers/hostile-ids.ts'
import { same } from '../helpers/same.ts'
import { richTurns, texts, turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

const processes = { level: 'processes', needs: ['persistent', 'processes'] } as const

export const oneAfterAnother: WrittenCase[] = [
  {
    ...processes,
    id: 'processes.1/the-next-process-goes-on',
    clause: 'processes.1',
    title: 'the next process reads what the last one wrote, closed or not, and continues',
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
    id: 'processes.1/every-field-of-every-session',
    clause: 'processes.1',
    title: 'another process sees every field and every session, whatever its id',
    async run({ store, inProcess }) {
      const ids = [...hostileIds, 'a b', 'a+b', '.', '..']
      const said = (id: string) => [{ role: 'user' as const, content: id, metadata: { id } }, ...richTurns]
      const first = await inProcess()
      await Promise.all(ids.map((id) => first.store.addMessages(id, said(id))))
      await first.leave()
      for (const id of ids) same(await store.getHistory(id), said(id), `session ${JSON.stringify(id)}`)
    },
  },
  {
    ...processes,
    needs: ['persistent', 'processes', 'bytes'],
    id: 'processes.1/every-kind-and-bytes',
    clause: 'processes.1',
    title: 'another process reads entries of every kind, with their bytes, exactly the same',
    async run({ store, inProcess }) {
      const first = await inProcess()
      const said = [{ role: 'user' as const, content: 'bytes', data: Uint8Array.of(255, 0, 254) }, ...richTurns]
      await first.store.addMessages('s', said)
      const call = { id: 'c', name: 'n', arguments: { a: 1 }, result: { bytes: Uint8Array.of(1, 0) } }
      await first.store.recordToolCall('s', call)
      await first.store.addSummary('s', { text: 'sum', embedding: Float32Array.of(0.1, -1, 3e-45) })
      const there = await first.store.getEntries('s')
      await first.leave()
      const here = await store.getEntries('s')
      same(here, there, 'the same for both')
      const messages = here.flatMap((entry) => (entry.kind === 'message' ? [entry.message] : []))
      const calls = here.flatMap((entry) => (entry.kind === 'toolCall' ? [entry.toolCall] : []))
      const sums = here.flatMap((entry) => (entry.kind === 'summary' ? [entry.summary] : []))
      same(messages, said)
      same(calls, [call])
      same(sums, [{ text: 'sum', embedding: Float32Array.of(0.1, -1, 3e-45) }])
    },
  },
  {
    ...processes,
    id: 'processes.1/what-was-cut-stays-cut',
    clause: 'processes.1',
    title: 'what one process trimmed or cleared stays removed for the next one',
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
    id: 'processes.5/one-saves-another-rolls-back',
    clause: 'processes.5',
    title: 'one process saves and exits, another rolls back, a third finds the conversation and every snapshot',
    async run({ store, close, inProcess }) {
      await close(store)
      const saver = await inProcess()
      await saver.store.addMessages('s', turns(3))
      const early = await saver.store.saveSnapshot('s')
      await saver.store.addMessages('s', [...turns(3, 4), ...richTurns])
      const late = await saver.store.saveSnapshot('s')
      await saver.store.addMessages('s', turns(1, 7))
      await saver.leave()
      const roller = await inProcess()
      await roller.store.rollbackToSnapshot('s', early.id)
      same(await roller.store.getHistory('s'), turns(3))
      await roller.leave()
      const reader = await inProcess()
      same(await reader.store.getHistory('s'), turns(3))
      const own = await reader.store.saveSnapshot('s')
      const ids = [early, late, own].map(({ id }) => id)
      same(new Set(ids).size, 3, 'every snapshot has an id of its own, whichever process saved it')
      const listed = (await reader.store.listSnapshots('s')).map(({ id }) => id)
      for (const id of ids) assert.ok(listed.includes(id), 'a saved snapshot is gone after the rollback')
      await reader.store.rollbackToSnapshot('s', late.id)
      same(await reader.store.getHistory('s'), [...turns(6), ...richTurns])
      await reader.store.rollbackToSnapshot('s', own.id)
      same(await reader.store.getHistory('s'), turns(3))
      await reader.finish()
    },
  },
  {
    ...processes,
    id: 'closing.4/process-ends-by-itself',
    clause: 'closing.4',
    title: 'a process that closed its handle ends by itself',
    async run({ inProcess }) {
      const process = await inProcess()
      await process.store.addMessages('s', turns(3))
      same(await process.store.getHistory('s'), turns(3))
      await process.finish()
    },
  },
]
