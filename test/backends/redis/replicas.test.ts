import { openMemory } from 'unforget'
import { expect, test } from 'vitest'
import { serveFile, user } from './servers.ts'

const { server, bare } = await serveFile({ own: true, config: { 'repl-diskless-sync-delay': '0' } })
const { server: replica, bare: toReplica } = await serveFile({ own: true })
await toReplica.replicaOf('127.0.0.1', server.port)
await bare.sendCommand(['WAIT', '1', '0'])

/** A write that no replica gets waits for two fifths of it. The rest is for a busy machine. */
const timeout = 4000

test('redis.6: a write is acknowledged once the replica has it', async () => {
  await using memory = await openMemory(server.url, { waitForReplicas: 1 })
  await memory.addMessages('s', [user('a')])
  await using there = await openMemory(replica.url, { readOnly: true })
  expect(await there.getHistory('s')).toHaveLength(1)
})

test('redis.6: a write that no replica has in time says so, how many have it, and that it may be lost', async () => {
  await using memory = await openMemory(server.url, { waitForReplicas: 2, timeout })
  const write = memory.addMessages('s', [user('b')], { operationId: 'b' })
  await expect(write).rejects.toMatchObject({ code: 'NOT_REPLICATED', applied: 'unknown', replicas: 1, wanted: 2 })
  replica.pause()
  await using one = await openMemory(server.url, { waitForReplicas: 1, timeout })
  const again = () => one.addMessages('s', [user('b')], { operationId: 'b' })
  const other = one.addMessages('s', [user('c')], { operationId: 'c' })
  await expect(other).rejects.toMatchObject({ code: 'NOT_REPLICATED', replicas: 0 })
  await expect(again()).rejects.toMatchObject({ code: 'NOT_REPLICATED', replicas: 0 })
  replica.resume()
  await again()
  await using there = await openMemory(replica.url, { readOnly: true })
  expect((await there.getHistory('s')).map(({ content }) => content)).toEqual(['a', 'b', 'c'])
})

test('redis.6: a number of replicas that is none is refused', async () => {
  await expect(openMemory(server.url, { waitForReplicas: -1 })).rejects.toThrow(TypeError)
})
