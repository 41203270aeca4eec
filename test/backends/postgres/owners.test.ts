import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { PostgresBackend } from '../../../src/backends/postgres/index.ts'
import type { Backend, ListedPage, SessionAbout } from '../../../src/core/backend.ts'
import { freshSchema, onServer } from './on-server.ts'

const on = onServer()
const soon = () => performance.now() + 60_000
const turn = { kind: 'message' as const, format: 3, body: '[{},"00000000"]', bytes: null }
const about = (owner: string): SessionAbout => ({
  owner,
  title: `of\u0000\ud800 ${owner}`,
  metadata: '{"a":"\\u0000"}',
})

async function open(schema = freshSchema()) {
  const backend = await PostgresBackend.open(on.server.url, { schema })
  onTestFinished(() => backend.close())
  return { schema, backend }
}

const begin = (backend: Backend, id: string, owner: string) =>
  backend.commit(id, { operation: { id: randomUUID(), digest: '' }, append: [turn], begin: about(owner) }, soon())

async function pages(backend: PostgresBackend, owner: string, limit: number): Promise<ListedPage[]> {
  const all: ListedPage[] = []
  let cursor: string | null = null
  do {
    const page: ListedPage = await backend.sessionsOf(owner, cursor, limit, soon())
    all.push(page)
    cursor = page.cursor
  } while (cursor !== null)
  return all
}

const idsOf = (all: readonly ListedPage[]) => all.flatMap(({ sessions }) => sessions.map(({ id }) => id))

test('the sessions of an owner, page by page, the last written first, and ties by the bytes of their ids', async () => {
  const { schema, backend } = await open()
  const owner = 'wang\u0000 " é'
  const ids = ['b', 'a', 'é', 'z\u0000', 'c', 'd', 'e']
  for (const id of ids) await begin(backend, id, owner)
  await begin(backend, 'other', 'wang')
  await on.ask(`UPDATE ${schema}.sessions SET updated_at = CASE WHEN id IN ('c', 'd') THEN 2 ELSE 1 END`)
  const all = await pages(backend, owner, 2)
  expect(idsOf(all)).toEqual(['c', 'd', 'a', 'b', 'e', 'z\u0000', 'é'])
  expect(all.map(({ sessions }) => sessions.length)).toEqual([2, 2, 2, 1])
  expect(all[0]?.sessions[0]).toMatchObject({ state: { end: 1, updatedAt: 2 }, about: about(owner) })
  expect(idsOf(await pages(backend, 'wang', 10))).toEqual(['other'])
  expect(idsOf(await pages(backend, 'nobody', 10))).toEqual([])
})

test('a session that is lost is listed for its owner, and found by verify', async () => {
  const { schema, backend } = await open()
  for (const id of ['a', 'b', 'c']) await begin(backend, id, 'wang')
  await on.ask(
    `DELETE FROM ${schema}.sessions WHERE id = 'a'; UPDATE ${schema}.epochs SET path = 'x' WHERE session = (SELECT session FROM ${schema}.names WHERE id = 'b')`,
  )
  const listed = (await pages(backend, 'wang', 1)).flatMap(({ sessions }) => sessions)
  expect(listed.map(({ id, state }) => [id, state === null])).toEqual([
    ['c', false],
    ['b', true],
    ['a', true],
  ])
})

test('a session whose row of names is missing is lost where it must be described', async () => {
  const { schema, backend } = await open()
  await begin(backend, 's', 'wang')
  await on.ask(`DELETE FROM ${schema}.names`)
  const lost = { code: 'MEMORY_LOST', session: 's' }
  const describe = { operation: { id: 'd', digest: '' }, describe: { title: 'x' } }
  await expect(backend.read('s', { about: true }, soon())).rejects.toMatchObject(lost)
  await expect(backend.snapshots('s', soon())).rejects.toMatchObject(lost)
  await expect(backend.commit('s', describe, soon())).rejects.toMatchObject(lost)
  expect((await backend.sessions(null, 10, soon())).sessions).toEqual([{ id: 's', state: null, about: null }])
  expect((await backend.read('s', {}, soon())).state?.counter).toBe(1)
})

test('an append to a described session updates its row in place and touches no other but its own', async () => {
  const { schema, backend } = await open()
  await begin(backend, 's', 'wang')
  const client = new pg.Client(on.server.url)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('BEGIN')
  for (let time = 0; time < 20; time++) {
    await client.query(`SELECT ${schema}.append_2('5000', sha256('s'), 's', 'o${time}', 'nonce', '{}')`)
  }
  const { rows } = await client.query(
    `SELECT relname, n_tup_ins::integer AS added, n_tup_upd::integer AS updated, n_tup_hot_upd::integer AS in_place
     FROM pg_stat_xact_user_tables WHERE schemaname = '${schema}' AND n_tup_ins + n_tup_upd + n_tup_del > 0 ORDER BY relname`,
  )
  expect(rows).toEqual([
    { relname: 'entries', added: 20, updated: 0, in_place: 0 },
    { relname: 'operations', added: 20, updated: 0, in_place: 0 },
    { relname: 'sessions', added: 0, updated: 20, in_place: 20 },
  ])
})
