import { MemoryBackend } from '../../backends/memory/memory-backend.ts'
import { SqliteBackend } from '../../backends/sqlite/sqlite-backend.ts'
import type { Backend } from '../../core/backend.ts'
import { MemoryStore } from '../../core/memory-store.ts'
import type { FullStore } from '../case.ts'
import { memoryStoreCapabilities, type OpenRequest, type StoreDefinition } from '../store-definition.ts'
import type { Bowl, Goldfish } from './goldfish.ts'
import { overlay } from './overlay.ts'

/** A goldfish as a store that can be proved like any other. */
export function defineGoldfish(goldfish: Goldfish): StoreDefinition<FullStore> {
  const isFile = goldfish.on === 'sqlite'
  const bowls = new Map<string, { memory: MemoryBackend; shared: Map<string, unknown> }>()

  async function open(request: OpenRequest): Promise<FullStore> {
    const { location, ttl, timeout, wrapBackend = (backend) => backend } = request
    const { memory, shared } = bowls.get(location) ?? { memory: new MemoryBackend(), shared: new Map() }
    bowls.set(location, { memory, shared })
    const sound: Backend = isFile
      ? await SqliteBackend.open(location, { timeout, durability: undefined, readOnly: undefined })
      : overlay<Backend>(memory, { close: async () => {} })
    const bowl: Bowl = { location, shared, another: () => new MemoryStore(sound, { ttl, timeout }) }
    const backend = overlay(sound, goldfish.backend?.(sound, bowl) ?? {})
    const store: FullStore = new MemoryStore(wrapBackend(backend), { ttl, timeout })
    return overlay(store, goldfish.store?.(store, bowl) ?? {})
  }

  return {
    name: goldfish.name,
    capabilities: { ...memoryStoreCapabilities, persistent: isFile, processes: isFile },
    open,
    close: (store) => store.close(),
    destroy: ({ location }) => bowls.delete(location),
  }
}
