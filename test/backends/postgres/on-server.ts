import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { PostgresBackend, type PostgresOptions } from '../../../src/backends/postgres/index.ts'
import { MemoryStore, type StoreOptions } from '../../../src/core/memory-store.ts'
import { type PostgresServer, type PostgresServerOptions, postgresServer } from '../../../src/testing/servers/index.ts'

/** A server for the tests of a file, and what they do with it. */
export function onServer(options: PostgresServerOptions = {}) {
  let server: PostgresServer
  beforeAll(async () => {
    server = await postgresServer({ own: true, ...options })
  })
  afterAll(() => server?.stop())
  return {
    get server() {
      return server
    },
    /** Opens a memory that is closed when the test ends. */
    async open(schema: string, options: PostgresOptions & StoreOptions & { url?: string } = {}): Promise<MemoryStore> {
      const { url = server.url, ttl, ...rest } = options
      const memory = new MemoryStore(await PostgresBackend.open(url, { schema, ...rest }), {
        ttl,
        timeout: rest.timeout,
      })
      onTestFinished(() => memory.close())
      return memory
    },
    async ask<Row extends object>(sql: string, url = server.url): Promise<Row[]> {
      const client = new pg.Client(url)
      client.on('error', () => {})
      await client.connect()
      try {
        return (await client.query<Row>(sql)).rows
      } finally {
        await client.end()
      }
    },
  }
}

export function freshSchema(): string {
  return `t_${randomBytes(6).toString('hex')}`
}

export const turns = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => ({ role: 'user' as const, content: `turn ${from + index}` }))
