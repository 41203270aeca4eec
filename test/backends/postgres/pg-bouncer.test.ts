import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { PostgresBackend } from '../../../src/backends/postgres/index.ts'
import { type PgBouncer, pgBouncer } from '../../../src/testing/servers/index.ts'
import { freshSchema, onServer, turns } from './on-server.ts'

const on = onServer()
let bouncer: PgBouncer
beforeAll(async () => {
  bouncer = await pgBouncer({ server: on.server, config: { default_pool_size: '3' } })
})
afterAll(() => bouncer.stop())

test('postgres.5: behind PgBouncer in transaction mode, from a fresh schema on', async () => {
  const schema = freshSchema()
  const memories = await Promise.all([1, 2, 3].map(() => on.open(schema, { url: bouncer.url, timeout: 30_000 })))
  await Promise.all(
    Array.from({ length: 24 }, async (_, writer) => {
      const memory = memories[writer % 3]
      for (let turn = 0; turn < 10; turn++) {
        await memory?.addMessages('s', turns(1, writer * 10 + turn))
        await memory?.addMessages(`s${writer}`, turns(2, turn))
      }
      await memory?.addSummary('s', { text: 'sum', embedding: [1, writer] })
      const saved = await memory?.saveSnapshot(`s${writer}`)
      await memory?.clear(`s${writer}`)
      await memory?.rollbackToSnapshot(`s${writer}`, saved?.id ?? '')
    }),
  )
  const [memory] = memories
  expect((await memory?.getEntries('s'))?.map(({ seq }) => seq)).toEqual(
    Array.from({ length: 264 }, (_, index) => index + 1),
  )
  for (let writer = 0; writer < 24; writer++) expect((await memory?.getHistory(`s${writer}`))?.length).toBe(20)
  expect((await memory?.verify())?.ok).toBe(true)
})

test('postgres.5: no setting of ours stays on a connection that another takes over', async () => {
  const memory = await on.open(freshSchema(), { url: bouncer.url })
  await memory.addMessages('s', turns(1))
  for (let turn = 0; turn < 5; turn++) {
    expect(await on.ask('SHOW lock_timeout', bouncer.url)).toEqual([{ lock_timeout: '0' }])
  }
})

test('postgres.5: no statement of ours stays on a connection that another takes over', async () => {
  const memory = await on.open(freshSchema(), { url: bouncer.url })
  await Promise.all(Array.from({ length: 20 }, (_, turn) => memory.addMessages(`${turn}`, turns(1))))
  for (let turn = 0; turn < 5; turn++) {
    expect(await on.ask('SELECT name FROM pg_prepared_statements', bouncer.url)).toEqual([])
  }
})

test('postgres.5: a pooler that goes away and comes back', async () => {
  const memory = await on.open(freshSchema(), { url: bouncer.url, timeout: 500 })
  await memory.addMessages('s', turns(1))
  await bouncer.kill()
  await expect(memory.getHistory('s')).rejects.toMatchObject({ applied: 'no', retryable: true })
  await bouncer.restart()
  await memory.addMessages('s', turns(1, 2))
  expect((await memory.getHistory('s')).length).toBe(2)
})

test('postgres.5: turns and owners behind PgBouncer', async () => {
  const schema = freshSchema()
  const [a, b] = await Promise.all([1, 2].map(() => PostgresBackend.open(bouncer.url, { schema, timeout: 30_000 })))
  if (a === undefined || b === undefined) throw new Error('not opened')
  onTestFinished(async () => void (await Promise.all([a.close(), b.close()])))
  const soon = performance.now() + 60_000
  const lease = (token: string) => ({ token, milliseconds: 600_000 })
  expect(await a.takeTurn('s', lease('a'), soon)).toBe(null)
  expect(await b.takeTurn('s', lease('b'), soon)).toBeGreaterThan(0)
  const begin = { owner: 'wang', title: 'x', metadata: null }
  const change = { operation: { id: 'o', digest: '' }, begin }
  await expect(b.commit('s', { ...change, ifTurn: 'b' }, soon)).rejects.toMatchObject({ code: 'TURN_LOST' })
  await a.commit('s', { ...change, ifTurn: 'a' }, soon)
  expect((await b.sessionsOf('wang', null, 10, soon)).sessions).toMatchObject([{ id: 's', about: begin }])
  await a.endTurn('s', 'a', soon)
  expect(await b.takeTurn('s', lease('b'), soon)).toBe(null)
})
