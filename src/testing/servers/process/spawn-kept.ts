import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bornAt } from './born-at.ts'
import type { KeptFolder } from './keep-folder.ts'
import type { ServerUser } from './server-user.ts'

export interface KeptCommand {
  /** A program and its arguments. */
  readonly command: readonly string[]
  /** The folder that it ends with. */
  readonly kept: KeptFolder
  /** Where it runs: a subfolder made by `makeFolder`. */
  readonly folder: string
  readonly user?: ServerUser | undefined
}

// Becomes the program only after it has registered with the keeper. If `remove` has closed the pipe, it never does.
const starter = `${bornAt}
echo "$$ $(born_at $$)" >&3 && exec "$@" 3>&-`

/** A subfolder of a kept folder, for a process of that user. */
export async function makeFolder(parent: string, name: string, user?: ServerUser): Promise<string> {
  const folder = join(parent, name)
  await mkdir(folder, { mode: 0o700 })
  if (user) await chown(folder, user.uid, user.gid)
  return folder
}

export const logOf = (folder: string): string => `${folder}.log`

export interface KeptProcess {
  readonly child: ChildProcess
  /** Its exit code; null if a signal ended it. */
  readonly ended: Promise<number | null>
}

/** Starts a program that ends with the kept folder. Its output is in `logOf(folder)`. */
export async function spawnKept({ command, kept, folder, user }: KeptCommand): Promise<KeptProcess> {
  await using log = await open(logOf(folder), 'w')
  if (kept.pipe.destroyed) throw new Error(`${command[0]} cannot start: the process that would end it has ended`)
  const child = spawn('/bin/sh', ['-c', starter, 'starter', ...command], {
    ...user,
    cwd: folder,
    detached: true,
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['ignore', log.fd, log.fd, kept.pipe],
  })
  const ended = new Promise<number | null>((resolve) => {
    child.on('exit', (code) => resolve(code))
  })
  await once(child, 'spawn')
  return { child, ended }
}

/** Runs a program to its end. If it fails, throws an error with its output. */
export async function runKept(options: KeptCommand): Promise<void> {
  const { ended } = await spawnKept(options)
  if ((await ended) === 0) return
  throw new Error(`${options.command.join(' ')} failed:\n${await readFile(logOf(options.folder), 'utf8')}`)
}
