import { type Argument, isCluster, type RedisClient, type RedisCluster } from './client.ts'
import { slotOf } from './slot-of.ts'

/** One server of a memory. */
export interface Server {
  /** `options` are the client's own; where they are not given, a reply is text. */
  send(args: readonly Argument[], options?: object): Promise<unknown>
}

/** A connection to a server, or to all of a cluster. */
export interface Wire {
  readonly isReady: boolean
  /** Whether keys of two sessions may be on two servers. */
  readonly isCluster: boolean
  connect(): Promise<unknown>
  /** Sends a command to the server that has the key. */
  send(key: string, args: readonly Argument[], options?: object): Promise<unknown>
  /** The server that has the key, on a connection whose `generation` changes when it is renewed. */
  connectionOf(key: string): Promise<Server & { readonly generation: number }>
  /** Every server that is written to. */
  servers(): Promise<readonly Server[]>
  destroy(): void
}

export function makeWire(client: RedisClient | RedisCluster): Wire {
  return isCluster(client) ? clusterWire(client) : clientWire(client)
}

function clientWire(client: RedisClient): Wire {
  const connection = watch(client)
  return {
    isCluster: false,
    get isReady() {
      return client.isReady
    },
    connect: () => client.connect(),
    send: (_key, args, options) => client.sendCommand(args, options),
    connectionOf: async () => connection,
    servers: async () => [connection],
    destroy: () => quietly(() => client.destroy()),
  }
}

function clusterWire(cluster: RedisCluster): Wire {
  const connections = new WeakMap<RedisClient, ReturnType<typeof watch>>()
  const connectionTo = async (node: object) => {
    const client = await cluster.nodeClient(node)
    const connection = connections.get(client) ?? watch(client)
    connections.set(client, connection)
    return connection
  }
  return {
    isCluster: true,
    get isReady() {
      return cluster.isOpen
    },
    connect: () => cluster.connect(),
    send: (key, args, options) => cluster.sendCommand(key, false, args, options),
    async connectionOf(key) {
      const shard = cluster.slots[slotOf(key)]
      if (shard === undefined) throw new Error('CLUSTERDOWN no server has the slot of the key')
      return connectionTo(shard.master)
    },
    servers: () => Promise.all(cluster.masters.map(connectionTo)),
    destroy: () => quietly(() => cluster.destroy()),
  }
}

function watch(client: RedisClient): Server & { readonly generation: number } {
  let generation = 0
  client.on('ready', () => {
    generation += 1
  })
  return {
    get generation() {
      return generation
    },
    send: (args, options) => client.sendCommand(args, options),
  }
}

/** Some versions of the client refuse to destroy what is closed already. */
function quietly(destroy: () => unknown): void {
  try {
    destroy()
  } catch {}
}
