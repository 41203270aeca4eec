import pg from 'pg'
import type { PostgresServer } from '../../../src/testing/servers/index.ts'
import { writeUnderFire } from '../under-fire.ts'

export interface Fire {
  readonly terminations: number
  readonly restarts: number
  readonly through: 'url' | 'pool'
}

/** Writes while connections of the writers are terminated, and then while the server restarts. */
export async function writeThroughTerminations(
  server: PostgresServer,
  { terminations, restarts, through }: Fire,
): Promise<void> {
  const url = new URL(server.url)
  url.searchParams.set('application_name', 'writers')
  await writeUnderFire({ url: url.href, through }, async (nextTurn) => {
    const client = new pg.Client(server.url)
    client.on('error', () => {})
    await client.connect()
    for (let ended = 0; ended < terminations; ) {
      await nextTurn()
      const { rowCount } = await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'writers'`,
      )
      ended += rowCount ?? 0
    }
    await client.end()
    for (let restart = 0; restart < restarts; restart++) {
      await nextTurn()
      await server.restart()
    }
  })
}
