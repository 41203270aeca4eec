import { faultProxy } from 'unforget/faults'
import { redisServer } from 'unforget/testing/servers'
import { askRedis } from './ask-redis.ts'
import { type Ground, serverFaults } from './ground.ts'
import { wireFaults } from './wire-faults.ts'

/** One server that syncs every write, behind a proxy. */
export async function redisGround(): Promise<Ground> {
  const server = await redisServer({ own: true, aof: 'always' })
  const proxy = await faultProxy({ port: server.port, protocol: 'redis' })
  const options = { timeout: 4000 }
  return {
    target: () => ({ url: proxy.url, options }),
    settleAt: () => ({ url: server.url, options }),
    faults: [
      ...wireFaults(proxy),
      ...wireFaults(proxy),
      ...serverFaults(server),
      { name: 'scripts flushed', strike: async () => void (await askRedis(server.url, 'SCRIPT', 'FLUSH')) },
    ],
    heal: () => proxy.heal(),
    check: {},
    close: async () => {
      await proxy.close()
      await server.stop()
    },
  }
}
