import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onFreePort } from '../process/free-port.ts'
import type { KeptFolder } from '../process/keep-folder.ts'
import { ServerProcess } from '../process/server-process.ts'
import type { ServerUser } from '../process/server-user.ts'
import { configOf } from './postgres-options.ts'

export interface PostgresSettings {
  /** Of `postgres`. */
  readonly binaries: string
  readonly kept: KeptFolder
  /** Where `data` is. */
  readonly folder: string
  readonly config: Readonly<Record<string, string>>
  readonly user?: ServerUser | undefined
}

export interface PostgresProcess {
  readonly process: ServerProcess
  readonly port: number
}

/** Starts a server on its own port, which it keeps across restarts. */
export async function startPostgres({
  binaries,
  kept,
  folder,
  config,
  user,
}: PostgresSettings): Promise<PostgresProcess> {
  const data = join(folder, 'data')
  return onFreePort(async (port) => {
    await appendFile(join(data, 'postgresql.conf'), configOf(config, port))
    const process = new ServerProcess({
      command: [join(binaries, 'postgres'), '-D', data],
      kept,
      folder,
      user,
      endsBy: 'SIGINT',
      isReady: (pid) => saysReady(pid, join(data, 'postmaster.pid')),
    })
    await process.start()
    return { process, port }
  })
}

/** Written by the server: its process id on line 1, its status on line 8. */
async function saysReady(pid: number, file: string): Promise<boolean> {
  const lines = await readFile(file, 'utf8').then(
    (text) => text.split('\n'),
    () => [],
  )
  return lines[0] === String(pid) && lines[7]?.trim() === 'ready'
}
