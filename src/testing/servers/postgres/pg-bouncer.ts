import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onFreePort } from '../process/free-port.ts'
import { keepFolder } from '../process/keep-folder.ts'
import { ServerProcess } from '../process/server-process.ts'
import { serverUser } from '../process/server-user.ts'
import { logOf, makeFolder } from '../process/spawn-kept.ts'
import { serverOf, type TestServer } from '../server.ts'
import { findPgBouncer } from './find-pg-bouncer.ts'

export interface PgBouncerOptions {
  /** The real server, which must accept connections without a password: one started by `postgresServer`. */
  readonly server: { readonly url: string }
  /** PgBouncer settings: `{ default_pool_size: '2' }`. The default `pool_mode` is `transaction`. */
  readonly config?: Readonly<Record<string, string>>
}

/** `url` is that of the server, with another port. */
export type PgBouncer = TestServer<'pooler'>

const reserved = ['listen_addr', 'listen_port', 'unix_socket_dir', 'logfile', 'pidfile', 'user']

/** Starts PgBouncer in front of a server, on a free port of 127.0.0.1, in transaction mode. It never outlives this process. */
export async function pgBouncer({ server, config = {} }: PgBouncerOptions): Promise<PgBouncer> {
  const taken = reserved.find((key) => key in config)
  if (taken !== undefined) throw new TypeError(`config: ${taken} cannot be set, pgBouncer chooses it`)
  const binary = findPgBouncer()
  const user = serverUser()
  const kept = await keepFolder()
  try {
    const folder = await makeFolder(kept.path, 'pgbouncer', user)
    const started = await onFreePort(async (port) => {
      const url = new URL(server.url)
      await writeFile(join(folder, 'pgbouncer.ini'), configOf(url, port, config))
      url.port = String(port)
      const isReady = async () => (await readFile(logOf(folder), 'utf8')).includes('process up')
      const command = [binary, 'pgbouncer.ini']
      const process = new ServerProcess({ command, kept, folder, user, isReady, endsBy: 'SIGINT' })
      await process.start()
      return { role: 'pooler' as const, url: url.href, process }
    })
    return serverOf([started], kept)
  } catch (error) {
    await kept.remove()
    throw error
  }
}

function configOf(server: URL, port: number, config: Readonly<Record<string, string>>): string {
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    ...config,
  }
  const lines = Object.entries(settings).map(([key, value]) => `${key} = ${value}`)
  const { hostname, port: serverPort, username, pathname } = server
  const name = decodeURIComponent(pathname.slice(1)) || decodeURIComponent(username)
  const database = `host=${hostname} port=${serverPort || '5432'} user=${decodeURIComponent(username)}`
  return ['[databases]', `${name} = ${database}`, '[pgbouncer]', ...lines, ''].join('\n')
}
