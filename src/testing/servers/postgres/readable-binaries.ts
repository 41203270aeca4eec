import { createHash } from 'node:crypto'
import { cpSync, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ServerUser } from '../process/server-user.ts'
import type { PostgresBinaries } from './find-postgres.ts'

/**
 * The same binaries where the user can reach them. The project may be in a folder that only root can read, while the server must run as
 * another user. In that case they are copied once, into the temporary folder of the system.
 */
export function readableBinaries(binaries: PostgresBinaries, user: ServerUser | undefined): PostgresBinaries {
  if (user === undefined || isOpen(binaries.folder)) return binaries
  const home = dirname(binaries.folder)
  const name = createHash('sha256').update(`${home} ${binaries.version}`).digest('hex').slice(0, 16)
  const copy = join(tmpdir(), `unforget-postgres-${name}`)
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`
    cpSync(home, unfinished, { recursive: true, verbatimSymlinks: true })
    try {
      renameSync(unfinished, copy)
    } catch (error) {
      rmSync(unfinished, { recursive: true, force: true })
      if (!existsSync(copy)) throw error
    }
  }
  return { ...binaries, folder: join(copy, 'bin') }
}

/** Whether every user may enter the folder and its parents. */
function isOpen(folder: string): boolean {
  for (let path = folder; ; path = dirname(path)) {
    if ((statSync(path).mode & 0o001) === 0) return false
    if (path === dirname(path)) return true
  }
}
