import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { MemoryStore } from 'unforget'
import { MemoryBackend } from 'unforget/memory'
import { PostgresBackend } from 'unforget/postgres'
import { RedisBackend } from 'unforget/redis'
import { SqliteBackend } from 'unforget/sqlite'
import { postgresServer, redisServer } from 'unforget/testing/servers'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

const redis = await redisServer()
const postgres = await postgresServer()
afterAll(async () => {
  await redis.stop()
  await postgres.stop()
})

/** Several handles on one new memory, each with its own connection. */
const handlesOn: Record<string, (count: number) => Promise<MemoryStore[]>> = {
  async memory(count) {
    const backend = new MemoryBackend()
    return Array.from({ length: count }, () => new MemoryStore(backend))
  },
  async sqlite(count) {
    const file = `${await temporaryFolder()}/agent.db`
    return each(count, () =>
      SqliteBackend.open(file, { timeout: undefined, durability: undefined, readOnly: undefined }),
    )
  },
  async redis(count) {
    const prefix = `rewind:${randomUUID()}`
    return each(count, () => RedisBackend.open(redis.url, { prefix }))
  },
  async postgres(count) {
    const schema = `rewind_${randomUUID().replaceAll('-', '_')}`
    return each(count, () => PostgresBackend.open(postgres.url, { schema }))
  },
}

async function each(count: number, open: () => Promise<ConstructorParameters<typeof MemoryStore>[0]>) {
  const stores: MemoryStore[] = []
  for (let index = 0; index < count; index++) stores.push(new MemoryStore(await open(), { timeout: 30_000 }))
  return stores
}

async function openOn(name: string, count: number): Promise<[MemoryStore, ...MemoryStore[]]> {
  const stores = (await handlesOn[name]?.(count)) ?? expect.fail(name)
  onTestFinished(async () => {
    for (const store of stores) await store.close()
  })
  return stores as [MemoryStore, ...MemoryStore[]]
}

const say = (content: string) => [{ role: 'user' as const, content }]
const seqsOf = (entries: readonly { seq: number }[]) => entries.map(({ seq }) => seq)

describe.each(Object.keys(handlesOn))('rewind on %s', (name) => {
  test('a turn added at the same time is on the path or among what was removed', async () => {
    const [store, other = store] = await openOn(name, 2)
    for (let round = 0; round < 100; round++) {
      const session = `round ${round}`
      for (const content of ['one', 'two', 'three']) await store.addMessages(session, say(content))
      const [{ removed }, { seqs }] = await Promise.all([
        store.rewind(session, { to: 1 }),
        other.addMessages(session, say('four')),
      ])
      const kept = seqsOf(await other.getEntries(session))
      expect([...kept, ...seqsOf(removed)].sort(), session).toEqual([1, 2, 3, ...seqs])
      expect(await store.listSnapshots(session)).toEqual([])
    }
  })

  test('under eight writers no rewind starves, and every turn is kept or removed, once', async () => {
    const [store, ...writers] = await openOn(name, 9)
    const { seqs } = await store.addMessages('s', say('first'))
    const acknowledged = [...seqs]
    let isDone = false
    const write = async (writer: MemoryStore) => {
      while (!isDone) {
        acknowledged.push(...(await writer.addMessages('s', say('more'))).seqs)
        await nextTurn()
      }
    }
    const writing = writers.map(write)
    const removed: number[] = []
    for (let turn = 0; turn < 12; turn++) {
      const cut = seqsOf((await store.rewind('s', { to: 1 })).removed)
      removed.push(...cut)
      if (turn % 3 === 0) await store.sweep('s')
    }
    isDone = true
    await Promise.all(writing)
    const kept = seqsOf(await store.getEntries('s'))
    const byNumber = (a: number, b: number) => a - b
    expect([...kept, ...removed].sort(byNumber)).toEqual(acknowledged.sort(byNumber))
    expect(await store.listSnapshots('s')).toEqual([])
    expect((await store.verify()).damage).toEqual([])
  })
})
