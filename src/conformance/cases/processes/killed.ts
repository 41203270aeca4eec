import assert from 'node:assert/strict'
import { setImmediate as tick } from 'node:timers/promises'
import { after } from '../../../plain/after.ts'
import type { FullStore, RemoteHandle } from '../../case.ts'
import { same } from '../helpers/same.ts'
import { richTurns, texts, turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

const processes = { level: 'processes', needs: ['persistent', 'processes'] } as const

/** A turn that takes long to write: a store that rewrites the conversation with every turn is busy with it for a while. */
const longTurn = { role: 'user' as const, content: `${'long '.repeat(200_000)}end` }

const batchSize = 150
const batch = (name: string) => turns(batchSize).map((turn) => ({ ...turn, content: name }))

/** Every acknowledged batch exists, and every other one exists completely or not at all. */
async function nothingTorn(store: FullStore, session: string, names: string[], acknowledged: Set<string>) {
  const kept = texts(await store.getHistory(session)).filter((text) => text !== longTurn.content)
  let expected = 0
  for (const name of names) {
    const count = kept.filter((text) => text === name).length
    const allowed = acknowledged.has(`${session} ${name}`) ? [batchSize] : [0, batchSize]
    assert.ok(allowed.includes(count), `${session}, batch ${name}: ${count} turns of ${batchSize} are there`)
    expected += count
  }
  same(kept.length, expected, 'nothing else is there')
}

/** A server may finish what a process sent before it was killed, so complete batches can still appear. */
async function goesOn(store: FullStore, session: string): Promise<void> {
  const before = (await store.getHistory(session)).length
  await store.addMessages(session, turns(1))
  const grown = (await store.getHistory(session)).length - before
  same(grown % batchSize, 1, `the session goes on: one turn and whole batches of ${batchSize}, not ${grown} turns`)
}

/**
 * Lets a process write batches to sessions, all at once, and kills it when the first is seen, or some are acknowledged and part of the time
 * that one took has passed. Returns the acknowledged ones. Concurrent readers see no partial batch.
 */
async function killAmidWrites(
  store: FullStore,
  writer: RemoteHandle,
  sessions: string[],
  names: string[],
  round: number,
) {
  const lengths = new Map<string, number>()
  for (const id of sessions) lengths.set(id, (await store.getHistory(id)).length)
  const acknowledged = new Set<string>()
  const began = performance.now()
  let underWay = sessions.length * names.length
  const writes = names.flatMap((name) =>
    sessions.map(async (id) => {
      await writer.store.addMessages(id, batch(name)).finally(() => {
        underWay -= 1
      })
      acknowledged.add(`${id} ${name}`)
    }),
  )
  const settled = Promise.allSettled(writes)
  let [isSeen, isKilled] = [false, false]
  const look = async () => {
    for (let turn = 0; !isKilled; turn++) {
      const id = sessions[turn % sessions.length] ?? ''
      const [before, { length }] = [lengths.get(id) ?? 0, await store.getHistory(id)]
      const isWhole = length >= before && (length - before) % batchSize === 0
      assert.ok(isWhole, `${id}: a reader saw ${length} turns after ${before}, where ${batchSize} are added at a time`)
      lengths.set(id, length)
      isSeen ||= length > before
      await tick()
    }
  }
  const looking = look()
  looking.catch(() => {})
  const isTime = () => acknowledged.size > round * sessions.length || (round === 0 && isSeen)
  while (!isTime() && underWay > 0) await tick()
  const timeOfAWrite = (performance.now() - began) / Math.max(1, acknowledged.size)
  if (round > 0) await after(timeOfAWrite * (round === 1 ? 0.4 : 0.7)).promise
  await writer.kill()
  isKilled = true
  await Promise.all([settled, looking])
  return acknowledged
}

export const killed: WrittenCase[] = [
  {
    ...processes,
    id: 'processes.2/killed-between-two-writes',
    clause: 'processes.2',
    title: 'acknowledged turns survive when their process is killed',
    async run({ store, again, inProcess }) {
      const long = ['long 1', 'long 2', 'long 3', 'long 4']
      for (const id of long) await store.addMessages(id, [longTurn])
      for (let round = 0; round < 3; round++) {
        const writer = await inProcess()
        await writer.store.addMessages('s', turns(2, round * 3 + 1))
        await writer.store.addMessages('s', turns(1, round * 3 + 3))
        if (round > 0) await Promise.all(long.map((id) => writer.store.addMessages(id, turns(1, round))))
        await writer.kill()
        same(texts(await store.getHistory('s')), texts(turns(round * 3 + 3)))
      }
      const next = await again()
      same(texts(await next.getHistory('s')), texts(turns(9)))
      for (const id of long) same(await next.getHistory(id), [longTurn, ...turns(2)], 'a long conversation')
    },
  },
  {
    ...processes,
    id: 'processes.2/killed-within-a-batch',
    clause: 'processes.2',
    title: 'a process killed while writing loses nothing it acknowledged and leaves no partial batch',
    async run({ store, inProcess }) {
      const names = Array.from({ length: 20 }, (_, number) => `${number}`)
      for (let round = 0; round < 3; round++) {
        const id = `round ${round}`
        const acknowledged = await killAmidWrites(store, await inProcess(), [id], names, round)
        await nothingTorn(store, id, names, acknowledged)
        await goesOn(store, id)
      }
    },
  },
  {
    ...processes,
    id: 'processes.2/killed-writing-long-conversations',
    clause: 'processes.2',
    title: 'a process killed while writing to several long conversations leaves each of them intact for others',
    async run({ store, inProcess }) {
      const sessions = ['a', 'b', 'c', 'd']
      for (const id of sessions) await store.addMessages(id, [longTurn])
      const acknowledged = new Set<string>()
      const names: string[] = []
      for (let round = 0; round < 3; round++) {
        const fresh = Array.from({ length: 6 }, (_, number) => `${round}.${number}`)
        names.push(...fresh)
        for (const one of await killAmidWrites(store, await inProcess(), sessions, fresh, round)) acknowledged.add(one)
        for (const id of sessions) {
          same((await store.getHistory(id))[0], longTurn, 'the conversation before it was killed')
          await nothingTorn(store, id, names, acknowledged)
        }
      }
      for (const id of sessions) await goesOn(store, id)
    },
  },
  {
    ...processes,
    id: 'processes.5/killed-after-a-rollback',
    clause: 'processes.5',
    title: 'an acknowledged snapshot and rollback survive when their process is killed',
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
      const saver = await inProcess()
      await saver.store.addMessages('s', [...richTurns])
      const { id: late } = await saver.store.saveSnapshot('s')
      await saver.kill()
      assert.notEqual(late, id, 'every snapshot has an id of its own, whichever process saved it')
      const listed = (await store.listSnapshots('s')).map((snapshot) => snapshot.id)
      for (const one of [id, late])
        assert.ok(listed.includes(one), 'a snapshot is gone with the process that was killed')
      await store.rollbackToSnapshot('s', id)
      same(await store.getHistory('s'), turns(50))
      await store.rollbackToSnapshot('s', late)
      same(await store.getHistory('s'), [...turns(50), ...richTurns])
    },
  },
]
