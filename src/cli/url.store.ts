import { MemoryBackend } from '../backends/memory/memory-backend.ts'
import { SqliteBackend } from '../backends/sqlite/sqlite-backend.ts'
import {
  defineStore,
  memoryStoreCapabilities,
  type OpenRequest,
  type StoreDefinition,
} from '../conformance/store-definition.ts'
import type { Backend } from '../core/backend.ts'
import { MemoryStore } from '../core/memory-store.ts'

/** The module to prove for a store URL of ours. */
export function urlStoreModule(url: string): URL {
  const module = new URL(import.meta.url)
  module.search = `?of=${encodeURIComponent(url)}`
  return module
}

const memories = new Map<string, MemoryBackend>()

/** A backend of which every handle is one, and which none of them closes. */
function sharedMemory(location: string): Backend {
  const backend = memories.get(location) ?? new MemoryBackend()
  memories.set(location, backend)
  return new Proxy<Backend>(backend, {
    get: (target, name) => {
      if (name === 'close') return async () => {}
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

const of = new URL(import.meta.url).searchParams.get('of') ?? 'memory:'

function storeOn(backend: Backend, { ttl, timeout, wrapBackend = (one) => one }: OpenRequest): MemoryStore {
  return new MemoryStore(wrapBackend(backend), { ttl, timeout })
}

const memory: StoreDefinition<MemoryStore> = {
  name: of,
  capabilities: memoryStoreCapabilities,
  open: (request) => storeOn(sharedMemory(request.location), request),
  close: (store) => store.close(),
  destroy: ({ location }) => memories.delete(location),
}

const sqlite: StoreDefinition<MemoryStore> = {
  name: of,
  capabilities: { ...memoryStoreCapabilities, persistent: true, processes: true },
  open: async (request) => {
    const { location, timeout } = request
    return storeOn(await SqliteBackend.open(location, { timeout, durability: undefined, readOnly: undefined }), request)
  },
  close: (store) => store.close(),
}

export default defineStore(of.startsWith('sqlite:') ? sqlite : memory)
