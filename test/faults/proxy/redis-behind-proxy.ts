import { type FaultProxy, faultProxy } from 'unforget/faults'
import { afterAll, onTestFinished } from 'vitest'
import { type RedisServer, redisServer } from '../../../src/testing/servers/index.ts'
import { RawClient } from './raw-client.ts'

interface ThroughProxy {
  server: RedisServer
  proxy: FaultProxy
  client: () => RawClient
  direct: RawClient
}

/**
 * A server of the test file that calls this, started by the first test that asks. Each test gets a proxy of its own in front of it, and clients through it
 * (`client`) and past it (`direct`).
 */
export function redisBehindProxy(): () => Promise<ThroughProxy> {
  let started: Promise<RedisServer> | undefined
  afterAll(async () => (await started)?.stop())
  return async () => {
    started ??= redisServer({ own: true })
    const server = await started
    const proxy = await faultProxy({ host: server.host, port: server.port, protocol: 'redis' })
    onTestFinished(() => proxy.close())
    const open = (port: number) => {
      const client = new RawClient(port)
      onTestFinished(() => client.close())
      return client
    }
    const direct = open(server.port)
    await direct.ask('FLUSHALL')
    return { server, proxy, client: () => open(proxy.port), direct }
  }
}
