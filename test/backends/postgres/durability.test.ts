import { expect, test } from 'vitest'
import { type ServerFacts, warningsOf } from '../../../src/backends/postgres/server-facts.ts'
import { postgresServer } from '../../../src/testing/servers/index.ts'
import { freshSchema, onServer, turns } from './on-server.ts'

const on = onServer()

test.each(['fsync', 'full_page_writes', 'synchronous_commit'])(
  'postgres.7: a server with %s off is warned about, and refused where power durability is asked for',
  async (setting) => {
    await using server = await postgresServer({ own: true, config: { [setting]: 'off' } })
    const { url } = server
    const schema = freshSchema()
    await expect(on.open(schema, { url, durability: 'power' })).rejects.toMatchObject({
      code: 'CANNOT_OPEN',
      applied: 'no',
      message: expect.stringContaining(`${setting} is off`),
    })
    expect(await on.ask(`SELECT FROM pg_namespace WHERE nspname = '${schema}'`, url)).toEqual([])
    const memory = await on.open(schema, { url })
    await memory.addMessages('s', turns(1))
    expect((await memory.health()).warnings).toEqual([expect.stringContaining(`${setting} is off`)])
    await memory.close()
  },
)

test('postgres.7: what the role or the URL sets counts, and a server as it is by default is warned of nothing', async () => {
  const url = new URL(on.server.url)
  url.searchParams.set('options', '-c synchronous_commit=off')
  const schema = freshSchema()
  await expect(on.open(schema, { url: url.href, durability: 'power' })).rejects.toMatchObject({
    code: 'CANNOT_OPEN',
    message: expect.stringContaining('synchronous_commit is off'),
  })
  expect((await (await on.open(schema, { url: url.href })).health()).warnings).toEqual([
    expect.stringContaining('synchronous_commit is off'),
  ])
  expect((await (await on.open(schema, { durability: 'power' })).health()).warnings).toEqual([])
})

test('postgres.7: a server that gets no more fixes is warned about', () => {
  const facts: ServerFacts = {
    processId: 1,
    version: '14.0',
    versionNumber: 140_000,
    encoding: 'UTF8',
    fsync: true,
    fullPageWrites: true,
    synchronousCommit: 'on',
    isStandby: false,
    isolation: 'read committed',
    isMemory: true,
  }
  expect(warningsOf(facts)).toEqual([])
  expect(warningsOf({ ...facts, version: '13.22', versionNumber: 130_022 })).toEqual([
    expect.stringContaining('PostgreSQL 13.22 is too old'),
  ])
})
