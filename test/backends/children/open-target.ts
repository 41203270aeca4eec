import pg from 'pg'
import { createClient, createCluster } from 'redis'
import { PostgresBackend } from '../../../src/backends/postgres/index.ts'
import { RedisBackend } from '../../../src/backends/redis/index.ts'
import { MemoryStore, openMemory } from '../../../src/index.ts'

/** A memory by its URL, or through a pool, a client or a cluster of the child's own, to which the child adds no listener. */
export interface Target {
  readonly url: string
  readonly through: 'url' | 'pool' | 'client' | 'cluster'
}

interface Opened {
  readonly memory: MemoryStore
  readonly end: () => unknown
}

export async function openTarget({ url, through }: Target): Promise<Opened> {
  switch (through) {
    case 'url':
      return { memory: await openMemory(url), end: () => {} }
    case 'pool': {
      const pool = new pg.Pool({ connectionString: url })
      return { memory: new MemoryStore(await PostgresBackend.open(pool)), end: () => pool.end() }
    }
    case 'client': {
      const client = await createClient({ url }).connect()
      return { memory: new MemoryStore(await RedisBackend.open(client)), end: () => client.destroy() }
    }
    case 'cluster': {
      const cluster = createCluster({ rootNodes: [{ url }] })
      await cluster.connect()
      return { memory: new MemoryStore(await RedisBackend.open(cluster)), end: () => cluster.destroy() }
    }
  }
}
