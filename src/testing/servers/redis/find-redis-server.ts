import { join } from 'node:path'
import { foldersOf, isExecutable } from '../process/executables.ts'
import { howToInstall, type Packages } from '../process/how-to-install.ts'
import { ServerNotFoundError } from '../process/server-not-found-error.ts'

const names = ['redis-server', 'valkey-server']

export const redisPackages: Packages = {
  brew: 'redis',
  apt: 'redis-server',
  dnf: 'valkey',
  apk: 'redis',
  pacman: 'valkey',
  elsewhere: 'see https://redis.io/docs/latest/operate/oss_and_stack/install or https://valkey.io/download',
}

/** The path of the server to start: the one named by `UNFORGET_REDIS_SERVER`, or the first found on the PATH. */
export function findRedisServer(environment: NodeJS.ProcessEnv = process.env): string {
  const named = environment['UNFORGET_REDIS_SERVER']
  if (named !== undefined && named !== '') return named
  const folders = foldersOf(environment)
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
  if (found !== undefined) return found
  throw new ServerNotFoundError(
    `neither redis-server nor valkey-server is on the PATH. ${howToInstall(redisPackages)}, or set REDIS_URL to a running server`,
  )
}
