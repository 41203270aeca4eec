import { MemoryBackend } from './backends/memory/memory-backend.ts'
import type { Durability } from './backends/sqlite/connection.ts'
import { misuse, quote } from './core/errors.ts'
import { MemoryStore, type StoreOptions } from './core/memory-store.ts'
import { storeOn } from './core/store-on.ts'

export interface OpenOptions extends StoreOptions {
  /** SQLite: `power` (default) or `process`. Redis and PostgreSQL: `power` refuses servers that can lose acknowledged writes in a power failure. */
  durability?: Durability | undefined
  /** Rejects every write with `READ_ONLY`. A SQLite file must be there; nothing of it is created or changed. */
  readOnly?: boolean | undefined
  /** Redis only: the prefix of every key; default `unforget`. */
  prefix?: string | undefined
  /** Redis only: a write is acknowledged once this many replicas have it. */
  waitForReplicas?: number | undefined
  /** PostgreSQL only: the schema that holds the tables; default `unforget`. */
  schema?: string | undefined
  /** PostgreSQL only: `false` neither creates nor upgrades the schema. */
  migrate?: boolean | undefined
  /** PostgreSQL only: the maximum number of connections; default 10. */
  connections?: number | undefined
  /** PostgreSQL only: whether statements are prepared once per connection; default: unless there is a pooler in between. */
  prepare?: boolean | undefined
}

/**
 * Opens the memory at a URL: `memory:` (ends with this process), `sqlite:<path>`, `sqlite::memory:`, `redis://…` or `rediss://…` (a server or any
 * node of a cluster), `postgres://…`. Everything after `sqlite:` is the path, verbatim.
 */
export async function openMemory(url: string, options: OpenOptions = {}): Promise<MemoryStore> {
  const { durability, readOnly, prefix, waitForReplicas, schema, migrate, connections, prepare, ...storeOptions } =
    options
  if (typeof url !== 'string') throw misuse('url: expected text such as "sqlite:agent.db"')
  if (durability !== undefined && durability !== 'power' && durability !== 'process') {
    throw misuse("options.durability: expected 'power' or 'process'")
  }
  if (readOnly !== undefined && typeof readOnly !== 'boolean') throw misuse('options.readOnly: expected true or false')
  if (readOnly && (url === 'memory:' || url === 'sqlite::memory:')) {
    throw misuse(`options.readOnly: there is nothing to read in a new ${quote(url)}`)
  }
  const { timeout } = options
  const isRedis = /^rediss?:\/\//.test(url)
  const isPostgres = /^postgres(ql)?:\/\//.test(url)
  if (!isRedis && (prefix !== undefined || waitForReplicas !== undefined)) {
    throw misuse('options.prefix and options.waitForReplicas: only for Redis')
  }
  if (!isPostgres && [schema, migrate, connections, prepare].some((option) => option !== undefined)) {
    throw misuse('options.schema, options.migrate, options.connections and options.prepare: only for PostgreSQL')
  }
  if (isRedis) {
    requireUrl(url)
    const { RedisBackend } = await import('./backends/redis/redis-backend.ts')
    const backend = await RedisBackend.open(url, { durability, readOnly, prefix, waitForReplicas, timeout })
    return storeOn(backend, storeOptions)
  }
  if (isPostgres) {
    requireUrl(url)
    const { PostgresBackend } = await import('./backends/postgres/postgres-backend.ts')
    const postgresOptions = { durability, readOnly, schema, migrate, connections, prepare, timeout }
    return storeOn(await PostgresBackend.open(url, postgresOptions), storeOptions)
  }
  if (url === 'memory:') return new MemoryStore(new MemoryBackend(), storeOptions)
  if (!url.startsWith('sqlite:')) {
    throw misuse(
      `url: ${quote(url)} is none of "memory:", "sqlite:<path>", "sqlite::memory:", "redis[s]://<host>" and "postgres[ql]://<host>/<database>"`,
    )
  }
  const file = url.slice('sqlite:'.length)
  if (file === '' || file.includes('\0') || file !== file.trim() || /^\/\/[^/]/.test(file)) {
    throw misuse(`url: ${quote(url)} names no file; write "sqlite:agent.db" or "sqlite:/data/agent.db"`)
  }
  const { SqliteBackend } = await import('./backends/sqlite/sqlite-backend.ts')
  return storeOn(await SqliteBackend.open(file, { durability, readOnly, timeout }), storeOptions)
}

/** Says nothing of what it refuses: there may be a password in it. */
function requireUrl(url: string): void {
  const { protocol, hostname, searchParams } = new URL(URL.canParse(url) ? url : 'none:')
  const isElsewhere = protocol.startsWith('postgres') && searchParams.has('host')
  if (hostname === '' && !isElsewhere) {
    throw misuse('url: expected a URL such as "redis://127.0.0.1:6379" or "postgres://127.0.0.1/agents"')
  }
}
