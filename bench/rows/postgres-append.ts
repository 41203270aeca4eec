import pg from 'pg'
import { alternate } from '../measure.ts'
import { openOnPostgres } from '../postgres.ts'
import { type Row, rowGroup, timesTheTime } from '../row.ts'
import { MemoryStore, openMemory, PostgresBackend } from '../unforget.ts'
import { appendRow, type Baseline, closeOnServer, type OnServer, oneByOne, toEach, toOne, turn } from '../ways.ts'

const body = JSON.stringify(turn)

/**
 * One table, one index, on the connections of the memory: were they others, the server would answer from two processes in turn, and where the
 * machine happens to run those would decide the ratio.
 */
const bare: Baseline = {
  name: '',
  baseline: 'a bare INSERT through pg',
  figure: 'INSERT',
  async open(url) {
    const { pool, append, close } = await openBare(url)
    const memory = new MemoryStore(await PostgresBackend.open(pool, { prepare: true, durability: 'power' }))
    return { append, memory, close: () => memory.close().then(close) }
  },
}

/** The same, on as many connections of its own. */
const apart: Baseline = {
  name: '-apart',
  baseline: 'the same on connections of its own',
  figure: 'INSERT',
  open: openBare,
}

/** What waits to be sent costs no more the more of it there is. */
const queued: Row<OnServer> = {
  name: 'postgres-append-queued',
  what: 'PostgreSQL: append, 20,000 at once to one session',
  baseline: '2,000 at once',
  async measure({ bench, server }) {
    const memory = await openMemory(server.url, { timeout: 60_000 })
    const atOnce = (appends: number) => async () => {
      const started = performance.now()
      await Promise.all(Array.from({ length: appends }, () => memory.addMessages('queued', [turn])))
      return (performance.now() - started) / appends
    }
    const rounds = await alternate(atOnce(bench.size(20_000, 200)), atOnce(bench.size(2_000, 20)), {
      warmUp: 1,
      rounds: bench.size(7, 3),
      parts: 1,
    })
    await memory.close()
    return timesTheTime(rounds, '20,000, per message', '2,000, per message')
  },
}

/** Every commit is on disk when it is answered. */
export const postgresAppendGroup = rowGroup<OnServer>(openOnPostgres, closeOnServer, [
  appendRow('postgres', 'PostgreSQL', oneByOne, bare),
  appendRow('postgres', 'PostgreSQL', toOne, bare),
  appendRow('postgres', 'PostgreSQL', toEach, bare),
  appendRow('postgres', 'PostgreSQL', oneByOne, apart),
  queued,
])

async function openBare(url: string) {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  await pool.query(
    'CREATE TABLE IF NOT EXISTS turns (id bigserial PRIMARY KEY, session text NOT NULL, body text NOT NULL)',
  )
  return {
    pool,
    append: (session: string) => pool.query('INSERT INTO turns (session, body) VALUES ($1, $2)', [session, body]),
    close: () => pool.end(),
  }
}
