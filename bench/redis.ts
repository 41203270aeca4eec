import type { Bench } from './row.ts'
import { redisServer } from './servers.ts'
import { openMemory } from './unforget.ts'
import type { OnServer } from './ways.ts'

/** A memory on a server of the bench's own. `synced`: every write is on disk when it is answered. */
export async function openOnRedis(bench: Bench, { synced }: { synced: boolean }): Promise<OnServer> {
  const server = await redisServer({
    own: true,
    ...(synced && { aof: 'always' as const, config: { 'auto-aof-rewrite-percentage': '0' } }),
  })
  return { bench, server, memory: await openMemory(server.url, { durability: synced ? 'power' : 'process' }) }
}
