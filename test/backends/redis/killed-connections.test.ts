import { createClient } from 'redis'
import { expect, onTestFinished, test } from 'vitest'
import { RedisBackend } from '../../../src/backends/redis/index.ts'
import { serveFile } from './servers.ts'
import { writeThroughKills } from './under-fire.ts'

const { server } = await serveFile({ own: true, aof: 'always' })

test.each(['url', 'client'] as const)(
  'redis.7: killed connections and restarts under load bring nothing down: through a %s',
  async (through) => {
    await writeThroughKills(server, { kills: 20, restarts: 2, through })
  },
)

test('redis.9: of many memories on a client, it has one listener, and no listener for errors once they are closed', async () => {
  const client = await createClient({ url: server.url }).connect()
  onTestFinished(() => client.destroy())
  const before = client.listenerCount('ready')
  for (let round = 0; round < 2; round++) {
    const backends = await Promise.all(Array.from({ length: 15 }, () => RedisBackend.open(client)))
    expect(client.listenerCount('error')).toBe(1)
    expect(client.listenerCount('ready')).toBe(before + 1)
    await Promise.all(backends.map((backend) => backend.close()))
    await backends[0]?.close()
    expect(client.listenerCount('error')).toBe(0)
  }
})
