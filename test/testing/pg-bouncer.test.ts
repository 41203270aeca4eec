import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { pgBouncer, postgresServer } from '../../src/testing/servers/index.ts'

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end().catch(() => {}))
  return client
}

test('PgBouncer in transaction mode: clients share a connection, between their transactions', async () => {
  await using server = await postgresServer({ own: true })
  await using bouncer = await pgBouncer({ server, config: { default_pool_size: '1' } })
  expect(bouncer.url).toBe(`postgres://postgres@127.0.0.1:${bouncer.port}/postgres`)
  const [one, other] = [await connect(bouncer.url), await connect(bouncer.url)]
  const pidOf = async (client: pg.Client) => (await client.query('SELECT pg_backend_pid() AS pid')).rows[0]
  expect(await pidOf(one)).toEqual(await pidOf(other))
  await one.query('BEGIN')
  const waiting = pidOf(other)
  await one.query('CREATE TABLE t (n int)')
  await one.query('COMMIT')
  await waiting

  await bouncer.kill()
  await expect(connect(bouncer.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await bouncer.restart()
  const again = await connect(bouncer.url)
  await again.query('SELECT * FROM t')
  await again.end()
  bouncer.pause()
  bouncer.resume()
  await bouncer.stop()
  await (await connect(server.url)).query('SELECT * FROM t')
})

test('what it cannot start with is said', async () => {
  const server = { url: 'postgres://postgres@127.0.0.1:1/postgres' }
  await expect(pgBouncer({ server, config: { pool_mode: 'nonsense' } })).rejects.toThrow(/ended instead.*nonsense/s)
  await expect(pgBouncer({ server, config: { listen_port: '1' } })).rejects.toThrow('listen_port cannot be set')
})
