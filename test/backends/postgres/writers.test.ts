import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { appendStatement } from '../../../src/backends/postgres/append-statement.ts'
import { PostgresBackend } from '../../../src/backends/postgres/index.ts'
import { plainAppend } from '../../../src/backends/postgres/plain-append.ts'
import { encodeEntry } from '../../../src/core/encode-entry.ts'
import { entryFormats, sealEntry } from '../../../src/core/seal-entry.ts'
import { freshSchema, onServer, turns } from './on-server.ts'

const on = onServer()

test.each([
  [32, 1],
  [64, 64],
])('%i writers on %i sessions leave no gap and lose nothing', async (writers, sessions) => {
  const schema = freshSchema()
  const memories = await Promise.all([1, 2].map(() => on.open(schema, { timeout: 30_000 })))
  const each = 20
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      const memory = memories[writer % 2]
      for (let turn = 0; turn < each; turn++) {
        await memory?.addMessages(`s${writer % sessions}`, turns(turn % 3 === 0 ? 2 : 1, writer * 1000 + turn * 2))
      }
    }),
  )
  const perWriter = each + Math.ceil(each / 3)
  for (let session = 0; session < sessions; session++) {
    const entries = await memories[0]?.getEntries(`s${session}`)
    const count = (writers / sessions) * perWriter
    expect(entries?.map(({ seq }) => seq)).toEqual(Array.from({ length: count }, (_, index) => index + 1))
  }
  expect((await memories[1]?.verify())?.ok).toBe(true)
})

test('postgres.3: appends, rollbacks, trims, compactions, deletions and sweeps at once end, and nothing deadlocks', async () => {
  const schema = freshSchema()
  const memories = await Promise.all([1, 2, 3].map(() => on.open(schema, { timeout: 30_000, ttl: 60_000 })))
  const deadlocks = 'SELECT sum(deadlocks)::integer AS count FROM pg_stat_database'
  const before = await on.ask(deadlocks)
  await Promise.all(
    memories.flatMap((memory, worker) =>
      Array.from({ length: 8 }, async (_, lane) => {
        for (let turn = 0; turn < 12; turn++) {
          const session = `s${(turn + lane) % 3}`
          switch ((worker + lane + turn) % 7) {
            case 0: {
              const { id } = await memory.saveSnapshot(session)
              await memory.rollbackToSnapshot(session, id).catch(expectGone)
              break
            }
            case 1:
              await memory.trim(session, { maxEntries: 5 })
              break
            case 2:
              await memory.compact(session, { keep: 2, summarize: async () => ({ text: 'so far' }) })
              break
            case 3:
              if (turn % 6 === 0) await memory.deleteSession(session)
              else await memory.sweep()
              break
            default:
              await memory.addMessages(session, turns(3, turn))
          }
        }
      }),
    ),
  )
  expect((await memories[0]?.verify())?.ok).toBe(true)
  expect(await on.ask(deadlocks)).toEqual(before)
})

/** The session, and the snapshot with it, may have been deleted by another. */
function expectGone(error: unknown): void {
  expect(error).toMatchObject({ code: 'SNAPSHOT_NOT_FOUND' })
}

