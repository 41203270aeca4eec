import { existingServer } from '../existing-server.ts'
import type { TestServer } from '../server.ts'
import type { PostgresServerOptions } from './postgres-options.ts'

const instead = 'postgresServer({ own: true })'

/** The server that `DATABASE_URL` names, once it responds and has the required settings. */
export async function useExistingPostgres(
  url: string,
  options: PostgresServerOptions,
): Promise<TestServer<'primary' | 'standby'>> {
  const { protocol, hostname, port: text } = new URL(url)
  if (!/^postgres(ql)?:$/.test(protocol)) {
    throw new TypeError(`DATABASE_URL: expected postgres://…, not ${protocol}//…`)
  }
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const port = Number(text || 5432)
  await compareSettings(url, `${host}:${port}`, options.config ?? {})
  return existingServer({ role: 'primary', url, host, port, variable: 'DATABASE_URL', instead })
}

async function compareSettings(url: string, where: string, config: Readonly<Record<string, string>>): Promise<void> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    throw new Error(`the server that DATABASE_URL names (${where}) does not respond`, { cause: error })
  }
  try {
    for (const [key, asked] of Object.entries(config)) {
      const { rows } = await client.query<{ there: string | null }>('SELECT current_setting($1, true) AS there', [key])
      const there = rows[0]?.there ?? null
      if (there === asked) continue
      const has = there === null ? `knows no ${key}` : `has ${key} ${there}`
      throw new Error(
        `the server that DATABASE_URL names ${has}, and the test asks for ${asked}: set it there, or ${instead}`,
      )
    }
  } finally {
    await client.end()
  }
}
