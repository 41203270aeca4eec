import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { chown, mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServerUser } from './server-user.ts'

export interface KeptCommand {
  /** A program and its arguments. */
  readonly command: readonly string[]
  /** Where it runs: a folder that `makeFolder` made. */
  readonly folder: string
  readonly user?: ServerUser | undefined
}

// Its id is in the folder before it is the program: whoever ends the folder ends it as well.
const starter = 'echo $$ >&3 && [ -e "$1" ] && shift && exec "$@" 3>&-'

/** A folder in one that is kept, for a process that runs as that user. */
export async function makeFolder(parent: string, name: string, user?: ServerUser): Promise<string> {
  const folder = join(parent, name)
  await mkdir(folder, { mode: 0o700 })
  if (user) await chown(folder, user.uid, user.gid)
  return folder
}

export const logOf = (folder: string): string => `${folder}.log`

export interface KeptProcess {
  readonly child: ChildProcess
  /** Its exit code, or null where a signal ended it. */
  readonly ended: Promise<number | null>
}

/** Starts a program that ends with the kept folder, what it says in `logOf(folder)`. */
export async function spawnKept({ command, folder, user }: KeptCommand): Promise<KeptProcess> {
  const pidFile = `${folder}.pid`
  await using log = await open(logOf(folder), 'w')
  await using id = await open(pidFile, 'w')
  const child = spawn('/bin/sh', ['-c', starter, 'starter', pidFile, ...command], {
    ...user,
    cwd: folder,
    detached: true,
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['ignore', log.fd, log.fd, id.fd],
  })
  const ended = new Promise<number | null>((resolve) => {
    child.on('exit', (code) => {
      rmSync(pidFile, { force: true })
      resolve(code)
    })
  })
  await once(child, 'spawn')
  return { child, ended }
}

/** Runs a program to its end; one that fails is an error with what it said. */
export async function runKept(options: KeptCommand): Promise<void> {
  const { ended } = await spawnKept(options)
  if ((await ended) === 0) return
  throw new Error(`${options.command.join(' ')} failed:\n${await readFile(logOf(options.folder), 'utf8')}`)
}
