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

function storeOn(backend: Backend, { ttl, timeout, wrapBackend = (one) => one }: OpenRequest): MemoryStore {
  return new MemoryStore(wrapBackend(backend), { ttl, timeout })
}

const memory: StoreDefinition<MemoryStore> = {
  name: of,
  capabilities: memoryStoreCapabilities,
  open: async (request) => storeOn(await sharedMemory(request.location), request),
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
  open: async (request) => storeOn(await openFile(request.location, request.timeout), request),
  close: (store) => store.close(),
}

export default defineStore(of === 'memory:' || of === 'sqlite::memory:' ? memory : sqlite)
