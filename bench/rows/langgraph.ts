import { statSync } from 'node:fs'
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint'
import type { UnforgetSaver } from 'unforget/langgraph'
import { listTen, readNewest, ThreadWriter } from '../langgraph-threads.ts'
import { alternate, spreadOf, timeEach } from '../measure.ts'
import { type Bench, type Group, type Row, rowGroup, timesTheTime } from '../row.ts'
import { postgresServer } from '../servers.ts'

const { UnforgetSaver: Saver } = (await import(
  new URL('../../dist/bridges/langgraph/index.js', import.meta.url).href
)) as { UnforgetSaver: typeof UnforgetSaver }

/** A checkpointer with one thread, and how to make another one that has read nothing yet. */
interface Side {
  readonly writer: ThreadWriter
  readonly cold: () => BaseCheckpointSaver
  readonly bytes: () => Promise<number>
  readonly close: () => Promise<void>
}

interface Fixture {
  readonly bench: Bench
  readonly ours: Side
  readonly peer: Side
  readonly close: () => Promise<void>
}

type OpenSides = (bench: Bench) => Promise<Omit<Fixture, 'bench'>>

const sizes: readonly [full: number, quick: number][] = [
  [100, 20],
  [1000, 30],
  [10_000, 40],
]

/** At the durability that SqliteSaver has: WAL, not synced at each commit. */
const onSqlite: OpenSides = async (bench) => {
  const files = { ours: bench.freshFile('agent.db'), peer: bench.freshFile('checkpoints.db') }
  const { SqliteSaver } = await import('@langchain/langgraph-checkpoint-sqlite')
  const saver = await Saver.fromUrl(`sqlite:${files.ours}`, { durability: 'process' })
  const peer = SqliteSaver.fromConnString(files.peer)
  return {
    ours: ourSide(saver, async () => fileSize(files.ours)),
    peer: {
      writer: new ThreadWriter(peer),
      cold: () => new SqliteSaver(peer.db),
      bytes: async () => fileSize(files.peer),
      close: async () => void peer.db.close(),
    },
    close: async () => {},
  }
}

const onPostgres: OpenSides = async () => {
  const server = await postgresServer({ own: true })
  const { PostgresSaver } = await import('@langchain/langgraph-checkpoint-postgres')
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({ connectionString: server.url })
  const sizeOf = async (schema: string) => {
    const query = `SELECT sum(pg_total_relation_size(c.oid))::float8 AS bytes FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r'`
    return Number((await pool.query<{ bytes: number }>(query, [schema])).rows[0]?.bytes)
  }
  const peer = new PostgresSaver(pool)
  await peer.setup()
  return {
    ours: ourSide(await Saver.fromUrl(server.url), () => sizeOf('unforget')),
    peer: {
      writer: new ThreadWriter(peer),
      cold: () => new PostgresSaver(pool),
      bytes: () => sizeOf('public'),
      close: () => pool.end(),
    },
    close: () => server.stop(),
  }
}

function ourSide(saver: UnforgetSaver, bytes: () => Promise<number>): Side {
  return { writer: new ThreadWriter(saver), cold: () => new Saver(saver.memory), bytes, close: () => saver.close() }
}

function fileSize(file: string): number {
  return [file, `${file}-wal`].reduce((sum, one) => sum + (statSync(one, { throwIfNoEntry: false })?.size ?? 0), 0)
}

function langgraphGroup(where: string, peer: string, open: OpenSides, [full, quick]: readonly [number, number]): Group {
  const at = `at ${full.toLocaleString('en')} checkpoints`
  const name = (what: string) => `langgraph-${where}-${full}-${what}`
  const timed = (what: string, title: string, operate: (side: Side) => Promise<number>): Row<Fixture> => ({
    name: name(what),
    what: `LangGraph on ${where}: ${title} ${at}`,
    baseline: peer,
    async measure({ bench, ours, peer }: Fixture) {
      const effort = { warmUp: bench.size(2, 1), rounds: bench.size(21, 3), parts: bench.size(2, 2) }
      return timesTheTime(
        await alternate(
          () => operate(ours),
          () => operate(peer),
          effort,
        ),
        'unforget',
        peerName,
      )
    },
  })
  const peerName = peer
  return rowGroup<Fixture>(
    async (bench) => {
      const opened = await open(bench)
      for (const { writer } of [opened.ours, opened.peer]) await writer.put(bench.size(full, quick))
      return { bench, ...opened }
    },
    async ({ ours, peer, close }) => {
      await ours.close()
      await peer.close()
      await close()
    },
    [
      {
        name: name('bytes'),
        what: `LangGraph on ${where}: bytes ${at}`,
        baseline: peer,
        async measure({ ours, peer }) {
          const [value, theirs] = [await ours.bytes(), await peer.bytes()]
          const figures = [
            { name: 'unforget', value, unit: 'bytes' },
            { name: peerName, value: theirs, unit: 'bytes' },
          ]
          return { rounds: 1, ratio: spreadOf([value / theirs]), figures }
        },
      },
      timed('put', 'put', ({ writer }) => writer.put(5)),
      timed('get', 'cold getTuple', ({ cold }) => timeEach(1, () => readNewest(cold()))),
      timed('list', 'list 10', ({ cold }) => timeEach(1, () => listTen(cold()))),
    ],
  )
}

/** A thread of 10,000 checkpoints of which ten are kept, next to one of 100 that was never pruned. */
const prunedGroup = rowGroup<{ bench: Bench; pruned: UnforgetSaver; short: UnforgetSaver }>(
  async (bench) => {
    const [pruned, short] = [
      await Saver.fromUrl(`sqlite:${bench.freshFile('pruned.db')}`, { durability: 'process' }),
      await Saver.fromUrl(`sqlite:${bench.freshFile('short.db')}`, { durability: 'process' }),
    ]
    await new ThreadWriter(pruned).put(bench.size(10_000, 200))
    await new ThreadWriter(short).put(100)
    await pruned.prune('user-42', { keep: 10 })
    return { bench, pruned, short }
  },
  async ({ pruned, short }) => {
    await pruned.close()
    await short.close()
  },
  [
    {
      name: 'langgraph-pruned-get',
      what: 'LangGraph: cold getTuple of 10,000 checkpoints, pruned to 10',
      baseline: 'of 100 checkpoints',
      async measure({ bench, pruned, short }) {
        const read = (saver: UnforgetSaver) => () => timeEach(1, () => readNewest(new Saver(saver.memory)))
        const effort = { warmUp: bench.size(3, 1), rounds: bench.size(30, 3), parts: bench.size(4, 2) }
        return timesTheTime(await alternate(read(pruned), read(short), effort), 'pruned', 'of 100')
      },
    },
  ],
)

export const langgraphGroups: readonly Group[] = [
  ...sizes.map((size) => langgraphGroup('sqlite', 'SqliteSaver', onSqlite, size)),
  prunedGroup,
  ...sizes.map((size) => langgraphGroup('postgres', 'PostgresSaver', onPostgres, size)),
]
