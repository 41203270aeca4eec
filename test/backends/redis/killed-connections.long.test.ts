import { redisServer } from 'unforget/testing/servers'
import { test } from 'vitest'
import { writeThroughKills } from './under-fire.ts'

test.each(['url', 'client'] as const)(
  'redis.7: 300 killed connections and 20 restarts under load bring nothing down: through a %s',
  async (through) => {
    await using server = await redisServer({ own: true, aof: 'always' })
    await writeThroughKills(server, { kills: 300, restarts: 20, through })
  },
)

test.each(['url', 'cluster'] as const)(
  'redis.8: 300 killed connections to a cluster under load bring nothing down: through a %s',
  async (through) => {
    await using server = await redisServer({ cluster: true })
    await writeThroughKills(server, { kills: 300, restarts: 0, through })
  },
)
