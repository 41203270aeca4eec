import { expect, test } from 'vitest'
import { redisServer } from '../../src/testing/servers/index.ts'
import { askRedis, fieldOf } from '../../src/testing/servers/redis/ask-redis.ts'

test('a cluster of three masters and three replicas, each with controls of its own', async () => {
  await using cluster = await redisServer({ cluster: true, aof: 'always', nodeTimeout: 1000 })
  expect(cluster.nodes.map(({ role }) => role)).toEqual(['master', 'master', 'master', 'replica', 'replica', 'replica'])
  expect(new Set(cluster.nodes.map(({ pid }) => pid)).size).toBe(6)
  expect(cluster.urls).toEqual(cluster.nodes.map(({ port }) => `redis://127.0.0.1:${port}`))
  for (const node of cluster.nodes) {
    const [info, replication] = await askRedis(node, ['CLUSTER', 'INFO'], ['INFO', 'replication'])
    expect(fieldOf(info, 'cluster_state')).toBe('ok')
    expect(fieldOf(replication, 'role')).toBe(node.role === 'master' ? 'master' : 'slave')
  }
  const [first, second, , replica] = cluster.nodes
  if (!first || !second || !replica) throw new Error('nodes')
  expect(await askRedis(first, ['SET', 'b', '1'], ['WAIT', '1', '5000'])).toEqual(['OK', 1])
  await expect(askRedis(second, ['GET', 'b'])).rejects.toThrow(`MOVED 3300 127.0.0.1:${first.port}`)

  await first.kill()
  await expect.poll(async () => fieldOf((await askRedis(replica, ['INFO', 'replication']))[0], 'role')).toBe('master')
  await first.restart()
  expect(await askRedis(second, ['PING'])).toEqual(['PONG'])

  await cluster.restart()
  expect(await askRedis(replica, ['GET', 'b'])).toEqual(['1'])
})
