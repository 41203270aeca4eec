import { type FaultProxy, faultProxy } from 'unforget/faults'
import { afterAll, onTestFinished } from 'vitest'
import { type RedisServer, redisServer } from '../../../src/testing/servers/index.ts'
import { RawClient } from './raw-client.ts'

let started: Promise<RedisServer> | undefined

afterAll(async () => (await started)?.stop())

/** The server of a test file, a proxy of the running test's own in front of it, and clients through it (`client`) and past it (`direct`). */
export async function withProxy(): Promise<{
  server: RedisServer
  proxy: FaultProxy
  client: () => RawClient
  direct: RawClient
}> {
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
