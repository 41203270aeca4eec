import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type KeptFolder, keepFolder } from '../process/keep-folder.ts'
import { type ServerUser, serverUser } from '../process/server-user.ts'
import { makeFolder, runKept } from '../process/spawn-kept.ts'
import { type StartedNode, serverOf, type TestServer } from '../server.ts'
import { findPostgres, type PostgresBinaries } from './find-postgres.ts'
import { makeData } from './make-data.ts'
import { checkConfig, type PostgresServerOptions } from './postgres-options.ts'
import { type PostgresProcess, startPostgres } from './postgres-process.ts'
import { readableBinaries } from './readable-binaries.ts'
import { useExistingPostgres } from './use-existing-postgres.ts'

/** `url` is `postgres://postgres@127.0.0.1:…/postgres`: the superuser, without a password. A standby is the second of `nodes`. */
export type PostgresServer = TestServer<'primary' | 'standby'>

interface Setting {
  readonly binaries: PostgresBinaries
  readonly kept: KeptFolder
  readonly config: Readonly<Record<string, string>>
  readonly user: ServerUser | undefined
}

/**
 * Starts a real PostgreSQL on a free port of 127.0.0.1, with an empty database, ready when it resolves. It ends with this process, however that ends, and
 * does not keep it running. If `DATABASE_URL` is set, that server is used.
 */
export async function postgresServer(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const { config = {}, standby = false } = options
  checkConfig(config)
  const existing = process.env['DATABASE_URL']
  const asksForOne = [options.source, options.version, options.binaries].some((one) => one !== undefined)
  const mayUse = options.own !== true && !standby && !asksForOne
  if (existing !== undefined && existing !== '' && mayUse) return useExistingPostgres(existing, options)
  const user = serverUser()
  const binaries = readableBinaries(findPostgres(options), user)
  const folder = await keepFolder()
  try {
    const setting: Setting = { binaries, kept: folder, config, user }
    return serverOf(standby ? await startBoth(setting) : [await startPrimary(setting)], folder)
  } catch (error) {
    await folder.remove()
    throw error
  }
}

async function startPrimary(setting: Setting, data = makePrimary(setting)): Promise<StartedNode<'primary'>> {
  return { role: 'primary', ...started(await start(setting, await data)) }
}

/** Both start with the same data, and the standby follows from there. */
async function startBoth(setting: Setting): Promise<StartedNode<'primary' | 'standby'>[]> {
  const { kept, config, user } = setting
  const first = await makePrimary(setting)
  const second = await makeFolder(kept.path, 'node-2', user)
  await runKept({ command: ['cp', '-R', join(first, 'data'), 'data'], kept, folder: second, user })
  const primary = await startPrimary(setting, Promise.resolve(first))
  await writeFile(join(second, 'data', 'standby.signal'), '')
  const from = new URL(primary.url)
  const follows = { primary_conninfo: `host=${from.hostname} port=${from.port} user=${from.username}` }
  const standby = await start({ ...setting, config: { ...config, ...follows } }, second)
  return [primary, { role: 'standby', ...started(standby) }]
}

async function makePrimary({ binaries, kept, user }: Setting): Promise<string> {
  const folder = await makeFolder(kept.path, 'node-1', user)
  await makeData(binaries, { kept, folder, user })
  return folder
}

function start({ binaries, kept, config, user }: Setting, folder: string): Promise<PostgresProcess> {
  return startPostgres({ binaries: binaries.folder, kept, folder, config, user })
}

function started({ process, port }: PostgresProcess): Omit<StartedNode<never>, 'role'> {
  return { process, url: `postgres://postgres@127.0.0.1:${port}/postgres` }
}
