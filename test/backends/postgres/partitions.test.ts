import { expect, test } from 'vitest'
import { quoteSchema } from '../../../src/backends/postgres/schema/schema-name.ts'
import { schemaScript } from '../../../src/backends/postgres/schema/schema-sql.ts'
import { freshSchema, onServer, turns } from './on-server.ts'

const on = onServer()

test('postgres.8: a memory split by session is the same memory', async () => {
  const schema = freshSchema()
  await on.ask(schemaScript({ schema: quoteSchema(schema), partitions: 4 }))
  const memory = await on.open(schema, { migrate: false })
  const names = Array.from({ length: 40 }, (_, index) => `session ${index}`)
  await Promise.all(names.map((name) => memory.addMessages(name, turns(5))))
  await Promise.all(names.map((name) => memory.addMessages(name, turns(5, 6))))
  for (const name of names.slice(0, 10)) {
    await memory.addSummary(name, { text: name, embedding: [1, 0] })
    const { id } = await memory.saveSnapshot(name)
    await memory.trim(name, { maxEntries: 2 })
    await memory.rollbackToSnapshot(name, id)
    expect(await memory.recall(name, [1, 0])).toMatchObject([{ summary: { text: name } }])
  }
  const listed = await memory.listSessions({ limit: 25 })
  const rest = await memory.listSessions({ limit: 25, cursor: listed.cursor })
  expect(new Set([...listed.sessions, ...rest.sessions].map(({ id }) => id))).toEqual(new Set(names))
  expect((await memory.verify()).ok).toBe(true)
  expect(await memory.deleteAllSessions()).toBe(40)
  expect(await memory.stats()).toMatchObject({ sessions: 0, entries: 0, sweepable: { entries: 0 } })
})

test('postgres.8: the entries of sessions are spread over the parts, and one session is in one of them', async () => {
  const schema = freshSchema()
  await on.ask(schemaScript({ schema: quoteSchema(schema), partitions: 4 }))
  const memory = await on.open(schema)
  for (let session = 0; session < 20; session++) await memory.addMessages(`${session}`, turns(2))
  const parts = await on.ask<{ part: string; sessions: string }>(
    `SELECT tableoid::regclass::text AS part, count(DISTINCT session) AS sessions FROM ${schema}.entries GROUP BY 1`,
  )
  expect(parts.length).toBeGreaterThan(1)
  expect(parts.reduce((sum, { sessions }) => sum + Number(sessions), 0)).toBe(20)
})
