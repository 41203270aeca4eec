import { storeFor } from '../../dist/cli/prove/url.store.js'

/**
 * The store of the kit for a bridge, on the backend that `?of=` of the module names: `wrap` makes the methods that the kit calls. What it
 * does not offer, it does not declare. It is JavaScript and uses the build, because the kit starts hundreds of processes with it.
 *
 * @param {URL} module
 * @param {string} name
 * @param {(memory: import('unforget').MemoryStore) => object} wrap
 * @returns {Promise<import('unforget/conformance').StoreDefinition>}
 */
export async function bridgeStore(module, name, wrap) {
  const { open, destroy, endpoint, capabilities = {}, name: backend } = await storeFor(module)
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
