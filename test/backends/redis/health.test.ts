import { openMemory } from 'unforget'
import { redisServer } from 'unforget/testing/servers'
import { expect, test } from 'vitest'
import { serveFile, user } from './servers.ts'

const warningsAt = async (url: string) => {
  await using memory = await openMemory(url)
  return (await memory.health()).warnings
}

test('redis.5: a server that syncs every write and evicts nothing has no warning', async () => {
  await using server = await redisServer({ own: true, aof: 'always' })
  expect(await warningsAt(server.url)).toEqual([])
  await using memory = await openMemory(server.url, { durability: 'power' })
  await memory.addMessages('s', [user('a')])
  await server.kill()
  await server.restart()
  expect(await memory.getHistory('s')).toHaveLength(1)
})

test('redis.5: what can lose memory is said in words', async () => {
  await using server = await redisServer({ own: true, config: { 'maxmemory-policy': 'allkeys-lru' } })
  expect(await warningsAt(server.url)).toEqual([
    expect.stringContaining('maxmemory-policy allkeys-lru'),
    expect.stringContaining('appendonly is off'),
  ])
  await using syncing = await redisServer({ own: true, aof: 'everysec' })
  expect(await warningsAt(syncing.url)).toEqual([expect.stringContaining('appendfsync everysec')])
})

test('redis.5: a replica is said to be one, and refuses writes', async () => {
  const { server } = await serveFile({ own: true })
  const { server: replica, bare } = await serveFile({ own: true })
  await bare.replicaOf('127.0.0.1', server.port)
  const warnings = await warningsAt(replica.url)
  expect(warnings.join()).toMatch(/is a replica.*read-only/)
  await using memory = await openMemory(replica.url)
  await expect(memory.addMessages('s', [user('a')])).rejects.toMatchObject({ code: 'READ_ONLY', applied: 'no' })
})

test("redis.5: durability 'power' refuses a server that does not sync every write", async () => {
  for (const options of [{}, { aof: 'everysec' as const }]) {
    await using server = await redisServer({ own: true, ...options })
    await expect(openMemory(server.url, { durability: 'power' })).rejects.toMatchObject({ code: 'CANNOT_OPEN' })
  }
})

test('redis.9: a memory opened to be read refuses every write and reads', async () => {
  const { server } = await serveFile({ own: true })
  await using memory = await openMemory(server.url)
  await memory.addMessages('s', [user('a')])
  await using reader = await openMemory(server.url, { readOnly: true })
  expect(await reader.getHistory('s')).toHaveLength(1)
  for (const call of [reader.addMessages('s', [user('b')]), reader.deleteSession('s'), reader.sweep()]) {
    await expect(call).rejects.toMatchObject({ code: 'READ_ONLY' })
  }
  expect(await memory.getHistory('s')).toHaveLength(1)
})

test('redis.7: a server that is not there is told without the password', async () => {
  const error = await openMemory('redis://:hunter2@127.0.0.1:1').catch((caught: unknown) => caught)
  expect(error).toMatchObject({ code: 'CANNOT_OPEN', applied: 'no' })
  expect(String(error)).toContain('127.0.0.1:1')
  expect(JSON.stringify([String(error), (error as Error).stack])).not.toContain('hunter2')
  await expect(openMemory('redis://')).rejects.toThrow(TypeError)
})
