import { createClient, createCluster } from 'redis'
import { MemoryStore, openMemory } from 'unforget'
import { RedisBackend } from 'unforget/redis'
import { redisServer } from 'unforget/testing/servers'
import { afterAll, expect, test } from 'vitest'
import { serveFile, user } from './servers.ts'

const { server } = await serveFile()
const cluster = await redisServer({ cluster: true })
afterAll(() => cluster.stop())

test("redis.9: a client of the caller's own is used, and left open", async () => {
  const client = await createClient({ url: server.url }).connect()
  const memory = new MemoryStore(await RedisBackend.open(client, { prefix: 'mine' }))
  await memory.addMessages('s', [user('a')])
  await memory.close()
  expect(await client.ping()).toBe('PONG')
  client.destroy()
  await using again = await openMemory(server.url, { prefix: 'mine' })
  expect(await again.getHistory('s')).toHaveLength(1)
})

test.each([2, 3] as const)('redis.9: a client that speaks RESP %s', async (RESP) => {
  const client = await createClient({ url: server.url, RESP }).connect()
  const memory = new MemoryStore(await RedisBackend.open(client, { prefix: `resp ${RESP}` }))
  await memory.addMessages('s', [{ ...user('a'), metadata: { bytes: Uint8Array.of(0, 255, 128) } }])
  await memory.saveSnapshot('s', { id: 'p', label: 'before' })
  expect(await memory.getHistory('s')).toMatchObject([{ metadata: { bytes: Uint8Array.of(0, 255, 128) } }])
  expect(await memory.listSnapshots('s')).toMatchObject([{ id: 'p', label: 'before' }])
  expect((await memory.health()).details).toMatchObject({ appendfsync: 'none' })
  await memory.close()
  client.destroy()
})

test("redis.9: a cluster of the caller's own is used, with replicas waited for", async () => {
  const client = createCluster({ rootNodes: cluster.urls.map((url) => ({ url })) })
  await client.connect()
  const backend = await RedisBackend.open(client, { prefix: 'mine', waitForReplicas: 1 })
  const memory = new MemoryStore(backend)
  const ids = Array.from({ length: 12 }, (_, index) => `session ${index}`)
  await Promise.all(ids.map((id) => memory.addMessages(id, [user(id)])))
  expect(new Set((await memory.listSessions()).sessions.map(({ id }) => id))).toEqual(new Set(ids))
  await memory.close()
  client.destroy()
})
