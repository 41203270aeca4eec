import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { PostgresBackend } from '../../../src/backends/postgres/index.ts'
import type { Backend, Change } from '../../../src/core/backend.ts'
import { startChild } from '../../support/child.ts'
import { freshSchema, onServer } from './on-server.ts'

const on = onServer()
const holder = new URL('./children/hold-turn.ts', import.meta.url)
const soon = () => performance.now() + 60_000
const lease = (token: string, milliseconds = 600_000) => ({ token, milliseconds })
const turn = { kind: 'message' as const, format: 3, body: '[{},"00000000"]', bytes: null }

const write = (backend: Backend, change: Omit<Change, 'operation'>, id: string = randomUUID()) =>
  backend.commit('s', { append: [turn], ...change, operation: { id, digest: '' } }, soon())

/** Two memories on one schema, each with connections of its own. */
async function two() {
  const schema = freshSchema()
  const open = async () => {
    const backend = await PostgresBackend.open(on.server.url, { schema })
    onTestFinished(() => backend.close())
    return backend
  }
  return { schema, a: await open(), b: await open() }
}

async function connected(): Promise<pg.Client> {
  const client = new pg.Client(on.server.url)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

test('a turn is held by one, and given to the next when it ends', async () => {
  const { a, b } = await two()
  expect(await a.takeTurn('s', lease('a'), soon())).toBe(null)
  expect(await a.takeTurn('s', lease('a'), soon())).toBe(null)
  const left = await b.takeTurn('s', lease('b'), soon())
  expect(left).toBeGreaterThan(590_000)
  expect(left).toBeLessThanOrEqual(600_000)
  expect(await b.renewTurn('s', lease('b'), soon())).toBe(false)
  await b.endTurn('s', 'b', soon())
  await expect(write(b, { ifTurn: 'b' })).rejects.toMatchObject({ code: 'TURN_LOST' })
  await expect(write(a, { ifTurn: 'a' })).resolves.toMatchObject({ first: 1 })
  await a.endTurn('s', 'a', soon())
  expect(await b.takeTurn('s', lease('b'), soon())).toBe(null)
})

test('a lease ends by the clock of the server, taken over or not, and nothing is written under it any more', async () => {
  const { schema, a, b } = await two()
  expect(await a.takeTurn('s', lease('a'), soon())).toBe(null)
  await write(a, { ifTurn: 'a' }, 'first')
  expect(await a.renewTurn('s', lease('a', 1), soon())).toBe(true)
  const ended = `SELECT FROM ${schema}.turns WHERE until <= ${schema}.now_2()`
  await expect.poll(() => on.ask(ended)).toHaveLength(1)
  await expect(write(a, { ifTurn: 'a' })).rejects.toMatchObject({ code: 'TURN_LOST' })
  await expect(write(a, { ifTurn: 'a' }, 'first')).resolves.toMatchObject({ first: 1 })
  await expect(a.erase('s', { operation: 'e', ifTurn: 'a' }, soon())).rejects.toMatchObject({ code: 'TURN_LOST' })
  expect(await a.renewTurn('s', lease('a'), soon())).toBe(false)
  expect(await b.takeTurn('s', lease('b'), soon())).toBe(null)
  await expect(write(a, { ifTurn: 'a' })).rejects.toMatchObject({ code: 'TURN_LOST' })
  expect((await b.read('s', {}, soon())).state).toMatchObject({ end: 1, counter: 1 })
})

test('whoever takes a turn over waits for what is being written under it', async () => {
  const { schema, a, b } = await two()
  await a.takeTurn('s', lease('a'), soon())
  const writer = await connected()
  await writer.query('BEGIN')
  await writer.query(
    `SELECT ${schema}.apply_change_2(5000, sha256('s'), 's', 'o', '', NULL, 'nonce', p_bodies => ARRAY['{}'], p_if_turn => 'a')`,
  )
  await on.ask(`UPDATE ${schema}.turns SET until = ${schema}.now_2()`)
  const taking = b.takeTurn('s', lease('b'), soon())
  const waiting = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`
  await expect.poll(() => on.ask(waiting)).toHaveLength(1)
  await writer.query('COMMIT')
  expect(await taking).toBe(null)
  expect((await b.read('s', {}, soon())).state?.end).toBe(1)
})

test('a lease is no session: it tells no id, is no damage, survives its session, and goes when it ends', async () => {
  const { schema, a } = await two()
  await a.takeTurn('s', lease('a'), soon())
  expect((await a.read('s', {}, soon())).state).toBe(null)
  expect(await a.sessions(null, 10, soon())).toEqual({ sessions: [], cursor: null })
  expect(await a.damage(soon())).toEqual({ damage: [], done: true })
  await write(a, { ifTurn: 'a' })
  expect(await a.erase('s', { operation: 'e', ifTurn: 'a' }, soon())).toBe(true)
  await a.reclaim('all', soon())
  expect(await on.ask(`SELECT key, token FROM ${schema}.turns WHERE key = sha256('s')`)).toMatchObject([{ token: 'a' }])
  await on.ask(`UPDATE ${schema}.turns SET until = 1`)
  await a.reclaim('erased', soon())
  expect(await on.ask(`SELECT FROM ${schema}.turns`)).toEqual([])
})

test('50 at once from two memories: one holds the turn at a time', async () => {
  const { a, b } = await two()
  let holding = 0
  await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const backend = index % 2 === 0 ? a : b
      const token = `${index}`
      while ((await backend.takeTurn('s', lease(token), soon())) !== null);
      expect(++holding).toBe(1)
      await write(backend, { ifTurn: token, append: [turn, turn] })
      holding -= 1
      await backend.endTurn('s', token, soon())
    }),
  )
  expect((await a.read('s', {}, soon())).state?.end).toBe(100)
})

test('a process that is stopped past its lease is refused when it wakes up, and one that is killed frees its turn', async () => {
  const { schema, a } = await two()
  const child = startChild(holder, { url: on.server.url, schema, milliseconds: 600_000 })
  onTestFinished(() => void child.kill('SIGKILL'))
  const tell = async (operation?: string) => {
    const answer = once(child, 'message')
    if (operation !== undefined) child.send(operation)
    return (await answer)[0]
  }
  expect(await tell()).toBe('held')
  expect(await a.takeTurn('s', lease('a'), soon())).toBeGreaterThan(0)
  expect(await tell('first')).toBe('written')
  child.kill('SIGSTOP')
  await on.ask(`UPDATE ${schema}.turns SET until = ${schema}.now_2() + 100`)
  await expect.poll(() => a.takeTurn('s', lease('a'), soon())).toBe(null)
  await a.endTurn('s', 'a', soon())
  child.kill('SIGCONT')
  expect(await tell('second')).toBe('TURN_LOST')
  expect((await a.read('s', {}, soon())).state?.end).toBe(1)

  const killed = startChild(holder, { url: on.server.url, schema, milliseconds: 1000 })
  expect((await once(killed, 'message'))[0]).toBe('held')
  killed.kill('SIGKILL')
  await once(killed, 'close')
  await expect.poll(() => a.takeTurn('s', lease('a'), soon())).toBe(null)
})
