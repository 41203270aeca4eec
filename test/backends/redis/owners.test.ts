import { createHash, randomUUID } from 'node:crypto'
import { createClient } from 'redis'
import { MemoryStore } from 'unforget'
import { RedisBackend } from 'unforget/redis'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { RedisClient } from '../../../src/backends/redis/client.ts'
import { killAtEveryStep, meetAtEveryStep, stories } from './owner-story.ts'
import { keysByKind, serveFile } from './servers.ts'

const { server, bare } = await serveFile()
const client = createClient({ url: server.url })
client.setMaxListeners(0)
await client.connect()
afterAll(() => client.destroy())
const own = client as unknown as RedisClient
const soon = () => performance.now() + 60_000
const append = [{ kind: 'message', format: 1, body: '{"role":"user","content":"hi"}', bytes: null }] as const
const about = (owner: string) => ({ owner, title: null, metadata: null })

async function open(prefix: string): Promise<RedisBackend> {
  return RedisBackend.open(own, { prefix })
}

async function begin(backend: RedisBackend, session: string, owner: string): Promise<void> {
  const operation = { id: randomUUID(), digest: '' }
  await backend.commit(session, { operation, append, begin: about(owner) }, soon())
}

const tagOf = (id: string) => createHash('sha256').update(id).digest('base64url').slice(0, 32)

async function listed(backend: RedisBackend, owner: string): Promise<string[]> {
  return (await backend.sessionsOf(owner, null, 1000, soon())).sessions.map(({ id }) => id)
}

test.each(Object.keys(stories))(
  'redis.11: whoever is killed at any step of %s, the lists of owners say whose the session is',
  async (name) => {
    expect(await killAtEveryStep(own, name)).toBeGreaterThan(2)
  },
)

test.each(Object.keys(stories).flatMap((name) => Object.keys(stories).map((other) => [name, other] as const)))(
  'redis.11: at any step of %s comes %s, and the lists of owners say whose the session is',
  async (name, other) => {
    expect(await meetAtEveryStep(own, name, other)).toBeGreaterThan(2)
  },
)

test('redis.11: what is stale on a list is taken off once it is old, and not if it was put there again', async () => {
  const backend = await open('stale')
  await begin(backend, 'mine', 'ann')
  await begin(backend, 'moved', 'ann')
  await backend.commit('moved', { operation: { id: 'move', digest: '' }, describe: { owner: 'bob' } }, soon())
  const list = `stale:{${tagOf('ann')}}:owned`
  await bare.zAdd(list, { score: 1, value: tagOf('never begun') })
  expect(await bare.zCard(list)).toBe(3)
  expect(await listed(backend, 'ann')).toEqual(['mine'])
  expect(await bare.zRange(list, 0, -1)).toEqual(expect.arrayContaining([tagOf('mine'), tagOf('moved')]))
  expect(await bare.zCard(list)).toBe(2)
  for (const value of [tagOf('mine'), tagOf('moved')]) await bare.zAdd(list, { score: 1, value })
  while (!(await backend.reclaim('all', soon())).done);
  expect(await bare.zRange(list, 0, -1)).toEqual([tagOf('mine')])
  expect(await listed(backend, 'bob')).toEqual(['moved'])
})

test('redis.11: nothing tells the ids or the owner once their sessions are deleted', async () => {
  const backend = await open('forgotten')
  await using memory = new MemoryStore(backend)
  const ids = Array.from({ length: 5 }, (_, index) => `secret session ${index}`)
  for (const id of ids) await begin(backend, id, 'secret owner')
  for (const id of ids) await memory.deleteSession(id)
  const left = await bare.keys('forgotten:*')
  expect(left.filter((key) => key.endsWith(':owned'))).toEqual([])
  for (const key of left) expect(`${key}${await bare.dump(key)}`).not.toContain('secret')
  expect(left.filter((key) => !key.endsWith(':gone') && !key.endsWith(':format'))).toEqual([])
})

