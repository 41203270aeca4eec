import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { PostgresBackend } from '../../../src/backends/postgres/index.ts'
import { writeUnderFire } from '../under-fire.ts'
import { dyingConnections } from './dying-connections.ts'
import { freshSchema, onServer } from './on-server.ts'
import { writeThroughTerminations } from './under-fire.ts'

const on = onServer()

const ways = ['url', 'pool'] as const

test.each(ways)(
  'postgres.4: a connection that ends in the packet that makes it ready: through a %s',
  async (through) => {
    const dying = await dyingConnections(on.server.url)
    await writeUnderFire({ url: dying.url, through }, async (nextTurn) => {
      while (dying.count < 60) await nextTurn()
      dying.end()
    })
  },
)

test.each(ways)('postgres.4: terminated connections and restarts under load: through a %s', async (through) => {
  await writeThroughTerminations(on.server, { terminations: 60, restarts: 2, through })
})

test('postgres.6: of many memories on a pool, each client has one listener, and the pool none once they are closed', async () => {
  const pool = new pg.Pool({ connectionString: on.server.url, max: 3 })
  onTestFinished(() => pool.end())
  const early = await pool.connect()
  early.release()
  const schema = freshSchema()
  for (let round = 0; round < 2; round++) {
    const backends = await Promise.all(Array.from({ length: 15 }, () => PostgresBackend.open(pool, { schema })))
    for (const event of ['error', 'acquire']) expect(pool.listenerCount(event)).toBe(1)
    await Promise.all(backends.map((backend) => backend.close()))
    await backends[0]?.close()
    for (const event of ['error', 'acquire']) expect(pool.listenerCount(event)).toBe(0)
    const client = await pool.connect()
    expect(client.listenerCount('error')).toBe(1)
    client.release()
  }
})
