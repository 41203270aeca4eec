import { createClient } from 'redis'
import { type MemoryStore, openMemory } from 'unforget'
import { redisServer } from 'unforget/testing/servers'
import { afterAll, expect, test } from 'vitest'
import { slotOf } from '../../../src/backends/redis/slot-of.ts'
import { user } from './servers.ts'

const cluster = await redisServer({ cluster: true, nodeTimeout: 1000 })
afterAll(() => cluster.stop())

const masters = cluster.nodes.filter(({ role }) => role === 'master')

const connect = async (url: string) => {
  const client = createClient({ url })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function contents(memory: MemoryStore, session: string): Promise<unknown[]> {
  return (await memory.getHistory(session)).map(({ content }) => content)
}

test('redis.8: slots are computed as the server computes them', async () => {
  const client = await connect(cluster.url)
  for (const key of ['a', 'foo{bar}baz', 'unforget:{x-_1}:state', '{}odd', 'ünï{cödé}']) {
    expect(slotOf(key), key).toBe(await client.clusterKeySlot(key))
  }
  client.destroy()
})

test('redis.1: sessions on every master are listed, cleared and deleted', async () => {
  await using memory = await openMemory(cluster.url, { prefix: 'spread' })
  const ids = Array.from({ length: 30 }, (_, index) => `session ${index}`)
  await Promise.all(ids.map((id) => memory.addMessages(id, [user(id)])))
  const page = await memory.listSessions({ limit: 7 })
  expect(page.sessions).toHaveLength(7)
  expect(await memory.clearAll()).toBe(30)
  expect(await memory.deleteAllSessions()).toBe(30)
  expect((await memory.listSessions()).sessions).toEqual([])
})

test('redis.8: a slot that moves while turns are added is followed, and no turn is lost or doubled', async () => {
  await using memory = await openMemory(cluster.url, { prefix: 'moving' })
  await memory.addMessages('s', [user('0')])
  const clients = await Promise.all(masters.map(({ url }) => connect(url)))
  const ids = await Promise.all(clients.map((client) => client.clusterMyId()))
  const keysOf = async (client: (typeof clients)[number]) => client.keys('moving:*')
  const owners = await Promise.all(clients.map(async (client) => (await keysOf(client)).length > 0))
  const from = owners.indexOf(true)
  const to = (from + 1) % clients.length
  const [source, target] = [clients[from], clients[to]]
  if (source === undefined || target === undefined) throw new Error('there are three masters')
  const slot = String(slotOf((await keysOf(source))[0] as string))

  let isDone = false
  let added = 1
  const writing = (async () => {
    while (!isDone) await memory.addMessages('s', [user(String(added++))])
  })()
  await target.sendCommand(['CLUSTER', 'SETSLOT', slot, 'IMPORTING', String(ids[from])])
  await source.sendCommand(['CLUSTER', 'SETSLOT', slot, 'MIGRATING', String(ids[to])])
  for (const key of await keysOf(source)) {
    await source.sendCommand(['MIGRATE', '127.0.0.1', String(masters[to]?.port), key, '0', '5000'])
  }
  for (const client of clients) await client.sendCommand(['CLUSTER', 'SETSLOT', slot, 'NODE', String(ids[to])])
  const atMove = added
  while (added < atMove + 5) await memory.getHistory('s', { last: 1 })
  isDone = true
  await writing
  expect(await contents(memory, 's')).toEqual(Array.from({ length: added }, (_, index) => String(index)))
  for (const client of clients) client.destroy()
})

test('redis.8: a master that is killed gives typed errors, and its replica takes over', async () => {
  await using memory = await openMemory(cluster.url, { prefix: 'failover', timeout: 2000, waitForReplicas: 1 })
  const ids = Array.from({ length: 12 }, (_, index) => `session ${index}`)
  await Promise.all(ids.map((id) => memory.addMessages(id, [user('before')])))
  await using lasting = await openMemory(cluster.url, { prefix: 'failover', timeout: 60_000 })
  await lasting.getHistory('session 0')
  await masters[0]?.kill()
  const outcomes = await Promise.all(
    ids.map((id) =>
      memory.getHistory(id).then(
        (history) => history.length,
        ({ code }) => String(code),
      ),
    ),
  )
  for (const outcome of outcomes) expect([1, 'BACKEND_FAILED', 'TIMEOUT']).toContain(outcome)
  await Promise.all(ids.map((id) => lasting.addMessages(id, [user('after')])))
  for (const id of ids) expect(await contents(lasting, id)).toEqual(['before', 'after'])
  await masters[0]?.restart()
})
