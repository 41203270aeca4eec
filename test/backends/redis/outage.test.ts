import { createClient } from 'redis'
import { openMemory } from 'unforget'
import { faultProxy } from 'unforget/faults'
import { expect, onTestFinished, test } from 'vitest'
import { serveFile, user } from './servers.ts'

const { server } = await serveFile({ own: true, aof: 'always' })

test('redis.7: a hung server is a hung server, and the store goes on when it is back', async () => {
  await using memory = await openMemory(server.url, { prefix: 'hung', timeout: 1000 })
  await memory.addMessages('s', [user('before')])
  server.pause()
  const calls = [memory.addMessages('s', [user('meanwhile')], { operationId: 'o' }), memory.getHistory('s')]
  const refused = { applied: expect.stringMatching(/no|unknown/) }
  await Promise.all(calls.map((call) => expect(call).rejects.toMatchObject(refused)))
  server.resume()
  await memory.addMessages('s', [user('meanwhile')], { operationId: 'o' })
  expect((await memory.getHistory('s')).map(({ content }) => content)).toEqual(['before', 'meanwhile'])
})

test('redis.7: what was acknowledged is there after the server was killed and started again', async () => {
  await using memory = await openMemory(server.url, { prefix: 'killed', timeout: 1000 })
  await memory.addMessages('s', [user('before')])
  await server.kill()
  await expect(memory.addMessages('s', [user('meanwhile')])).rejects.toMatchObject({ code: 'BACKEND_FAILED' })
  await expect(memory.getHistory('s')).rejects.toMatchObject({ applied: 'no' })
  await server.restart()
  await memory.addMessages('s', [user('after')])
  expect((await memory.getHistory('s')).map(({ content }) => content)).toEqual(['before', 'after'])
})

test('redis.7: a call that is under way when the server restarts is done in the end, once', async () => {
  await using memory = await openMemory(server.url, { prefix: 'restarted', timeout: 20_000 })
  await memory.addMessages('s', [user('before')])
  await server.kill()
  const adding = memory.addMessages('s', [user('during')])
  await server.restart()
  await adding
  expect((await memory.getHistory('s')).map(({ content }) => content)).toEqual(['before', 'during'])
})

test('redis.7: a turn whose answer was lost is there once, however much was written to its session until it was tried again', async () => {
  const proxy = await faultProxy({ host: '127.0.0.1', port: server.port, protocol: 'redis' })
  await using others = await openMemory(server.url, { prefix: 'lost' })
  await others.addMessages('s', [user('first')])
  await using memory = await openMemory(proxy.through(server.url), { prefix: 'lost' })
  await memory.addMessages('s', [user('second')])
  const armed = proxy.arm({ do: 'hang after', of: 'EVALSHA' })
  const writing = memory.addMessages('s', [user('third')])
  await armed.whenFired()
  await Promise.all(Array.from({ length: 1200 }, (_, index) => others.addMessages('s', [user(`other ${index}`)])))
  const { seqs } = await writing
  expect(seqs).toEqual([3])
  expect((await others.getHistory('s')).length).toBe(1203)
  await proxy.close()
})

test('redis.2: operations are forgotten once they are old and many', async () => {
  await using memory = await openMemory(server.url, { prefix: 'old' })
  const append = (times: number) =>
    Promise.all(Array.from({ length: times }, () => memory.addMessages('s', [user('turn')])))
  await append(1100)
  const client = await createClient({ url: server.url }).connect()
  const [head = expect.fail('no head')] = await client.keys('old:*:head')
  expect(await client.hLen(head)).toBeGreaterThan(800)
  await client.hSet(head, 'turned', '0')
  await append(256)
  expect(await client.hLen(head)).toBeLessThan(300)
  client.destroy()
})

test('a server that is started again is asked for no script that it does not know, so that calls keep their order', async () => {
  await using memory = await openMemory(server.url, { prefix: 'scripts' })
  const [before, after] = [Array.from({ length: 40 }, (_, index) => `${index}`), ['forty', 'forty-one']]
  await memory.addMessages('s', [user('first')])
  await server.kill()
  await server.restart()
  await memory.health()
  await Promise.all(before.map((content) => memory.addMessages('s', [user(content)])))
  const bare = await createClient({ url: server.url }).connect()
  onTestFinished(() => bare.destroy())
  expect(await bare.info('errorstats')).not.toContain('NOSCRIPT')
  await bare.scriptFlush()
  for (const content of after) await memory.addMessages('s', [user(content)])
  expect((await memory.getHistory('s')).map(({ content }) => content)).toEqual(['first', ...before, ...after])
})
