import { createHash } from 'node:crypto'
import { MemoryBackend } from '../../backends/memory/memory-backend.ts'
import { PostgresBackend } from '../../backends/postgres/postgres-backend.ts'
import { RedisBackend } from '../../backends/redis/redis-backend.ts'
import { SqliteBackend } from '../../backends/sqlite/sqlite-backend.ts'
import {
  type Endpoint,
  memoryStoreCapabilities,
  type OpenRequest,
  type StoreDefinition,
} from '../../conformance/store-definition.ts'
import type { Backend } from '../../core/backend.ts'
import type { MemoryStore } from '../../core/memory-store.ts'
import { storeOn } from '../../core/store-on.ts'

/** The module to prove for a store URL of ours. */
export function urlStoreModule(url: string): URL {
  const module = new URL(import.meta.url)
  module.search = `?of=${encodeURIComponent(url)}`
  return module
}

const memories = new Map<string, Promise<Backend>>()

/** A backend that all handles share and none closes. */
async function sharedMemory(of: string, location: string): Promise<Backend> {
  const opening = memories.get(location) ?? openMemoryBackend(of)
  memories.set(location, opening)
  return new Proxy<Backend>(await opening, {
    get: (target, name) => {
      if (name === 'close') return async () => {}
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

async function openMemoryBackend(of: string): Promise<Backend> {
  return of === 'memory:' ? new MemoryBackend() : openFile(':memory:', undefined)
}

function openFile(file: string, timeout: number | undefined): Promise<Backend> {
  return SqliteBackend.open(file, { timeout, durability: undefined, readOnly: undefined })
}

const own = { ...memoryStoreCapabilities, summaryMessage: true, turns: true, owners: true } as const

function asked(backend: Backend, request: OpenRequest): Promise<MemoryStore> {
  const { ttl, timeout, summaryMessage, wrapBackend = (one) => one } = request
  return storeOn(wrapBackend(backend), { ttl, timeout, summaryMessage })
}

const memory = (of: string): StoreDefinition<MemoryStore> => ({
  name: of,
  capabilities: own,
  open: async (request) => asked(await sharedMemory(of, request.location), request),
  close: (store) => store.close(),
  async destroy({ location }) {
    const backend = await memories.get(location)
    memories.delete(location)
    await backend?.close()
  },
})

const sqlite = (of: string): StoreDefinition<MemoryStore> => ({
  name: of,
  capabilities: { ...own, persistent: true, processes: true },
  open: async (request) => asked(await openFile(request.location, request.timeout), request),
  close: (store) => store.close(),
})

interface OnServer {
  readonly protocol: Endpoint['protocol']
  readonly port: number
  /** Opens the memory of a location; each location has its own memory. */
  open(url: string, location: string, timeout: number | undefined): Promise<Backend & Forgetful>
}

interface Forgetful {
  forgetEverything(deadline: number): Promise<void>
}

const redis: OnServer = {
  protocol: 'redis',
  port: 6379,
  open: (url, location, timeout) => RedisBackend.open(url, { prefix: `unforget-proof:${location}`, timeout }),
}

const postgres: OnServer = {
  protocol: 'postgres',
  port: 5432,
  open(url, location, timeout) {
    const name = createHash('sha256').update(location).digest('hex').slice(0, 24)
    return PostgresBackend.open(url, { schema: `unforget_proof_${name}`, timeout })
  },
}

async function storeOnServer(url: string, { protocol, port, open }: OnServer): Promise<StoreDefinition<MemoryStore>> {
  const { hostname, port: given } = new URL(url)
  const isProxied = protocol !== 'redis' || !(await isCluster(url))
  return {
    name: withoutPassword(url),
    capabilities: { ...own, persistent: true, processes: true },
    async open(request) {
      const { location, timeout, endpoint, wrapBackend } = request
      return asked(await open(throughEndpoint(url, endpoint), location, wrapBackend ? undefined : timeout), request)
    },
    close: (store) => store.close(),
    async destroy({ location }) {
      const backend = await open(url, location, undefined)
      await backend.forgetEverything(performance.now() + 30_000)
      await backend.close()
    },
    ...(isProxied && { endpoint: { host: hostname, port: Number(given || port), protocol } }),
  }
}

/** Cluster clients find the servers on their own, bypassing any proxy. A missing server is reported when the store is opened. */
async function isCluster(url: string): Promise<boolean> {
  try {
    const backend = await RedisBackend.open(url)
    const { details } = await backend.health(performance.now() + 5000)
    await backend.close()
    return details['cluster'] === true
  } catch {
    return false
  }
}

function throughEndpoint(url: string, endpoint: OpenRequest['endpoint']): string {
  if (endpoint === undefined) return url
  const there = new URL(url)
  there.hostname = endpoint.host
  there.port = `${endpoint.port}`
  return there.href
}

function withoutPassword(url: string): string {
  const shown = new URL(url)
  shown.username = ''
  shown.password = ''
  return shown.href
}

export async function storeFor({ searchParams }: URL): Promise<StoreDefinition<MemoryStore>> {
  const url = searchParams.get('of') ?? ''
  if (/^rediss?:/.test(url)) return storeOnServer(url, redis)
  if (/^postgres(ql)?:/.test(url)) return storeOnServer(url, postgres)
  return url === 'memory:' || url === 'sqlite::memory:' ? memory(url) : sqlite(url)
}
