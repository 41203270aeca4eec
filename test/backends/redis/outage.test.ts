import { openMemory } from 'unforget'
import { expect, test } from 'vitest'
import { serveFile, user } from './servers.ts'

const { server } = await serveFile({ own: true, aof: 'always' })

test('redis.7: a hung server is a hung server, and the store goes on when it is back', async () => {
  await using memory = await openMemory(server.url, { prefix: 'hung', timeout: 1000 })
  await memory.addMessages('s', [user('before')])
  server.pause()
  const calls = [memory.addMessages('s', [user('meanwhile')], { operationId: 'o' }), memory.getHistory('s')]
  for (const call of calls) await expect(call).rejects.toMatchObject({ applied: expect.stringMatching(/no|unknown/) })
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
