import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { MemoryBackend } from '../../src/backends/memory/index.ts'
import { PostgresBackend } from '../../src/backends/postgres/index.ts'
import { RedisBackend } from '../../src/backends/redis/index.ts'
import { SqliteBackend } from '../../src/backends/sqlite/index.ts'
import type { Backend } from '../../src/core/backend.ts'
import { MemoryStore } from '../../src/core/memory-store.ts'
import { postgresServer, redisServer } from '../../src/testing/servers/index.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const redis = await redisServer()
const postgres = await postgresServer()
afterAll(() => Promise.all([redis.stop(), postgres.stop()]))

const backends: [name: string, open: () => Promise<Backend>][] = [
  ['memory', async () => new MemoryBackend()],
  ['sqlite', async () => SqliteBackend.open(join(await temporaryFolder(), 'agent.db'))],
  ['redis', () => RedisBackend.open(redis.url)],
  ['postgres', () => PostgresBackend.open(postgres.url)],
]
const said = (content: string) => [{ role: 'user' as const, content }]

describe.each(backends)('%s', (_, open) => {
  test('a deletion that comes again tells what it did, and erases nothing that was begun after it', async () => {
    const backend = await open()
    const store = new MemoryStore(backend)
    onTestFinished(() => store.close())
    const erase = (operation: string) => backend.erase('s', operation, performance.now() + 60_000)
    expect(await erase('none')).toBe(false)
    await store.addMessages('s', said('first'))
    expect(await erase('one')).toBe(true)
    await store.addMessages('s', said('second'))
    expect(await erase('one')).toBe(true)
    expect(await store.getHistory('s')).toEqual(said('second'))
    expect(await erase('none')).toBe(true)
    expect(await erase('none')).toBe(true)
    expect(await erase('two')).toBe(false)
    expect(await store.getHistory('s')).toEqual([])
  })
})
