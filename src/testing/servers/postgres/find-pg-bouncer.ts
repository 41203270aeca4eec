import { join } from 'node:path'
import { foldersOf, isExecutable } from '../process/executables.ts'
import { howToInstall, type Packages } from '../process/how-to-install.ts'
import { ServerNotFoundError } from '../process/server-not-found-error.ts'

const packages: Packages = {
  brew: 'pgbouncer',
  apt: 'pgbouncer',
  dnf: 'pgbouncer',
  apk: 'pgbouncer',
  pacman: 'pgbouncer',
  elsewhere: 'see https://www.pgbouncer.org/install.html',
}

/** Where packages install it, even outside the PATH. */
const places = ['/usr/sbin', '/usr/local/bin', '/opt/homebrew/bin']

/** The path of PgBouncer: the one named by `UNFORGET_PGBOUNCER`, or the first found. */
export function findPgBouncer(
  environment: NodeJS.ProcessEnv = process.env,
  alsoIn: readonly string[] = places,
): string {
  const named = environment['UNFORGET_PGBOUNCER']
  if (named !== undefined && named !== '') return named
  const folders = [...foldersOf(environment), ...alsoIn]
  const found = folders.map((folder) => join(folder, 'pgbouncer')).find(isExecutable)
  if (found === undefined) throw new ServerNotFoundError(`no pgbouncer is found. ${howToInstall(packages)}`)
  return found
}
