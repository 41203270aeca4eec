import { MemoryBackend } from '../../backends/memory/memory-backend.ts'
import { RedisBackend } from '../../backends/redis/redis-backend.ts'
import { SqliteBackend } from '../../backends/sqlite/sqlite-backend.ts'
import type { Backend } from '../../core/backend.ts'
import { MemoryStore } from '../../core/memory-store.ts'
import { type RedisServer, redisServer } from '../../testing/servers/index.ts'
import type { FullStore } from '../case.ts'
import { memoryStoreCapabilities, type OpenRequest, type StoreDefinition } from '../store-definition.ts'
import type { Bowl, Goldfish } from './goldfish.ts'
import { overlay } from './helpers/overlay.ts'

let server: Promise<RedisServer> | undefined

/** One for all goldfish of this process that need it. */
function goldfishServer(): Promise<RedisServer> {
  const starting = server ?? redisServer()
  server = starting
  return starting
}

/** A goldfish as a store that can be proved like any other. */
export async function defineGoldfish(goldfish: Goldfish): Promise<StoreDefinition<FullStore>> {
  const isFile = goldfish.on === 'sqlite'
  const redis = goldfish.on === 'redis' ? await goldfishServer() : null
  const bowls = new Map<string, { memory: MemoryBackend; shared: Map<string, unknown> }>()

  async function open(request: OpenRequest): Promise<FullStore> {
    const { location, ttl, timeout, summaryMessage, wrapBackend = (backend) => backend } = request
    const options = { ttl, timeout, summaryMessage }
    const { memory, shared } = bowls.get(location) ?? { memory: new MemoryBackend(), shared: new Map() }
    bowls.set(location, { memory, shared })
    const sound = await openSound(request, memory)
    const bowl: Bowl = { location, shared, another: () => new MemoryStore(sound, options) }
    const backend = overlay(sound, goldfish.backend?.(sound, bowl) ?? {})
    const wrapped = wrapBackend(backend)
    const store: FullStore = new MemoryStore(overlay(wrapped, goldfish.between?.(wrapped) ?? {}), options)
    return overlay(store, goldfish.store?.(store, bowl) ?? {})
  }

  async function openSound(request: OpenRequest, memory: MemoryBackend): Promise<Backend> {
    const { location, timeout, endpoint, wrapBackend } = request
    if (isFile) return SqliteBackend.open(location, { timeout, durability: undefined, readOnly: undefined })
    if (redis === null) return overlay<Backend>(memory, { close: async () => {} })
    const url = endpoint === undefined ? redis.url : `redis://${endpoint.host}:${endpoint.port}`
    return RedisBackend.open(url, {
      prefix: `unforget-goldfish:${location}`,
      timeout: wrapBackend ? undefined : timeout,
    })
  }

  return {
    name: goldfish.name,
    capabilities: {
      ...memoryStoreCapabilities,
      summaryMessage: true,
      turns: true,
      owners: true,
      persistent: isFile,
      processes: isFile,
    },
    open,
    close: (store) => store.close(),
    destroy: ({ location }) => bowls.delete(location),
    ...(redis && { endpoint: { host: redis.host, port: redis.port, protocol: 'redis' as const } }),
  }
}
