import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import pg from 'pg'
import { createClient } from 'redis'
import { describe, expect, test } from 'vitest'
import { MemoryStore } from '../../src/core/memory-store.ts'
import { everyBackend } from './every-backend.ts'

const { redis, postgres, cases } = await everyBackend()

const secret = 'xyzzy-secret'
const secrets = ['', 'session', 'owner', 'title', 'metadata', 'turn', 'label', 'summary'].map((of) => `${secret}${of}`)
const day = 86_400_000

/** How to read a key of each type whole. */
const readers: Record<string, [command: string, ...range: string[]]> = {
  string: ['GET'],
  hash: ['HGETALL'],
  set: ['SMEMBERS'],
  list: ['LRANGE', '0', '-1'],
  zset: ['ZRANGE', '0', '-1'],
  stream: ['XRANGE', '-', '+'],
}

/** Everything that a memory has left anywhere, as bytes in which text is text. */
const remains: Record<string, (place: string) => Promise<Buffer>> = {
  memory: async () => Buffer.from(''),
  async sqlite(place) {
    const files = (await readdir(dirname(place))).filter((file) => file.startsWith(basename(place)))
    return Buffer.concat(await Promise.all(files.map((file) => readFile(join(dirname(place), file)))))
  },
  async redis() {
    const client = await createClient({ url: redis.url }).connect()
    using _closed = { [Symbol.dispose]: () => client.destroy() }
    const found: string[] = []
    for await (const keys of client.scanIterator()) {
      for (const key of keys) {
        const read = readers[await client.type(key)]
        if (read === undefined) throw new Error(`${key} holds something that this test cannot read`)
        const [command, ...range] = read
        found.push(key, JSON.stringify(await client.sendCommand([command, key, ...range])))
      }
    }
    return Buffer.from(found.join('\n'))
  },
  async postgres(place) {
    const client = new pg.Client(postgres.url)
    await client.connect()
    const tables = await client.query('SELECT tablename FROM pg_tables WHERE schemaname = $1', [place])
    const rows: Buffer[] = []
    for (const { tablename } of tables.rows) {
      for (const row of (await client.query(`SELECT * FROM ${place}.${tablename}`)).rows) {
        rows.push(...Object.values(row).map((value) => (Buffer.isBuffer(value) ? value : Buffer.from(`${value}`))))
      }
    }
    await client.end()
    return Buffer.concat(rows)
  },
}

async function secretsIn(name: string, place: string): Promise<string[]> {
  const left = await remains[name]?.(place)
  return secrets.filter((one) => left?.includes(one))
}

async function tell(store: MemoryStore, session: string): Promise<void> {
  const message = { role: 'user' as const, content: `${secret}turn` }
  const details = { owner: `${secret}owner`, title: `${secret}title`, metadata: { of: `${secret}metadata` } }
  await store.addMessages(session, [message, message], { ...details, operationId: 'one' })
  await store.addSummary(session, { text: `${secret}summary`, embedding: [1, 2] })
  await store.saveSnapshot(session, { id: `${secret}label`, label: `${secret}label` })
  await store.clear(session)
  await store.addMessages(session, [message])
}

describe.each(cases)('%s', (name, open) => {
  test('nothing of a person who is forgotten is left in any file, key or table', async () => {
    const { store, place } = await open()
    for (let number = 0; number < 5; number++) await tell(store, `${secret}session ${number}`)
    await store.expire(`${secret}session 4`, { at: Date.now() - 1000 })
    await store.addMessages('other', [{ role: 'user', content: 'kept' }], { owner: 'other' })
    if (name !== 'memory') expect((await secretsIn(name, place)).length).toBeGreaterThan(3)
    expect(await store.deleteSessions({ owner: `${secret}owner` })).toBe(4)
    expect(await secretsIn(name, place)).toEqual([])
    expect(await store.getHistory('other')).toEqual([{ role: 'user', content: 'kept' }])
  })

  test('nothing of what expired more than a day ago is left once the memory is opened', async () => {
    const { store, backend, place } = await open()
    for (let number = 0; number < 5; number++) {
      await tell(store, `${secret}session ${number}`)
      await store.expire(`${secret}session ${number}`, { at: Date.now() - day - 1000 })
    }
    await store.addMessages('other', [{ role: 'user', content: 'kept' }])
    const again = new MemoryStore(backend)
    await expect.poll(() => secretsIn(name, place)).toEqual([])
    expect(await again.getHistory('other')).toEqual([{ role: 'user', content: 'kept' }])
    expect((await again.verify()).damage).toEqual([])
  })
})
