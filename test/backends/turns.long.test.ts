import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openMemory } from '../../src/index.ts'
import { postgresServer, redisServer } from '../../src/testing/servers/index.ts'
import { finish, startChild } from '../support/child.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const redis = await redisServer()
const postgres = await postgresServer()
afterAll(() => Promise.all([redis.stop(), postgres.stop()]))

const child = new URL('./children/take-turns.ts', import.meta.url)

test.each([
  ['sqlite', async () => `sqlite:${join(await temporaryFolder(), 'agent.db')}`],
  ['redis', async () => redis.url],
  ['postgres', async () => postgres.url],
] as const)('%s: 50 turns of each of 8 processes in one session, none mixed and none lost', async (_, urlOf) => {
  const url = await urlOf()
  await using memory = await openMemory(url)
  const target = { url, through: 'url' }
  const ends = await Promise.all(
    Array.from({ length: 8 }, (_, index) => finish(startChild(child, { target, name: `${index}`, count: 50 }))),
  )
  expect(ends.map(({ code }) => code)).toEqual(Array.from({ length: 8 }, () => 0))
  const history = await memory.getHistory('s')
  expect(history).toHaveLength(1600)
  const contents = history.map(({ content }) => content)
  const order = contents.filter((_, index) => index % 4 === 0)
  expect(new Set(order).size).toBe(400)
  expect(contents).toEqual(order.flatMap((content) => [content, content, content, content]))
  const roles = history.map(({ role }) => role)
  expect(roles).toEqual(order.flatMap(() => ['user', 'assistant', 'tool', 'assistant']))
})
