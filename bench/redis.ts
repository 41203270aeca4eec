import type { MemoryStore } from 'unforget'
import type { RedisServer } from 'unforget/testing/servers'
import type { Bench } from './row.ts'
import { redisServer } from './servers.ts'
import { openMemory } from './unforget.ts'

export interface OnRedis {
  readonly bench: Bench
  readonly server: RedisServer
  readonly memory: MemoryStore
}

/** A memory on a server of the bench's own. `synced`: every write is on disk when it is answered. */
export async function openOnRedis(bench: Bench, { synced }: { synced: boolean }): Promise<OnRedis> {
  const server = await redisServer({
    own: true,
    ...(synced && { aof: 'always' as const, config: { 'auto-aof-rewrite-percentage': '0' } }),
  })
  return { bench, server, memory: await openMemory(server.url, { durability: synced ? 'power' : 'process' }) }
}

export async function closeOnRedis({ server, memory }: OnRedis): Promise<void> {
  await memory.close()
  await server.stop()
}
