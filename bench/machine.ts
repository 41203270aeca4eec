import { execFileSync } from 'node:child_process'
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import Database from 'better-sqlite3'
import { repeat, spreadOf, timeEachSync } from './measure.ts'
import { findPostgres, findRedisServer, ServerNotFoundError } from './servers.ts'

export interface Machine {
  readonly processor: string
  readonly cores: number
  readonly memoryGiB: number
  readonly system: string
  /** What it takes to write a page over and sync it: the least that a durable commit can take. */
  readonly syncMilliseconds: number
}

export interface Versions {
  readonly node: string
  readonly sqlite: string
  readonly betterSqlite3: string
  readonly unforget: string
  readonly langgraphCheckpointSqlite: string
  /** `null` where none is installed. */
  readonly redisServer: string | null
  /** `null` where none is found. */
  readonly postgresServer: string | null
  readonly redis: string
  readonly langchainRedis: string
  readonly pg: string
  readonly langgraphCheckpointPostgres: string
}

export async function describeMachine(folder: string): Promise<Machine> {
  const cpus = os.cpus()
  return {
    processor: cpus[0]?.model.trim() ?? 'unknown',
    cores: cpus.length,
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release()} ${os.arch()}`,
    syncMilliseconds: await timeSync(path.join(folder, 'sync')),
  }
}

export function describeVersions(): Versions {
  const database = new Database(':memory:')
  const sqlite = database.prepare('SELECT sqlite_version()').pluck().get() as string
  database.close()
  return {
    node: process.versions.node,
    sqlite,
    betterSqlite3: versionOf('better-sqlite3/package.json'),
    unforget: versionOf('../package.json'),
    langgraphCheckpointSqlite: versionOf('@langchain/langgraph-checkpoint-sqlite/package.json'),
    redisServer: orNull(redisServerVersion),
    postgresServer: orNull(() => `PostgreSQL ${findPostgres().version}`),
    redis: versionOf('redis/package.json'),
    langchainRedis: versionOf('@langchain/redis/package.json'),
    pg: versionOf('pg/package.json'),
    langgraphCheckpointPostgres: versionOf('@langchain/langgraph-checkpoint-postgres/package.json'),
  }
}

function versionOf(packageFile: string): string {
  const { version } = createRequire(import.meta.url)(packageFile) as { version: string }
  return version
}

/** `Redis 7.0.15`, `Valkey 8.1.3`. */
function redisServerVersion(): string {
  const said = execFileSync(findRedisServer(), ['--version'], { encoding: 'utf8' })
  const [, name, version] = /^(\S+) server v=(\S+)/.exec(said) ?? []
  return `${name} ${version}`
}

function orNull(find: () => string): string | null {
  try {
    return find()
  } catch (error) {
    if (error instanceof ServerNotFoundError) return null
    throw error
  }
}

async function timeSync(file: string): Promise<number> {
  const page = Buffer.alloc(4096, 1)
  const descriptor = openSync(file, 'w')
  const sync = () => {
    writeSync(descriptor, page, 0, page.length, 0)
    fsyncSync(descriptor)
  }
  const times = await repeat(() => timeEachSync(1, sync), { warmUp: 20, rounds: 100 })
  closeSync(descriptor)
  return spreadOf(times).median
}
