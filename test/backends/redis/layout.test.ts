import { openMemory } from 'unforget'
import { expect, test } from 'vitest'
import { keysByKind, serveFile, user } from './servers.ts'

const { server, bare } = await serveFile()

/** Which scripts, scans and sweeping commands the server is asked for meanwhile. */
async function commandsDuring(work: () => Promise<unknown>): Promise<string[]> {
  await bare.configResetStat()
  await work()
  const stats = await bare.info('commandstats')
  return [...stats.matchAll(/^cmdstat_(eval\w*|scan|keys|flush\w*):calls=(\d+)/gm)].map(
    ([, name, calls]) => `${calls} ${name}`,
  )
}

test('redis.1: all keys of a session lie in one slot, under the prefix', async () => {
  await using memory = await openMemory(server.url, { prefix: 'one-slot' })
  await memory.addMessages('s', [user('a')])
  await memory.addSummary('s', { text: 'x', embedding: [1] })
  const keys = [...(await keysByKind(bare, 'one-slot')).values()]
  const tags = new Set(keys.map((key) => /^one-slot:\{([\w-]{32})\}:[a-z]+$/.exec(key)?.[1]))
  expect(tags.size).toBe(1)
  expect(keys).toHaveLength(4)
  expect(keys.join()).not.toContain('{s}')
})

test('redis.1: the URL may name the prefix, and options may not name another', async () => {
  const url = `${server.url}?prefix=in-the-url`
  await using memory = await openMemory(url)
  await memory.addMessages('s', [user('a')])
  await using same = await openMemory(server.url, { prefix: 'in-the-url' })
  expect(await same.getHistory('s')).toEqual([user('a')])
  await expect(openMemory(url, { prefix: 'another' })).rejects.toThrow(/parameter prefix/)
  await expect(openMemory(`${server.url}?prefx=misspelled`)).rejects.toThrow(/only supported parameter/)
})

test('redis.2: an append and a read of the newest turns are one round trip each, however long the history', async () => {
  await using memory = await openMemory(server.url, { prefix: 'round-trips' })
  await memory.addMessages(
    's',
    Array.from({ length: 3000 }, (_, index) => user(`turn ${index}`)),
  )
  await memory.getHistory('s', { last: 50 })
  expect(await commandsDuring(() => memory.addMessages('s', [user('one more')]))).toEqual(['1 evalsha'])
  expect(await commandsDuring(() => memory.getHistory('s', { last: 50 }))).toEqual(['1 evalsha'])
  await memory.saveSnapshot('s', { id: 'p' })
  await memory.addMessages('s', [user('later')])
  await memory.rollbackToSnapshot('s', 'p')
  expect(await commandsDuring(() => memory.getHistory('s', { last: 50 }))).toEqual(['1 evalsha'])
  expect((await memory.getHistory('s', { last: 2 })).map(({ content }) => content)).toEqual(['turn 2999', 'one more'])
})

test('redis.2: scripts come back by themselves after SCRIPT FLUSH', async () => {
  await using memory = await openMemory(server.url, { prefix: 'flushed-scripts' })
  await memory.addMessages('s', [user('before')])
  await bare.scriptFlush()
  await memory.addMessages('s', [user('after')])
  await bare.scriptFlush()
  expect(await memory.getHistory('s')).toHaveLength(2)
})

test('redis.1: two prefixes are two memories, and neither touches what is not its own', async () => {
  const odd = 'a*b?[c]\\d:x'
  await using one = await openMemory(server.url, { prefix: odd })
  await using other = await openMemory(server.url, { prefix: 'a-other-b' })
  await bare.set(`${odd}:{not-a-tag}:state`, 'foreign')
  await bare.set('aXbYc', 'foreign')
  for (const memory of [one, other]) await memory.addMessages('s', [user('hello')])
  expect((await one.listSessions()).sessions.map(({ id }) => id)).toEqual(['s'])
  const asked = await commandsDuring(async () => expect(await one.deleteAllSessions()).toBe(1))
  expect(asked.join()).not.toMatch(/keys|flush/)
  expect(await one.getHistory('s')).toEqual([])
  expect(await other.getHistory('s')).toHaveLength(1)
  expect(await bare.mGet([`${odd}:{not-a-tag}:state`, 'aXbYc'])).toEqual(['foreign', 'foreign'])
})

test('redis.1: a prefix with braces is refused, for it would decide the slot', async () => {
  await expect(openMemory(server.url, { prefix: '{x}' })).rejects.toThrow(TypeError)
})

test('redis.1: pages of a listing hold every session once, also from another handle', async () => {
  await using memory = await openMemory(server.url, { prefix: 'pages' })
  const ids = Array.from({ length: 57 }, (_, index) => `session ${index}`)
  await Promise.all(ids.map((id) => memory.addMessages(id, [user(id)])))
  const seen: string[] = []
  let cursor: string | null | undefined
  do {
    await using another = await openMemory(server.url, { prefix: 'pages' })
    const page = await another.listSessions({ cursor, limit: 7 })
    expect(page.sessions.length).toBeLessThanOrEqual(7)
    seen.push(...page.sessions.map(({ id }) => id))
    cursor = page.cursor
  } while (cursor !== null)
  expect(seen).toHaveLength(ids.length)
  expect(new Set(seen)).toEqual(new Set(ids))
  await expect(memory.listSessions({ cursor: 'nonsense' })).rejects.toThrow(TypeError)
})

test('redis.1: a key that holds something else is told, and stays as it is', async () => {
  await using memory = await openMemory(server.url, { prefix: 'wrong-type' })
  await memory.addMessages('s', [user('a')])
  const state = (await keysByKind(bare, 'wrong-type')).get('state') as string
  await bare.del(state)
  await bare.set(state, 'foreign')
  for (const call of [memory.getHistory('s'), memory.addMessages('s', [user('b')])]) {
    await expect(call).rejects.toMatchObject({ code: 'NOT_A_MEMORY', applied: 'no' })
  }
  expect(await bare.get(state)).toBe('foreign')
})

test('redis.3: what 0.1 wrote is read, and every message since carries a checksum', async () => {
  await using memory = await openMemory(server.url, { prefix: 'formats' })
  await memory.addMessages('s', [user('written by 0.1')])
  const log = (await keysByKind(bare, 'formats')).get('log') ?? expect.fail()
  const entry = (await bare.xRange(log, '-', '+'))?.at(1)
  expect(entry?.message).toEqual({ t: expect.any(String), c: expect.stringMatching(/^\[\{.*\},"[0-9a-f]{8}"\]$/) })
  await bare.del(log)
  await bare.xAdd(log, '0-1', { id: 's' })
  await bare.xAdd(log, '1-1', { t: '1700000000000', b: JSON.stringify(user('written by 0.1')) })
  await memory.addMessages('s', [user('plain')])
  await memory.addMessages('s', [{ ...user('with bytes'), data: new Uint8Array([1]) }])
  expect((await memory.getHistory('s')).map(({ content }) => content)).toEqual([
    'written by 0.1',
    'plain',
    'with bytes',
  ])
  expect((await memory.exportSession('s')).entries.map(({ format }) => format)).toEqual([1, 3, 4])
  const { entries, bytes } = await memory.stats()
  expect(entries).toBe(3)
  expect(bytes).toBeGreaterThan(100)
  expect((await memory.verify()).damage).toEqual([])
})
