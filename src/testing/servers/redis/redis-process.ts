import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RespError } from '../../../faults/proxy/protocols/resp-values.ts'
import { onFreePort } from '../process/free-port.ts'
import type { KeptFolder } from '../process/keep-folder.ts'
import { ServerProcess } from '../process/server-process.ts'
import { makeFolder } from '../process/spawn-kept.ts'
import { askRedis, fieldOf, type RedisAddress } from './ask-redis.ts'

export interface RedisSettings {
  readonly binary: string
  /** The process gets its own subfolder. */
  readonly kept: KeptFolder
  readonly name: string
  readonly config: Readonly<Record<string, string>>
}

export interface RedisProcess {
  readonly process: ServerProcess
  readonly address: RedisAddress
}

/** Starts a server process on its own port, which it keeps across restarts. */
export async function startRedis({ binary, kept, name, config }: RedisSettings): Promise<RedisProcess> {
  const folder = await makeFolder(kept.path, name)
  const password = config['requirepass']
  return onFreePort(async (port) => {
    const address = { host: '127.0.0.1', port, ...(password === undefined ? {} : { password }) }
    await writeFile(join(folder, 'server.conf'), writeConfig({ ...config, port: String(port) }))
    const process = new ServerProcess({
      command: [binary, 'server.conf'],
      kept,
      folder,
      endsBy: 'SIGTERM',
      isReady: (pid) => answersAs(pid, address),
    })
    await process.start()
    return { process, address }
  })
}

async function answersAs(pid: number, address: RedisAddress): Promise<boolean> {
  try {
    const [info] = await askRedis(address, ['INFO', 'server'], ['PING'])
    return fieldOf(info, 'process_id') === String(pid)
  } catch (error) {
    if (error instanceof RespError && error.code !== 'LOADING') throw error
    return false
  }
}

function writeConfig(config: Readonly<Record<string, string>>): string {
  const lines = Object.entries(config).map(([key, value]) => {
    return `${key} ${/^[\w.:/@+ -]+$/.test(value) ? value : JSON.stringify(value)}`
  })
  return `${lines.join('\n')}\n`
}
