import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import os from 'node:os'
import Database from 'better-sqlite3'

const require = createRequire(import.meta.url)

export interface Machine {
  readonly processor: string
  readonly cores: number
  readonly system: string
  readonly node: string
  readonly sqlite: string
  readonly redis: string
  readonly unforget: string
}

export function describeMachine(): Machine {
  const database = new Database(':memory:')
  const sqlite = String(database.prepare('SELECT sqlite_version()').pluck().get())
  database.close()
  return {
    processor: os.cpus()[0]?.model.trim() ?? 'unknown',
    cores: os.cpus().length,
    system: `${os.type()} ${os.release()} ${os.arch()}`,
    node: process.versions.node,
    sqlite,
    redis: redisVersion(),
    unforget: String((require('../../package.json') as { version: string }).version),
  }
}

function redisVersion(): string {
  for (const command of ['redis-server', 'valkey-server']) {
    try {
      const text = execFileSync(command, ['--version'], { encoding: 'utf8' })
      return `${/^\S+/.exec(text)?.[0] ?? command} ${/v=([\d.]+)/.exec(text)?.[1] ?? ''}`.trim()
    } catch {}
  }
  return 'no Redis server'
}
