import type { Bench } from './row.ts'
import { postgresServer } from './servers.ts'
import { openMemory } from './unforget.ts'
import type { OnServer } from './ways.ts'

/** A memory on a server of the bench's own, which syncs every commit. */
export async function openOnPostgres(bench: Bench): Promise<OnServer> {
  const server = await postgresServer({ own: true })
  return { bench, server, memory: await openMemory(server.url, { durability: 'power' }) }
}
