import { createHash } from 'node:crypto'
import { MemoryBackend } from '../backends/memory/memory-backend.ts'
import { PostgresBackend } from '../backends/postgres/postgres-backend.ts'
import { RedisBackend } from '../backends/redis/redis-backend.ts'
import { SqliteBackend } from '../backends/sqlite/sqlite-backend.ts'
import {
  defineStore,
  memoryStoreCapabilities,
  type OpenRequest,
  type StoreDefinition,
} from '../conformance/store-definition.ts'
import type { Backend } from '../core/backend.ts'
import type { MemoryStore } from '../core/memory-store.ts'
import { storeOn } from '../core/store-on.ts'

/** The module to prove for a store URL of ours. */
export function urlStoreModule(url: string): URL {
  const module = new URL(import.meta.url)
  module.search = `?of=${encodeURIComponent(url)}`
  return module
}

const memories = new Map<string, Promise<Backend>>()

/** A backend of which every handle is one, and which none of them closes. */
async function sharedMemory(location: string): Promise<Backend> {
  const opening = memories.get(location) ?? openMemoryBackend()
  memories.set(location, opening)
  return new Proxy<Backend>(await opening, {
    get: (target, name) => {
      if (name === 'close') return async () => {}
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

const of = new URL(import.meta.url).searchParams.get('of') ?? 'memory:'

async function openMemoryBackend(): Promise<Backend> {
  return of === 'memory:' ? new MemoryBackend() : openFile(':memory:', undefined)
}

function openFile(file: string, timeout: number | undefined): Promise<Backend> {
  return SqliteBackend.open(file, { timeout, durability: undefined, readOnly: undefined })
}

function asked(backend: Backend, { ttl, timeout, wrapBackend = (one) => one }: OpenRequest): Promise<MemoryStore> {
  return storeOn(wrapBackend(backend), { ttl, timeout })
}

const memory: StoreDefinition<MemoryStore> = {
  name: of,
  capabilities: memoryStoreCapabilities,
  open: async (request) => asked(await sharedMemory(request.location), request),
  close: (store) => store.close(),
  async destroy({ location }) {
    const backend = await memories.get(location)
    memories.delete(location)
    await backend?.close()
  },
}

const sqlite: StoreDefinition<MemoryStore> = {
  name: of,
  capabilities: { ...memoryStoreCapabilities, persistent: true, processes: true },
  open: async (request) => asked(await openFile(request.location, request.timeout), request),
  close: (store) => store.close(),
}

/** Each location is a memory of its own, by its prefix. */
async function redis(url: string): Promise<StoreDefinition<MemoryStore>> {
  const open = ({ location, timeout, endpoint, wrapBackend }: OpenRequest) =>
    RedisBackend.open(throughEndpoint(url, endpoint), {
      prefix: `unforget-proof:${location}`,
      timeout: wrapBackend ? undefined : timeout,
    })
  const { hostname, port } = new URL(url)
  return {
    name: withoutPassword(url),
    capabilities: { ...memoryStoreCapabilities, persistent: true, processes: true },
    open: async (request) => asked(await open(request), request),
    close: (store) => store.close(),
    async destroy({ location }) {
      const backend = await open({ location })
      await backend.forgetEverything(performance.now() + 30_000)
      await backend.close()
    },
    ...(!(await isCluster(url)) && {
      endpoint: { host: hostname, port: Number(port || 6379), protocol: 'redis' as const },
    }),
  }
}

/** Each location is a memory of its own, by its schema. */
function postgres(url: string): StoreDefinition<MemoryStore> {
  const schemaOf = (location: string) =>
    `unforget_proof_${createHash('sha256').update(location).digest('hex').slice(0, 24)}`
  const open = ({ location, timeout, endpoint, wrapBackend }: OpenRequest) =>
    PostgresBackend.open(throughEndpoint(url, endpoint), {
      schema: schemaOf(location),
      timeout: wrapBackend ? undefined : timeout,
    })
  const { hostname, port } = new URL(url)
  return {
    name: withoutPassword(url),
    capabilities: { ...memoryStoreCapabilities, persistent: true, processes: true },
    open: async (request) => asked(await open(request), request),
    close: (store) => store.close(),
    async destroy({ location }) {
      const backend = await open({ location })
      await backend.forgetEverything(performance.now() + 30_000)
      await backend.close()
    },
    endpoint: { host: hostname, port: Number(port || 5432), protocol: 'postgres' },
  }
}

/** The clients of a cluster find its servers by themselves, past any proxy. A server that is not there is told when the store is opened. */
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

async function definitionOf(url: string): Promise<StoreDefinition<MemoryStore>> {
  if (/^rediss?:/.test(url)) return redis(url)
  if (/^postgres(ql)?:/.test(url)) return postgres(url)
  return url === 'memory:' || url === 'sqlite::memory:' ? memory : sqlite
}

export default defineStore(await definitionOf(of))
