import pg from 'pg'
import { faultProxy } from 'unforget/faults'
import { postgresServer } from 'unforget/testing/servers'
import { type Ground, serverFaults } from './ground.ts'
import { wireFaults } from './wire-faults.ts'

/** One server with its own settings, behind a proxy. */
export async function postgresGround(): Promise<Ground> {
  const server = await postgresServer({ own: true })
  const proxy = await faultProxy({ port: server.port, protocol: 'postgres' })
  const options = { timeout: 4000, connections: 3 }
  return {
    target: () => ({ url: proxy.through(server.url), options }),
    settleAt: () => ({ url: server.url, options }),
    faults: [
      ...wireFaults(proxy),
      ...wireFaults(proxy),
      ...serverFaults(server),
      { name: 'statements canceled', strike: () => signalOthers(server.url, 'pg_cancel_backend') },
      { name: 'connections terminated', strike: () => signalOthers(server.url, 'pg_terminate_backend') },
    ],
    heal: () => proxy.heal(),
    check: {},
    close: async () => {
      await proxy.close()
      await server.stop()
    },
  }
}

async function signalOthers(url: string, signal: 'pg_cancel_backend' | 'pg_terminate_backend'): Promise<void> {
  const client = new pg.Client({ connectionString: url, query_timeout: 5000 })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(
      `SELECT ${signal}(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    )
  } finally {
    await client.end()
  }
}
