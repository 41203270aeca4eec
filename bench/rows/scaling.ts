import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { MemoryStore, OpenOptions } from 'unforget'
import { timeEach } from '../measure.ts'
import { type Bench, type Group, type Measured, rowGroup } from '../row.ts'
import { postgresServer, redisServer } from '../servers.ts'
import { openMemory } from '../unforget.ts'
import { Writers } from '../writers.ts'

/** A place that memory can live in. */
interface Place {
  readonly name: string
  readonly what: string
  /** Prepares it, and tells how a memory is opened there. */
  open(bench: Bench): Promise<Opened>
}
interface Opened {
  readonly url: string
  readonly options?: OpenOptions
  readonly stop?: () => Promise<void>
}

interface Fixture {
  readonly bench: Bench
  readonly memory: MemoryStore
  readonly writers: Writers
  readonly opened: Opened
}

const processes = 4
const callers = 64
const cli = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

const places: readonly Place[] = [
  {
    name: 'sqlite',
    what: 'a SQLite file',
    open: async (bench) => ({ url: `sqlite:${bench.freshFile('carries.db')}`, options: { durability: 'power' } }),
  },
  {
    name: 'sqlite-process',
    what: 'a SQLite file, durability: process',
    open: async (bench) => ({ url: `sqlite:${bench.freshFile('carries.db')}`, options: { durability: 'process' } }),
  },
  { name: 'redis', what: 'one Redis, nothing synced', open: () => redisServer({ own: true }) },
  {
    name: 'redis-everysec',
    what: 'one Redis, appendfsync everysec',
    open: () => redisServer({ own: true, aof: 'everysec' }),
  },
  {
    name: 'redis-always',
    what: 'one Redis, appendfsync always',
    open: () => redisServer({ own: true, aof: 'always' }),
  },
  {
    name: 'redis-cluster',
    what: 'a Redis Cluster of 3 masters with a replica each, nothing synced',
    open: () => redisServer({ own: true, cluster: true }),
  },
  { name: 'postgres', what: 'one PostgreSQL', open: () => postgresServer({ own: true }) },
  { name: 'postgres-16', what: 'one PostgreSQL, 16 partitions', open: partitioned },
]

/** How many turns a second each place takes, and how long it takes to read the last 50 of them. */
export const scalingGroups: readonly Group[] = places.map(({ name, what, open }) =>
  rowGroup<Fixture>(
    async (bench) => {
      const opened = await open(bench)
      const { url, options } = opened
      const post = (session: string) => ({ url, session, ...(options && { options }) })
      const memory = await openMemory(url, options)
      const writers = await Writers.start(Array.from({ length: processes }, (_, writer) => post(`writer-${writer}`)))
      return { bench, memory, writers, opened }
    },
    async ({ memory, writers, opened }) => {
      await writers.end()
      await memory.close()
      await opened.stop?.()
    },
    [{ name: `carries-${name}`, what: `what ${what} carries`, baseline: null, measure }],
  ),
)

async function measure({ bench, memory, writers }: Fixture): Promise<Measured> {
  const milliseconds = bench.size(3000, 100)
  const perSecond = async (name: string, count: number, load: { callers: number; sessions: number }) => {
    const outcomes = await writers.write(count, { ...load, milliseconds })
    const commits = outcomes.reduce((sum, outcome) => sum + outcome.commits, 0)
    return { name, value: commits / (milliseconds / 1000), unit: 'turns/s' }
  }
  const share = callers / processes
  await perSecond('to warm up', processes, { callers: share, sessions: share })
  const figures = [
    await perSecond('one caller', 1, { callers: 1, sessions: 1 }),
    await perSecond(`${callers} callers on one session`, 1, { callers, sessions: 1 }),
    await perSecond(`${callers} callers on ${callers} sessions`, 1, { callers, sessions: callers }),
    await perSecond(`the same from ${processes} processes`, processes, { callers: share, sessions: share }),
  ]
  const last50 = await timeEach(bench.size(300, 5), () => memory.getHistory('writer-0', { last: 50 }))
  return { rounds: 1, ratio: null, figures: [...figures, { name: 'last 50', value: last50, unit: 'ms' }] }
}

async function partitioned(): Promise<Opened> {
  const server = await postgresServer({ own: true })
  const schema = 'parts'
  const sql = execFileSync(process.execPath, [cli, 'schema', 'postgres', '--schema', schema, '--partitions', '16'], {
    encoding: 'utf8',
  })
  const client = new pg.Client(server.url)
  await client.connect()
  await client.query(sql)
  await client.end()
  return { url: server.url, options: { schema, migrate: false }, stop: () => server.stop() }
}