test('redis.11: a page of an owner takes three round trips, however many sessions others have', async () => {
  const backend = await open('pages')
  for (let index = 0; index < 30; index++) await begin(backend, `ann ${index}`, 'ann')
  for (let index = 0; index < 100; index++) await begin(backend, `bob ${index}`, 'bob')
  await listed(backend, 'ann')
  await bare.configResetStat()
  const { sessions, cursor } = await backend.sessionsOf('ann', null, 10, soon())
  const stats = await bare.info('commandstats')
  expect(sessions).toHaveLength(10)
  expect(Number(/^cmdstat_evalsha:calls=(\d+)/m.exec(stats)?.[1])).toBe(12)
  expect(stats).not.toContain('cmdstat_scan')
  const seen = sessions.map(({ id }) => id)
  for (let next = cursor; next !== null; ) {
    const page = await backend.sessionsOf('ann', next, 7, soon())
    seen.push(...page.sessions.map(({ id }) => id))
    next = page.cursor
  }
  expect(seen).toHaveLength(30)
  expect(new Set(seen).size).toBe(30)
})

/** By the clock of the server: what is written then is newer. */
async function nextMillisecond(): Promise<void> {
  const now = async () => {
    const [seconds, microseconds] = await bare.time()
    return 1000 * Number(seconds) + Math.floor(Number(microseconds) / 1000)
  }
  for (const began = await now(); (await now()) === began; );
}

test.each(['long', 'l*ng'])(
  'redis.11: the pages of a long list are those of all its sessions, with the prefix %s',
  async (prefix) => {
    const backend = await open(prefix)
    const ids = Array.from({ length: 200 }, (_, index) => `ann ${index}`)
    await Promise.all(ids.map((id) => begin(backend, id, 'ann')))
    await nextMillisecond()
    const touched = ids.filter((_, index) => index % 7 === 0)
    for (const id of touched) await backend.commit(id, { operation: { id: randomUUID(), digest: '' }, append }, soon())
    await Promise.all(ids.slice(0, 60).map((id) => backend.erase(id, { operation: randomUUID() }, soon())))
    const list = `${prefix}:{${tagOf('ann')}}:owned`
    for (const id of ids.slice(0, 60)) await bare.zAdd(list, { score: Date.now(), value: tagOf(id) })
    const left = ids.slice(60)
    const seen: string[] = []
    for (let next: string | null = null; ; ) {
      const page = await backend.sessionsOf('ann', next, 11, soon())
      expect(page.sessions.length).toBe(Math.min(11, left.length - seen.length))
      seen.push(...page.sessions.map(({ id }) => id))
      next = page.cursor
      if (next === null) break
    }
    expect([...seen].sort()).toEqual([...left].sort())
    const newest = touched.filter((id) => left.includes(id)).reverse()
    expect(seen.slice(0, newest.length).sort()).toEqual([...newest].sort())
  },
)

test('redis.11: a user who may not read all keys gets the pages of a long list', async () => {
  await bare.sendCommand(['ACL', 'SETUSER', 'narrow', 'on', '>secret', '~narrow:*', '+@all'])
  const narrow = createClient({ url: server.url, username: 'narrow', password: 'secret' })
  await narrow.connect()
  onTestFinished(() => narrow.destroy())
  const backend = await RedisBackend.open(narrow as unknown as RedisClient, { prefix: 'narrow' })
  await Promise.all(Array.from({ length: 150 }, (_, index) => begin(backend, `ann ${index}`, 'ann')))
  expect((await listed(backend, 'ann')).length).toBe(150)
})

test('redis.11: an append that names the owner of its session takes one round trip', async () => {
  const backend = await open('again')
  await begin(backend, 's', 'ann')
  await bare.configResetStat()
  const operation = { id: 'next', digest: '' }
  await backend.commit('s', { operation, append, begin: about('ann') }, soon())
  expect(await bare.info('commandstats')).toMatch(/^cmdstat_evalsha:calls=1,/m)
})

test('redis.11: a session whose head is lost is listed as damaged', async () => {
  const backend = await open('damaged')
  await begin(backend, 's', 'ann')
  const keys = await keysByKind(bare, 'damaged')
  await bare.del(keys.get('head') as string)
  const { sessions } = await backend.sessionsOf('ann', null, 10, soon())
  expect(sessions).toEqual([{ id: 's', state: null, about: null }])
})

test('redis.11: what a caller writes without waiting comes after what gives the session its owner', async () => {
  const backend = await open('order')
  await using memory = new MemoryStore(backend)
  const writes = [
    begin(backend, 's', 'ann'),
    memory.addMessages('s', [{ role: 'user', content: 'second' }]),
    memory.addMessages('s', [{ role: 'user', content: 'third' }]),
  ]
  await Promise.all(writes)
  expect((await memory.getHistory('s')).map(({ content }) => content)).toEqual(['hi', 'second', 'third'])
  expect(await listed(backend, 'ann')).toEqual(['s'])
})
