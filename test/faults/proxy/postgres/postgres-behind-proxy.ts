import pg from 'pg'
import { type FaultProxy, faultProxy } from 'unforget/faults'
import { afterAll, onTestFinished } from 'vitest'
import { type PostgresServer, postgresServer } from '../../../../src/testing/servers/index.ts'

interface ThroughProxy {
  server: PostgresServer
  proxy: FaultProxy
  client: (config?: pg.ClientConfig) => Promise<pg.Client>
  direct: pg.Client
  /** What is in the table. */
  numbers: () => Promise<number[]>
}

/**
 * A server of the test file that calls this, started by the first test that asks. Each test gets an empty table `t (n int)`, a proxy of its own in front
 * of the server, and clients through it (`client`) and past it (`direct`).
 */
export function postgresBehindProxy(): () => Promise<ThroughProxy> {
  let started: Promise<PostgresServer> | undefined
  afterAll(async () => (await started)?.stop())
  return async () => {
    started ??= postgresServer({ own: true })
    const server = await started
    const proxy = await faultProxy({ host: server.host, port: server.port, protocol: 'postgres' })
    onTestFinished(() => proxy.close())
    const open = async (url: string, config: pg.ClientConfig = {}) => {
      const { hostname: host, port, username: user } = new URL(url)
      const client = new pg.Client({ host, port: Number(port), user, database: 'postgres', ...config })
      client.on('error', () => {})
      onTestFinished(() => client.end().catch(() => {}))
      await client.connect()
      return client
    }
    const direct = await open(server.url)
    await direct.query('DROP TABLE IF EXISTS t; CREATE TABLE t (n int)')
    return {
      server,
      proxy,
      direct,
      client: (config) => open(proxy.through(server.url), config),
      numbers: async () => (await direct.query<{ n: number }>('SELECT n FROM t ORDER BY n')).rows.map(({ n }) => n),
    }
  }
}

/** Waits for the end of a connection, however it comes. */
export function endOf(client: pg.Client): Promise<void> {
  return new Promise((resolve) => client.once('end', () => resolve()))
}
