import { MemoryBackend } from './backends/memory/memory-backend.ts'
import type { Durability } from './backends/sqlite/connection.ts'
import type { ChatMessage, Summary } from './core/entries.ts'
import { misuse, quote } from './core/errors.ts'
import { MemoryStore, type StoreOptions } from './core/memory-store.ts'
import { storeOn } from './core/store-on.ts'

/** Options of `openMemory`. Options of another backend than that of the URL are rejected. */
export interface OpenOptions<Message extends object = ChatMessage> extends StoreOptions<Message> {
  /**
   * SQLite: with `power`, an acknowledged write survives a power failure; with `process`, it survives the end of the
   * process, which is faster. Default: `power`. Redis and PostgreSQL: `power` refuses servers that can lose
   * acknowledged writes in a power failure. Default: any server is opened, and `health` says what it can lose.
   */
  durability?: Durability | undefined
  /**
   * Reject every write with `READ_ONLY`. A SQLite file must exist, and is not changed. Default:
   * false.
   */
  readOnly?: boolean | undefined
  /** Redis only: every key of the memory begins with this. Default: `unforget`. */
  prefix?: string | undefined
  /** Redis only: acknowledge a write once this many replicas have it; otherwise `NOT_REPLICATED`. Default: 0. */
  waitForReplicas?: number | undefined
  /** PostgreSQL only: the schema that holds the tables. Default: `unforget`. */
  schema?: string | undefined
  /** PostgreSQL only: whether to create or upgrade the schema if needed. Default: true. */
  migrate?: boolean | undefined
  /** PostgreSQL only: open at most this many connections. Default: 10. */
  connections?: number | undefined
  /** PostgreSQL only: prepare statements once on each connection. Default: true, unless there is a pooler in between. */
  prepare?: boolean | undefined
}

/**
 * Opens the memory at a URL, and creates it if it does not exist.
 *
 * - `memory:` is memory of this process, and ends with it.
 * - `sqlite:<path>` is a file; what follows `sqlite:` is the path as it is. `sqlite::memory:` is a database without a
 *   file.
 * - `redis://…` and `rediss://…` are a server, or any node of a cluster. Needs `npm install redis`.
 * - `postgres://…` and `postgresql://…` are a database. Needs `npm install pg`.
 *
 * Each backend is loaded when it is first opened.
 *
 * Give it the type of your SDK's messages, as in `openMemory<UIMessage>(url)`: what goes in comes out with that type. With
 * `summaryMessage`, the history holds nothing but messages of that type.
 *
 * @param url - Where the memory is.
 * @param options - `ttl`, `timeout` and `summaryMessage`, `durability` and `readOnly`, and options of one backend; see `OpenOptions`.
 * @returns The open store. Close it when you are done.
 * @throws `MemoryStoreBackendError` with `CANNOT_OPEN`, `NOT_A_MEMORY`, `SCHEMA_TOO_NEW`, `SCHEMA_TOO_OLD`, `TIMEOUT`
 * or another backend code, and `TypeError` if the URL or an option is not as documented. Existing data stays as it is.
 * @cost Loads the driver and opens the file or connects, within `timeout`. Does not grow with the memory, except for a
 * file or schema of an older version, which is upgraded once.
 */
export function openMemory<Message extends object = ChatMessage>(
  url: string,
  options: OpenOptions<NoInfer<Message>> & { summaryMessage: (summary: Summary) => NoInfer<Message> },
): Promise<MemoryStore<Message, Message>>
/** Without `summaryMessage`, a compaction appears in the history as a `SummaryMessage`. */
export function openMemory<Message extends object = ChatMessage>(
  url: string,
  options?: OpenOptions<NoInfer<Message>>,
): Promise<MemoryStore<Message>>
export async function openMemory<Message extends object>(
  url: string,
  options: OpenOptions<Message> = {},
): Promise<MemoryStore<Message, Message>> {
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
  if (url === 'memory:') return new MemoryStore<Message, Message>(new MemoryBackend(), storeOptions)
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

/** Does not repeat the rejected value, which may contain a password. */
function requireUrl(url: string): void {
  const { protocol, hostname, searchParams } = new URL(URL.canParse(url) ? url : 'none:')
  const isElsewhere = protocol.startsWith('postgres') && searchParams.has('host')
  if (hostname === '' && !isElsewhere) {
    throw misuse('url: expected a URL such as "redis://127.0.0.1:6379" or "postgres://127.0.0.1/agents"')
  }
}
