import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { postgresServer, redisServer } from '../../src/testing/servers/index.ts'
import { askRedis, fieldOf } from '../../src/testing/servers/redis/ask-redis.ts'
import { programs } from './programs.ts'
import { programFile, type Results } from './section.ts'

const runs = 1
const run = promisify(execFile)
const packages = [
  '@langchain/langgraph',
  '@langchain/langgraph-checkpoint',
  '@langchain/langgraph-checkpoint-sqlite',
  'better-sqlite3',
  '@langchain/langgraph-checkpoint-postgres',
  '@langchain/langgraph-checkpoint-redis',
]

/** Runs every program with each of its savers. Complains if one does not print the same in every run. */
export async function runPrograms(complain: (message: string) => void): Promise<Results> {
  await using postgres = await postgresServer({ own: true })
  await using redis = await redisServer({ own: true })
  const env = { ...process.env, DATABASE_URL: postgres.url, REDIS_URL: redis.url }
  const printed: Record<string, Record<string, string>> = {}
  for (const { id, savers } of programs) {
    const ofProgram: Record<string, string> = {}
    for (const saver of savers) {
      const outputs = new Set<string>()
      for (let time = 0; time < runs; time++) {
        const options = { env, timeout: 120_000 }
        outputs.add((await run(process.execPath, [fileURLToPath(programFile(id)), saver], options)).stdout)
      }
      if (outputs.size > 1) complain(`${id} printed ${outputs.size} different things with ${saver}`)
      ofProgram[saver] = [...outputs].join('')
    }
    printed[id] = ofProgram
    console.log(`${id}: run with ${savers.length} savers`)
  }
  const versions = {
    ...Object.fromEntries(packages.map((name) => [`\`${name}\``, versionOf(name)])),
    PostgreSQL: await postgresVersion(postgres.url),
    Redis: fieldOf((await askRedis(redis, ['INFO', 'server']))[0], 'redis_version') ?? '?',
    Node: process.versions.node,
  }
  return { versions, runs, printed }
}

async function postgresVersion(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version')
  await client.end()
  return rows[0]?.server_version ?? '?'
}

/** Installed in peers/, or else with the project. */
function versionOf(name: string): string {
  const places = ['..', '../..'].map(
    (folder) => new URL(`${folder}/node_modules/${name}/package.json`, import.meta.url),
  )
  const found = places.find((place) => existsSync(place))
  if (found === undefined) throw new Error(`${name} is not installed`)
  return (JSON.parse(readFileSync(found, 'utf8')) as { version: string }).version
}
