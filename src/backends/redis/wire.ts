import { type Argument, isCluster, type RedisClient, type RedisCluster } from './client.ts'
import { slotOf } from './slot-of.ts'

/** One server of a memory. */
export interface Server {
  /** `options` are the client's own; by default, a reply is text. */
  send(args: readonly Argument[], options?: object): Promise<unknown>
}

/** A connection to a server. `generation` changes when it is renewed; `scripts` are those that were sent on it since, by their hash. */
export interface Connection extends Server {
  readonly generation: number
  readonly scripts: Set<string>
}

/** A connection to a server, or to all of a cluster. */
export interface Wire {
  readonly isReady: boolean
  /** Whether keys of two sessions may be on two servers. */
  readonly isCluster: boolean
  connect(): Promise<unknown>
  /** Sends a command to the server that has the key. */
  send(key: string, args: readonly Argument[], options?: object): Promise<unknown>
  /** The scripts that were sent to that server. */
  scriptsAt(key: string): Set<string>
  /** The server that has the key. */
  connectionOf(key: string): Promise<Connection>
  /** Every server that is written to. */
  servers(): Promise<readonly Server[]>
  destroy(): void
}

export function makeWire(client: RedisClient | RedisCluster): Wire {
  return isCluster(client) ? clusterWire(client) : clientWire(client)
}

function clientWire(client: RedisClient): Wire {
  const connection = connectionOf(client)
  return {
    isCluster: false,
    get isReady() {
      return client.isReady
    },
    connect: () => client.connect(),
    send: (_key, args, options) => client.sendCommand(args, options),
    scriptsAt: () => connection.scripts,
    connectionOf: async () => connection,
    servers: async () => [connection],
    destroy: () => quietly(() => client.destroy()),
  }
}

function clusterWire(cluster: RedisCluster): Wire {
  const scripts = new WeakMap<object, Set<string>>()
  const connectionTo = async (node: object) => connectionOf(await cluster.nodeClient(node))
  return {
    isCluster: true,
    get isReady() {
      return cluster.isOpen
    },
    connect: () => cluster.connect(),
    send: (key, args, options) => cluster.sendCommand(key, false, args, options),
    scriptsAt(key) {
      const { master = {} } = cluster.slots[slotOf(key)] ?? {}
      const known = scripts.get(master) ?? new Set()
      scripts.set(master, known)
      return known
    },
    async connectionOf(key) {
      const shard = cluster.slots[slotOf(key)]
      if (shard === undefined) throw new Error('CLUSTERDOWN no server has the slot of the key')
      return connectionTo(shard.master)
    },
    servers: () => Promise.all(cluster.masters.map(connectionTo)),
    destroy: () => quietly(() => cluster.destroy()),
  }
}

/** A client gets only one listener from us, however many memories use it. */
const connections = new WeakMap<RedisClient, Connection>()

function connectionOf(client: RedisClient): Connection {
  const connection = connections.get(client) ?? watch(client)
  connections.set(client, connection)
  return connection
}

function watch(client: RedisClient): Connection {
  let generation = 0
  const scripts = new Set<string>()
  client.on('ready', () => {
    generation += 1
    scripts.clear()
  })
  return {
    get generation() {
      return generation
    },
    scripts,
    send: (args, options) => client.sendCommand(args, options),
  }
}

/** Some versions of the client refuse to destroy a closed connection. */
function quietly(destroy: () => unknown): void {
  try {
    destroy()
  } catch {}
}
