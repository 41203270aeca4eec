import { createHash } from 'node:crypto'
import { lstat, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KeptCommand, runKept } from '../process/spawn-kept.ts'
import type { PostgresBinaries } from './find-postgres.ts'

const how = ['--no-sync', '--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C', '--pgdata=data']

/**
 * Makes the data folder of a new server, `data`, in this folder. What initdb made is kept as an archive in the temporary folder of the system, and unpacked
 * the next time. The file must be ours, because anyone can write to that folder.
 */
export async function makeData(binaries: PostgresBinaries, where: Omit<KeptCommand, 'command'>): Promise<void> {
  const { folder, user } = where
  const run = (...command: string[]) => runKept({ ...where, command })
  const uid = user?.uid ?? process.getuid?.() ?? 0
  const key = JSON.stringify([binaries, how, uid])
  const archive = join(tmpdir(), `unforget-postgres-${createHash('sha256').update(key).digest('hex').slice(0, 16)}.tar`)
  if (await isOnlyOf(uid, archive)) return run('tar', '-xf', archive)
  await run(join(binaries.folder, 'initdb'), ...how)
  try {
    await run('tar', '-cf', 'data.tar', 'data')
    await rename(join(folder, 'data.tar'), archive)
  } catch {
    // The next one runs initdb again.
  }
}

async function isOnlyOf(uid: number, path: string): Promise<boolean> {
  try {
    const found = await lstat(path)
    return found.isFile() && found.uid === uid && (found.mode & 0o022) === 0
  } catch {
    return false
  }
}