test('a session does not seem to be gone while an append that came before its end is being committed', async () => {
  const schema = freshSchema()
  const memory = await on.open(schema, { ttl: 2000 })
  await memory.addMessages('s', turns(1))
  const { expiresAt } = (await memory.sessionInfo('s')) ?? expect.fail('no session')
  const writer = new pg.Client(on.server.url)
  await writer.connect()
  onTestFinished(() => writer.end())
  await writer.query('BEGIN')
  await writer.query(`SELECT ${schema}.append_2('5000', sha256('s'), 's', 'an operation', 'a-nonce', $1, '', 60000)`, [
    sealEntry('message', JSON.stringify(turns(1, 2)[0]), null).body,
  ])
  await expect.poll(() => Date.now()).toBeGreaterThan(Number(expiresAt))
  const reading = memory.getHistory('s')
  const waiting = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`
  await expect.poll(() => on.ask(waiting)).toHaveLength(1)
  await writer.query('COMMIT')
  expect(await reading).toEqual(turns(2))
})

test('a retry of an erased or expired session is known, and does not bring it back', async () => {
  const memory = await on.open(freshSchema(), { ttl: 300 })
  const written = await memory.addMessages('s', turns(1), { operationId: 'o' })
  await memory.deleteSession('s')
  expect(await memory.addMessages('s', turns(1), { operationId: 'o' })).toEqual(written)
  await memory.addMessages('t', turns(1), { operationId: 'o' })
  await expect.poll(() => memory.sessionInfo('t')).toBe(null)
  await memory.sweep()
  await memory.addMessages('t', turns(1), { operationId: 'o' })
  expect(await memory.sessionInfo('t')).toBe(null)
  await expect(memory.addMessages('t', turns(2), { operationId: 'o' })).rejects.toMatchObject({
    code: 'OPERATION_CONFLICT',
  })
})

test('an operation of a session that ended is known to the one that began after it', async () => {
  const memory = await on.open(freshSchema())
  const written = await memory.addMessages('s', turns(1), { operationId: 'o' })
  await memory.deleteSession('s')
  await memory.addMessages('s', turns(1, 2))
  await memory.addMessages('s', turns(1, 3))
  expect(await memory.addMessages('s', turns(1), { operationId: 'o' })).toEqual(written)
  expect(await memory.getHistory('s')).toMatchObject(turns(2, 2))
})

test('of appends at once that share a statement, those that come again are known and the others applied', async () => {
  const memory = await on.open(freshSchema())
  const add = (turn: number) => memory.addMessages(`s${turn % 3}`, turns(1, turn), { operationId: `${turn}` })
  const first = await Promise.all(Array.from({ length: 12 }, (_, turn) => add(turn)))
  const both = await Promise.all(Array.from({ length: 24 }, (_, turn) => add(turn)))
  expect(both.slice(0, 12)).toEqual(first)
  for (const session of ['s0', 's1', 's2']) expect((await memory.getHistory(session)).length).toBe(8)
  const conflicting = memory.addMessages('s0', turns(1, 99), { operationId: '0' })
  await expect(conflicting).rejects.toMatchObject({ code: 'OPERATION_CONFLICT' })
})

test('an append that comes again by its operation id takes one statement, as it did at first', async () => {
  const pool = new pg.Pool({ connectionString: on.server.url, max: 1 })
  onTestFinished(() => pool.end())
  const backend = await PostgresBackend.open(pool, { schema: freshSchema() })
  let statements = 0
  pool.on('acquire', () => statements++)
  const operation = { id: 'first', digest: 'of the first' }
  const append = [encodeEntry('message', { role: 'user', content: 'hello' }, 'message')]
  const add = () => backend.commit('s', { operation, append }, performance.now() + 60_000)
  const first = await add()
  expect(await add()).toEqual(first)
  expect(statements).toBe(2)
})

test('the operations of the last seconds are remembered, and 256 beyond them, and few more', async () => {
  const schema = freshSchema()
  const memory = await on.open(schema)
  const first = await memory.addMessages('s', turns(1), { operationId: 'first' })
  const append = (times: number) => Promise.all(Array.from({ length: times }, () => memory.addMessages('s', turns(1))))
  await append(600)
  expect(await memory.addMessages('s', turns(1), { operationId: 'first' })).toEqual(first)
  await on.ask(`UPDATE ${schema}.operations SET at = at - 60000`)
  await append(255)
  await memory.addMessages('s', turns(1), { operationId: 'last' })
  const [{ count } = { count: 0 }] = await on.ask<{ count: number }>(
    `SELECT count(*)::integer AS count FROM ${schema}.operations`,
  )
  expect(count).toBeGreaterThanOrEqual(256)
  expect(count).toBeLessThan(600)
})

test('the last 256 operations that callers named are remembered, however many others there were since', async () => {
  const schema = freshSchema()
  const memory = await on.open(schema)
  const append = (times: number, name?: string) =>
    Promise.all(
      Array.from({ length: times }, (_, turn) =>
        memory.addMessages('s', turns(1), name === undefined ? {} : { operationId: `${name} ${turn}` }),
      ),
    )
  await append(100, 'old')
  await append(10)
  await append(256, 'new')
  await append(700)
  await on.ask(`UPDATE ${schema}.operations SET at = at - 60000; UPDATE ${schema}.sessions SET prune_at = counter`)
  await append(1)
  const kept = `SELECT count(*) FILTER (WHERE digest <> '')::integer AS named, count(*) FILTER (WHERE digest = '')::integer AS unnamed FROM ${schema}.operations`
  expect(await on.ask(kept)).toEqual([{ named: 256, unnamed: 256 }])
  const before = (await memory.getHistory('s')).length
  await append(256, 'new')
  expect((await memory.getHistory('s')).length).toBe(before)
  await append(1, 'old')
  expect((await memory.getHistory('s')).length).toBe(before + 1)
})

test('a default isolation that changes under a memory that is open loses nothing', async () => {
  const schema = freshSchema()
  const memories = await Promise.all([1, 2].map(() => on.open(schema, { timeout: 30_000 })))
  await memories[0]?.addMessages('s', turns(1))
  await on.ask(`ALTER DATABASE postgres SET default_transaction_isolation = 'repeatable read'`)
  onTestFinished(async () => {
    await on.ask('ALTER DATABASE postgres RESET default_transaction_isolation')
  })
  await on.ask(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`,
  )
  await Promise.all(Array.from({ length: 64 }, (_, turn) => memories[turn % 2]?.addMessages('s', turns(1, turn + 2))))
  expect((await memories[0]?.getEntries('s'))?.map(({ seq }) => seq)).toEqual(
    Array.from({ length: 65 }, (_, index) => index + 1),
  )
})

test('a session that comes free while a statement runs does not let a later append pass an earlier one', async () => {
  const schema = freshSchema()
  const memory = await on.open(schema)
  for (const session of ['s', 't']) await memory.addMessages(session, turns(1))
  const [holder, blocker, writer] = await Promise.all(
    [1, 2, 3].map(async () => {
      const client = new pg.Client(on.server.url)
      onTestFinished(() => client.end())
      await client.connect()
      return client
    }),
  )
  await holder?.query(`SELECT pg_advisory_lock(${schema}.lock_of_2(sha256('s')))`)
  await blocker?.query(`BEGIN; LOCK TABLE ${schema}.entries IN SHARE MODE`)
  const appends = ['s', 't', 's'].map((session) => {
    const entry = { kind: 'message' as const, format: entryFormats.plain, body: '{}', bytes: null }
    const change = { operation: { id: randomUUID(), digest: '' }, append: [entry] }
    return plainAppend(session, change) ?? expect.fail('not a plain append')
  })
  const [text, values] = appendStatement(schema, appends, null)
  const writing = writer?.query({ text, values, rowMode: 'array' })
  const waiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = '${schema}.entries'::regclass`
  await expect.poll(() => on.ask(waiting)).toHaveLength(1)
  await holder?.query('SELECT pg_advisory_unlock_all()')
  await blocker?.query('COMMIT')
  expect((await writing)?.rows.map(([reply]) => reply === '["BUSY"]')).toEqual([true, false, true])
})
