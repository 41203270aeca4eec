import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'
import { MemoryBackend } from '../../src/backends/memory/index.ts'
import { PostgresBackend } from '../../src/backends/postgres/index.ts'
import { RedisBackend } from '../../src/backends/redis/index.ts'
import { SqliteBackend } from '../../src/backends/sqlite/index.ts'
import type { Backend } from '../../src/core/backend.ts'
import { MemoryStore } from '../../src/core/memory-store.ts'
import { postgresServer, redisServer } from '../../src/testing/servers/index.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** For the calls of these tests, hundreds of them at once, on a busy machine too. */
export const patientTimeout = 60_000

/** An empty memory of a test's own; `place` is its file, the prefix of its keys or its schema. */
export interface OpenedBackend {
  readonly backend: Backend
  readonly store: MemoryStore
  readonly place: string
}

/** Servers for the tests of a file, and how to open a memory on each backend. */
export async function everyBackend() {
  const redis = await redisServer()
  const postgres = await postgresServer()
  afterAll(() => Promise.all([redis.stop(), postgres.stop()]))
  const backends: [name: string, open: (place: string) => Promise<Backend>][] = [
    ['memory', async () => new MemoryBackend()],
    ['sqlite', async (place) => SqliteBackend.open(place)],
    ['redis', (place) => RedisBackend.open(redis.url, { prefix: place, timeout: patientTimeout })],
    ['postgres', (place) => PostgresBackend.open(postgres.url, { schema: place, timeout: patientTimeout })],
  ]
  const cases: [name: string, open: () => Promise<OpenedBackend>][] = backends.map(([name, open]) => [
    name,
    async () => {
      const own = `t_${randomBytes(6).toString('hex')}`
      const place = name === 'sqlite' ? join(await temporaryFolder(), 'agent.db') : own
      const backend = await open(place)
      const store = new MemoryStore(backend, { timeout: patientTimeout })
      onTestFinished(() => store.close())
      return { backend, store, place }
    },
  ])
  return { redis, postgres, cases }
}
