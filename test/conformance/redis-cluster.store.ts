import { createCluster } from 'redis'
import { MemoryStore } from 'unforget'
import { defineStore, memoryStoreCapabilities, type OpenRequest } from 'unforget/conformance'
import { RedisBackend } from 'unforget/redis'

/** Memories on a cluster. Making a client of a cluster takes a tenth of a second, so all handles of a process share one. */
const url = new URL(import.meta.url).searchParams.get('of') ?? ''

/** The client is closed this many milliseconds after its last handle. */
const linger = 100

function makeCluster() {
  const cluster = createCluster({ rootNodes: [{ url }] })
  cluster.on('error', () => {})
  return { cluster, connected: cluster.connect() }
}

let shared: ReturnType<typeof makeCluster> | null = null
let handles = 0
let leaving: NodeJS.Timeout | undefined

async function open({ location }: Pick<OpenRequest, 'location'>): Promise<RedisBackend> {
  clearTimeout(leaving)
  handles += 1
  shared ??= makeCluster()
  await shared.connected
  return RedisBackend.open(shared.cluster, { prefix: location })
}

function leave(): void {
  handles -= 1
  if (handles > 0) return
  leaving = setTimeout(() => {
    shared?.cluster.destroy()
    shared = null
  }, linger)
}

export default defineStore<MemoryStore>({
  name: 'a cluster',
  capabilities: {
    ...memoryStoreCapabilities,
    summaryMessage: true,
    turns: true,
    owners: true,
    persistent: true,
    processes: true,
  },
  async open({ location, ttl, timeout, summaryMessage, wrapBackend = (one) => one }) {
    const backend = await open({ location })
    try {
      return new MemoryStore(wrapBackend(backend), { ttl, timeout, summaryMessage })
    } catch (error) {
      leave()
      throw error
    }
  },
  async close(store) {
    await store.close()
    leave()
  },
  async destroy({ location }) {
    const backend = await open({ location })
    await backend.forgetEverything(performance.now() + 30_000)
    leave()
  },
})
