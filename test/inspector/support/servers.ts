import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { postgresServer, redisServer } from '../../../src/testing/servers/index.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** The URL of an empty memory of a test's own, on each backend that a browser may look into. */
export async function everyUrl(): Promise<[name: string, url: () => Promise<string>][]> {
  const redis = await redisServer()
  const postgres = await postgresServer()
  afterAll(() => Promise.all([redis.stop(), postgres.stop()]))
  const own = () => `t_${randomBytes(6).toString('hex')}`
  return [
    ['sqlite', async () => `sqlite:${join(await temporaryFolder(), 'agent.db')}`],
    ['redis', async () => `${redis.url}?prefix=${own()}`],
    ['postgres', async () => `${postgres.url}?schema=${own()}`],
  ]
}
