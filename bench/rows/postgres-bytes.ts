import pg from 'pg'
import { spreadOf } from '../measure.ts'
import { openOnPostgres } from '../postgres.ts'
import { type Measured, rowGroup } from '../row.ts'
import { makeTurns } from '../turns.ts'
import { closeOnServer, type OnServer } from '../ways.ts'

/** The size of the tables and indexes according to the server. It hardly varies, so one round is enough. */
export const postgresBytesGroup = rowGroup<OnServer>(openOnPostgres, closeOnServer, [
  {
    name: 'postgres-bytes',
    what: 'PostgreSQL: bytes after 800 turns of 500 bytes, a snapshot after each',
    baseline: 'the bytes of the turns',
    async measure({ bench, memory, server }) {
      const turns = makeTurns(bench.size(800, 40))
      for (const turn of turns) {
        await memory.addMessages('user-42', [turn])
        await memory.saveSnapshot('user-42')
      }
      return versusTheTurns(await bytesOf(server.url, 'unforget'), turns)
    },
  },
  {
    name: 'postgres-bytes-peer',
    what: "PostgreSQL: LangGraph's PostgresSaver doing the same",
    baseline: 'the bytes of the turns',
    async measure({ bench, server }) {
      const { PostgresSaver } = await import('@langchain/langgraph-checkpoint-postgres')
      const { emptyCheckpoint, uuid6 } = await import('@langchain/langgraph-checkpoint')
      const turns = makeTurns(bench.size(800, 40))
      const saver = PostgresSaver.fromConnString(server.url, { schema: 'peer' })
      await saver.setup()
      let config: Parameters<typeof saver.put>[0] = { configurable: { thread_id: 'user-42', checkpoint_ns: '' } }
      for (const step of turns.keys()) {
        const versions = { messages: step + 1 }
        const checkpoint = {
          ...emptyCheckpoint(),
          id: uuid6(step),
          channel_values: { messages: turns.slice(0, step + 1) },
          channel_versions: versions,
        }
        config = await saver.put(config, checkpoint, { source: 'loop', step, parents: {} }, versions)
      }
      await saver.end()
      return versusTheTurns(await bytesOf(server.url, 'peer'), turns)
    },
  },
])

function versusTheTurns(size: number, turns: readonly object[]): Measured {
  const bytes = turns.reduce((sum, turn) => sum + JSON.stringify(turn).length, 0)
  return {
    rounds: 1,
    ratio: spreadOf([size / bytes]),
    figures: [
      { name: 'tables', value: size, unit: 'bytes' },
      { name: 'turns', value: bytes, unit: 'bytes' },
    ],
  }
}

async function bytesOf(url: string, schema: string): Promise<number> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{ bytes: string }>(
    "SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind = 'r'",
    [schema],
  )
  await client.end()
  return Number(rows[0]?.bytes)
}
