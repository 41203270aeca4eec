import type { MemoryStore } from 'unforget'
import type { StoreDefinition } from 'unforget/conformance'
import { storeFor as ownStoreFor } from '../../src/cli/prove/url.store.ts'

/**
 * The store of the kit for a bridge, on the backend that `?of=` of the module names: `wrap` makes the methods that the kit calls. What it
 * does not offer, it does not declare.
 */
export async function bridgeStore(
  module: URL,
  name: string,
  wrap: (memory: MemoryStore) => object,
): Promise<StoreDefinition<{ close(): Promise<void> }>> {
  const { open, destroy, endpoint, capabilities = {}, name: backend } = await ownStoreFor(module)
  const { persistent = false, processes = false } = capabilities
  return {
    name: `${name} on ${backend}`,
    capabilities: { persistent, processes, ttl: true, faults: true },
    async open(request) {
      const memory = await open(request)
      return { ...wrap(memory), close: () => memory.close() }
    },
    close: (store) => store.close(),
    ...(destroy && { destroy }),
    ...(endpoint && { endpoint }),
  }
}

/** The module of a bridge's store, on a backend. */
export function bridgeModule(file: URL, of: string): URL {
  const module = new URL(file)
  module.search = `?of=${encodeURIComponent(of)}`
  return module
}
