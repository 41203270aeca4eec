import { createCluster } from 'redis'
import { redisServer } from 'unforget/testing/servers'
import { afterAll, expect, test } from 'vitest'
import type { RedisCluster } from '../../../src/backends/redis/client.ts'
import { killAtEveryStep, meetAtEveryStep, stories } from './owner-story.ts'

const server = await redisServer({ cluster: true })
const cluster = createCluster({ rootNodes: [{ url: server.url }] })
cluster.setMaxListeners(0)
await cluster.connect()
afterAll(async () => {
  cluster.destroy()
  await server.stop()
})
const own = cluster as unknown as RedisCluster
const names = Object.keys(stories)

test.each(names)(
  'redis.11: on a cluster, whoever is killed at any step of %s, the lists say whose it is',
  async (name) => {
    expect(await killAtEveryStep(own, name)).toBeGreaterThan(2)
  },
)

test.each(names.flatMap((name) => names.map((other) => [name, other] as const)))(
  'redis.11: on a cluster, at any step of %s comes %s, and the lists say whose it is',
  async (name, other) => {
    expect(await meetAtEveryStep(own, name, other)).toBeGreaterThan(2)
  },
)
