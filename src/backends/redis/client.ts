export type Argument = string | Uint8Array

/** What is used of a client of the package `redis`, so that any copy of it will do. */
export interface RedisClient {
  readonly isReady: boolean
  sendCommand(args: readonly Argument[], options?: object): Promise<unknown>
  connect(): Promise<unknown>
  destroy(): unknown
  on(event: 'error' | 'ready', listener: (error?: unknown) => void): unknown
  off(event: 'error', listener: (error?: unknown) => void): unknown
}

/** What is used of a cluster of the package `redis`. */
export interface RedisCluster {
  readonly isOpen: boolean
  readonly masters: readonly object[]
  readonly nodeByAddress?: ReadonlyMap<string, unknown>
  readonly slots: readonly ({ readonly master: object } | undefined)[]
  nodeClient(node: object): RedisClient | Promise<RedisClient>
  sendCommand(
    firstKey: string | undefined,
    isReadonly: boolean | undefined,
    args: readonly Argument[],
    options?: object,
  ): Promise<unknown>
  connect(): Promise<unknown>
  destroy(): unknown
  on(event: 'error', listener: (error?: unknown) => void): unknown
  off(event: 'error', listener: (error?: unknown) => void): unknown
}

export function isCluster(client: RedisClient | RedisCluster): client is RedisCluster {
  return 'nodeClient' in client
}

/** Bulk replies as bytes: what an entry carries need not be text. The number is RESP's own mark of a bulk reply. */
export const bulkAsBytes = { typeMapping: { 36: Buffer } }
