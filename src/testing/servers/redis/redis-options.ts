export interface RedisServerOptions {
  /** Three masters, each with a replica. */
  readonly cluster?: boolean
  /** Keep an append-only file, synced this often. Default: no file. */
  readonly aof?: 'always' | 'everysec'
  /** Server configuration: `{ maxmemory: '10mb' }`. In a cluster, of every process. */
  readonly config?: Readonly<Record<string, string>>
  /** The server to start, instead of the one found. */
  readonly binary?: string
  /** Start a new one even if `REDIS_URL` names an existing one: for tests that pause, kill or restart it. */
  readonly own?: boolean
  /** In a cluster: after how many milliseconds of silence a node counts as failed; default 2,000. */
  readonly nodeTimeout?: number
}

const reserved = ['bind', 'port', 'tls-port', 'unixsocket', 'dir', 'daemonize', 'logfile', 'pidfile']

/** The configuration of a process, except its port. */
export function configOf(options: RedisServerOptions): Record<string, string> {
  const { aof, config = {}, cluster = false, nodeTimeout = 2000 } = options
  const taken = reserved.find((key) => key in config)
  if (taken !== undefined) throw new TypeError(`config: ${taken} cannot be set, redisServer chooses it`)
  return {
    bind: '127.0.0.1',
    dir: './',
    daemonize: 'no',
    save: '',
    appendonly: aof === undefined ? 'no' : 'yes',
    appendfsync: aof ?? 'everysec',
    ...(cluster ? clusterConfig(nodeTimeout) : {}),
    ...config,
  }
}

function clusterConfig(nodeTimeout: number): Record<string, string> {
  return {
    'cluster-enabled': 'yes',
    'cluster-config-file': 'nodes.conf',
    'cluster-node-timeout': String(nodeTimeout),
    'repl-diskless-sync-delay': '0',
  }
}
