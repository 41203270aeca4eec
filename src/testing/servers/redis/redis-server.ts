import { keepFolder } from '../process/keep-folder.ts'
import { type StartedNode, serverOf, type TestServer } from '../server.ts'
import { findRedisServer } from './find-redis-server.ts'
import { clusterWhole, formCluster } from './form-cluster.ts'
import { configOf, type RedisServerOptions } from './redis-options.ts'
import { type RedisProcess, startRedis } from './redis-process.ts'
import { useExistingRedis } from './use-existing-redis.ts'

/** In a cluster, `nodes` has the masters first, then their replicas in the same order, and `urls` are seeds for a client. */
export type RedisServer = TestServer<'master' | 'replica'>

/**
 * Starts a real Redis or Valkey on a free port of 127.0.0.1, ready when it resolves. It ends with this process, however that ends, and does not
 * keep it running. If `REDIS_URL` is set, that server is used.
 */
export async function redisServer(options: RedisServerOptions = {}): Promise<RedisServer> {
  const existing = process.env['REDIS_URL']
  const mayUse = options.own !== true && options.cluster !== true && options.binary === undefined
  if (existing !== undefined && existing !== '' && mayUse) return useExistingRedis(existing, options)
  const config = configOf(options)
  const binary = options.binary ?? findRedisServer()
  const folder = await keepFolder()
  try {
    const names = options.cluster === true ? ['node-1', 'node-2', 'node-3', 'node-4', 'node-5', 'node-6'] : ['node-1']
    const started = await Promise.allSettled(names.map((name) => startRedis({ binary, kept: folder, name, config })))
    const processes = started.map((one) => {
      if (one.status === 'rejected') throw one.reason
      return one.value
    })
    const addresses = processes.map(({ address }) => address)
    if (options.cluster === true) await formCluster(addresses)
    return serverOf(processes.map(nodeOf), folder, async () => {
      if (options.cluster === true) await clusterWhole(addresses)
    })
  } catch (error) {
    await folder.remove()
    throw error
  }
}

function nodeOf(
  { process, address: { host, port, password } }: RedisProcess,
  index: number,
  { length }: readonly RedisProcess[],
): StartedNode<'master' | 'replica'> {
  return {
    role: index < Math.max(1, length / 2) ? 'master' : 'replica',
    url: `redis://${password === undefined ? '' : `:${encodeURIComponent(password)}@`}${host}:${port}`,
    process,
  }
}
