import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { PostgresBackend } from '../../../src/backends/postgres/index.ts'
import { quoteSchema } from '../../../src/backends/postgres/schema/schema-name.ts'
import { schemaScript } from '../../../src/backends/postgres/schema/schema-sql.ts'
import { tablesSql } from '../../../src/backends/postgres/schema/tables.ts'
import { MemoryStore } from '../../../src/core/memory-store.ts'
import { epochOf, versionOf } from '../../../src/core/session-state.ts'
import { openMemory } from '../../../src/index.ts'
import { unforget } from '../../cli/support/run-cli.ts'
import { finish, startChild } from '../../support/child.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { freshSchema, onServer, turns } from './on-server.ts'

const on = onServer({ config: { max_connections: '100' } })
const opener = new URL('./children/open-and-append.ts', import.meta.url)

/** A way to the server on which all that is said to it can be read. */
async function overhear(port: number): Promise<{ port: number; said: () => string }> {
  let said = ''
  const proxy = createServer((client) => {
    const target = connect(port, '127.0.0.1')
    for (const socket of [client, target]) socket.on('error', () => {})
    client.on('data', (data) => {
      said += data.toString('latin1')
    })
    client.pipe(target).pipe(client)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => void proxy.close())
  return { port: (proxy.address() as AddressInfo).port, said: () => said }
}

/** A role that may do no more than it is granted. */
async function role(schema: string, grants: string): Promise<string> {
  const name = freshSchema()
  await on.ask(
    `CREATE ROLE ${name} LOGIN; GRANT USAGE ON SCHEMA ${schema} TO ${name}; ${grants.replaceAll('$ROLE', name)}`,
  )
  const url = new URL(on.server.url)
  url.username = name
  return url.href
}

test('postgres.1: ten processes open a fresh schema at once, and all of them write', async () => {
  const schema = freshSchema()
  const children = Array.from({ length: 10 }, () => startChild(opener, { url: on.server.url, schema }))
  await Promise.all(children.map((child) => once(child, 'message')))
  const ends = children.map((child) => finish(child))
  for (const child of children) child.send('open')
  for (const { code } of await Promise.all(ends)) expect(code).toBe(0)
  const written = await (await on.open(schema)).getHistory('s')
  expect(new Set(written.map(({ content }) => content))).toEqual(new Set(children.map(({ pid }) => `turn of ${pid}`)))
})

test('postgres.1: with migrate: false a schema that is missing, older or newer is refused, and the printed one is taken', async () => {
  const schema = freshSchema()
  await expect(on.open(schema, { migrate: false })).rejects.toMatchObject({ code: 'NOT_A_MEMORY', applied: 'no' })
  await expect(on.open(schema, { readOnly: true })).rejects.toMatchObject({ code: 'NOT_A_MEMORY' })
  await on.ask(schemaScript({ schema: quoteSchema(schema), partitions: 0 }))
  const memory = await on.open(schema, { migrate: false })
  await memory.addMessages('s', turns(2))
  await on.ask(`UPDATE ${schema}.unforget_version SET version = 0`)
  await expect(on.open(schema, { migrate: false })).rejects.toMatchObject({ code: 'SCHEMA_TOO_OLD' })
  await on.ask(`UPDATE ${schema}.unforget_version SET version = 99`)
  await expect(on.open(schema)).rejects.toMatchObject({ code: 'SCHEMA_TOO_NEW' })
  await on.ask(`DELETE FROM ${schema}.unforget_version`)
  await expect(on.open(schema)).rejects.toMatchObject({ code: 'NOT_A_MEMORY' })
})

test.each(['0', '3'])(
  'postgres.1: what unforget schema postgres prints is all that is needed, in %s parts',
  async (parts) => {
    const schema = freshSchema()
    const { stdout, code } = await unforget(['schema', 'postgres', '--schema', schema, '--partitions', parts], {
      cwd: await temporaryFolder(),
    })
    expect(code).toBe(0)
    await on.ask(stdout)
    const backend = await PostgresBackend.open(on.server.url, { schema, migrate: false })
    onTestFinished(() => backend.close())
    const soon = performance.now() + 60_000
    const begin = { owner: 'wang', title: null, metadata: '{}' }
    await backend.takeTurn('s', { token: 't', milliseconds: 60_000 }, soon)
    await backend.commit('s', { operation: { id: 'o', digest: '' }, ifTurn: 't', begin }, soon)
    expect((await backend.sessionsOf('wang', null, 10, soon)).sessions).toMatchObject([{ id: 's', about: begin }])
  },
)

test('postgres.1: the URL may name the schema, and options may not name another', async () => {
  const schema = freshSchema()
  const url = `${on.server.url}?application_name=agents&schema=${schema}`
  const memory = await openMemory(url)
  onTestFinished(() => memory.close())
  await memory.addMessages('s', turns(1))
  expect(await (await on.open(schema)).getHistory('s')).toMatchObject(turns(1))
  await expect(openMemory(url, { schema: freshSchema() })).rejects.toThrow(/parameter schema/)
  await expect(openMemory(`${on.server.url}?schema=a%22b`)).rejects.toThrow(/options.schema/)
})

test('postgres.1: a schema with other tables in it is left as it is', async () => {
  const schema = freshSchema()
  await on.ask(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.entries (mine text)`)
  await expect(on.open(schema)).rejects.toMatchObject({ code: 'NOT_A_MEMORY' })
  expect(await on.ask(`SELECT relname FROM pg_class WHERE relnamespace = '${schema}'::regnamespace`)).toEqual([
    { relname: 'entries' },
  ])
})

test('postgres.1: a process of an older version fails once the schema was upgraded, and writes nothing', async () => {
  const schema = freshSchema()
  const memory = await on.open(schema)
  await memory.addMessages('s', turns(1))
  await on.ask(`ALTER FUNCTION ${schema}.append_2 RENAME TO append_3`)
  await expect(memory.addMessages('s', turns(1))).rejects.toMatchObject({ code: 'SCHEMA_TOO_NEW', applied: 'no' })
  expect((await memory.getHistory('s')).length).toBe(1)
})

test('postgres.1: a schema of 0.1 is upgraded with all that is in it, and its functions are gone', async () => {
  const schema = 'golden_schema'
  await on.ask(await readFile(new URL('./golden/schema-1.sql', import.meta.url), 'utf8'))
  const body = JSON.stringify({ role: 'user', content: 'written by 0.1' })
  const content = JSON.stringify(['addMessages', ['message', body, null]])
  const digest = createHash('sha256').update(content).digest('base64url')
  const operation = "substr(sha256('named'), 1, 16)"
  await on.ask(
    `SELECT ${schema}.append_1('5000', sha256('s'), 's', ${operation}, 'abcdefabcdef', '${body}', '${digest}')`,
  )
  await expect(on.open(schema, { migrate: false })).rejects.toMatchObject({ code: 'SCHEMA_TOO_OLD' })
  const memory = await on.open(schema)
  const again = [{ role: 'user' as const, content: 'written by 0.1' }]
  await expect(memory.addMessages('s', again, { operationId: 'named' })).resolves.toMatchObject({ seqs: [1] })
  await memory.addMessages('s', turns(1))
  expect(await memory.getHistory('s')).toMatchObject([...again, ...turns(1)])
  const formats = `SELECT format FROM ${schema}.entries ORDER BY seq`
  expect(await on.ask(formats)).toEqual([{ format: 1 }, { format: 3 }])
  const left = await on.ask(
    `SELECT proname FROM pg_proc WHERE pronamespace = '${schema}'::regnamespace AND proname LIKE '%\\_1'`,
  )
  expect(left).toEqual([])
})

test('postgres.1: what 0.1 wrote is read as it was: its epochs have no cause, and every path change took something back', async () => {
  const schema = freshSchema()
  const golden = await readFile(new URL('./golden/schema-1.sql', import.meta.url), 'utf8')
  await on.ask(golden.replaceAll('golden_schema', schema))
  const body = JSON.stringify({ role: 'user', content: 'written by 0.1' })
  const path = `p_path => ARRAY['2', '2', 'next', 'open']`
  const change = (operation: string, rest: string) =>
    on.ask(
      `SELECT ${schema}.apply_change_1(5000, sha256('s'), 's', '${operation}', '', NULL, 'abcdefabcde${operation}', ${rest})`,
    )
  await change('1', `p_bodies => ARRAY['${body}', '${body}', '${body}']`)
  await change('2', `p_put_key => substr(sha256('p'), 1, 16), p_put_id => 'p', p_put_automatic => false, ${path}`)
  const [row] = await on.ask<{ version: string; epoch: string }>(
    `SELECT birth || '.' || counter || '.' || nonce AS version, birth || '.' || epoch || '.' || epoch_nonce AS epoch FROM ${schema}.sessions`,
  )
  const backend = await PostgresBackend.open(on.server.url, { schema })
  onTestFinished(() => backend.close())
  const soon = performance.now() + 60_000
  const { state, snapshots, epochs, about } = await backend.snapshots('s', soon)
  expect(state).toMatchObject({ epoch: 2, takenBack: 2, takenBackNonce: 'abcdefabcde2', end: 3 })
  expect(state && [versionOf(state), epochOf(state)]).toEqual([row?.version, row?.epoch])
  expect(snapshots).toMatchObject([{ id: 'p', epoch: 1, end: 3 }])
  expect(epochs).toEqual([
    { number: 1, path: [[1, null]], cause: null, at: null, base: null, difference: null },
    {
      number: 2,
      path: [
        [2, 2],
        [4, null],
      ],
      cause: null,
      at: null,
      base: null,
      difference: null,
    },
  ])
  expect(about).toEqual({ owner: null, title: null, metadata: null })
  const memory = new MemoryStore(backend)
  expect((await memory.getHistory('s', { at: 'p' })).length).toBe(3)
  await memory.addMessages('s', turns(1), { ifEpoch: row?.epoch ?? '', ifVersion: row?.version ?? '' })
  await memory.rollbackToSnapshot('s', 'p')
  expect((await backend.read('s', {}, soon)).state).toMatchObject({ epoch: 3, takenBack: 3 })
  expect((await memory.verify()).ok).toBe(true)
})

test('postgres.1: whoever was granted the tables of 0.1 is granted those of 0.2, in a split schema as well', async () => {
  const schema = freshSchema()
  await on.ask(
    `CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.unforget_version (version integer NOT NULL);
     INSERT INTO ${schema}.unforget_version VALUES (1); ${tablesSql(schema, 4)}
     INSERT INTO ${schema}.sessions SELECT sha256(i::text::bytea), i, i::text::bytea, 'birth', 3, 'nonce', 2, 'epoch', 0, 1, 1, NULL, false, NULL, NULL, 64
       FROM generate_series(1, 20) i;
     INSERT INTO ${schema}.names SELECT key, session, id FROM ${schema}.sessions;
     INSERT INTO ${schema}.epochs SELECT session, 2, '[1,null]' FROM ${schema}.sessions`,
  )
  const url = await role(
    schema,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO $ROLE; GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO $ROLE`,
  )
  await expect(on.open(schema, { url, migrate: false })).rejects.toMatchObject({ code: 'SCHEMA_TOO_OLD' })
  await on.open(schema)
  const backend = await PostgresBackend.open(url, { schema, migrate: false })
  onTestFinished(() => backend.close())
  const soon = performance.now() + 60_000
  expect((await backend.sessions(null, 100, soon)).sessions.length).toBe(20)
  expect((await backend.read('7', {}, soon)).state).toMatchObject({ takenBack: 2, takenBackNonce: 'epoch' })
  expect(await backend.takeTurn('7', { token: 't', milliseconds: 60_000 }, soon)).toBe(null)
  const describe = { owner: 'wang', title: 'new' }
  await backend.commit('7', { operation: { id: 'o', digest: '' }, ifTurn: 't', describe }, soon)
  expect((await backend.sessionsOf('wang', null, 10, soon)).sessions).toMatchObject([{ id: '7', about: describe }])
})

test('postgres.2: a role that may not create the schema is told so', async () => {
  const url = await role('public', '')
  await expect(on.open(freshSchema(), { url })).rejects.toMatchObject({
    code: 'NOT_A_MEMORY',
    message: expect.stringContaining('unforget schema postgres'),
  })
})

test('postgres.2: a role that may only read gets a store that only reads, and so does readOnly', async () => {
  const schema = freshSchema()
  await (await on.open(schema)).addMessages('s', turns(3))
  const url = await role(schema, `GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO $ROLE`)
  for (const memory of [await on.open(schema, { url }), await on.open(schema, { readOnly: true })]) {
    expect((await memory.getHistory('s')).length).toBe(3)
    expect((await memory.listSessions()).sessions.length).toBe(1)
    expect((await memory.verify()).ok).toBe(true)
    expect((await memory.stats()).entries).toBe(3)
    expect((await memory.health()).ok).toBe(true)
    for (const write of [
      () => memory.addMessages('s', turns(1)),
      () => memory.saveSnapshot('s'),
      () => memory.clear('s'),
      () => memory.deleteSession('s'),
      () => memory.sweep(),
    ]) {
      await expect(write()).rejects.toMatchObject({ code: 'READ_ONLY', applied: 'no' })
    }
  }
})

test('postgres.2: a role with the rights to write and no others writes', async () => {
  const schema = freshSchema()
  await on.open(schema)
  const url = await role(
    schema,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO $ROLE; GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO $ROLE`,
  )
  const memory = await on.open(schema, { url, migrate: false })
  await memory.addMessages('s', turns(2))
  const { id } = await memory.saveSnapshot('s')
  await memory.clear('s')
  await memory.rollbackToSnapshot('s', id)
  expect((await memory.getHistory('s')).length).toBe(2)
  expect(await memory.deleteSession('s')).toBe(true)
})

test('postgres.6: the pool of the caller is used and left open', async () => {
  const pool = new pg.Pool({ connectionString: on.server.url, max: 3 })
  onTestFinished(() => pool.end())
  const listeners = pool.listenerCount('error')
  const memory = new MemoryStore(await PostgresBackend.open(pool, { schema: freshSchema() }))
  await memory.addMessages('s', turns(1))
  await memory.close()
  expect(pool.listenerCount('error')).toBe(listeners)
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
})

test.each([
  ['by name on connections of our own', {}, true],
  ['not, if they are not to be', { prepare: false }, false],
])('postgres.6: statements are prepared %s', async (_, options, isNamed) => {
  const wire = await overhear(on.server.port)
  const url = new URL(on.server.url)
  url.port = `${wire.port}`
  const memory = await on.open(freshSchema(), { ...options, url: url.href, connections: 1 })
  for (let turn = 1; turn <= 10; turn++) await memory.addMessages('s', turns(1, turn))
  expect(await memory.getHistory('s', { last: 3 })).toMatchObject(turns(3, 8))
  expect(/unforget_[0-9a-f]{32}/.test(wire.said())).toBe(isNamed)
})

test('postgres.6: on a pool of the caller, statements are prepared only if that is asked for', async () => {
  const pool = new pg.Pool({ connectionString: on.server.url, max: 1 })
  onTestFinished(() => pool.end())
  for (const prepare of [undefined, true]) {
    const memory = new MemoryStore(await PostgresBackend.open(pool, { schema: freshSchema(), prepare }))
    await memory.addMessages('s', turns(1))
    const { rowCount } = await pool.query('SELECT FROM pg_prepared_statements')
    expect((rowCount ?? 0) > 0).toBe(prepare === true)
  }
})

test('postgres.6: prepared statements that are gone are done without', async () => {
  const pool = new pg.Pool({ connectionString: on.server.url, max: 1 })
  onTestFinished(() => pool.end())
  const memory = new MemoryStore(await PostgresBackend.open(pool, { schema: freshSchema(), prepare: true }))
  await memory.addMessages('s', turns(1))
  await pool.query('DEALLOCATE ALL')
  await memory.addMessages('s', turns(1, 2))
  expect(await memory.getHistory('s')).toMatchObject(turns(2))
  expect((await pool.query('SELECT FROM pg_prepared_statements')).rowCount).toBe(0)
})

test('a database in another encoding is refused', async () => {
  await on.ask("CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
  const url = new URL(on.server.url)
  url.pathname = '/latin'
  await expect(on.open(freshSchema(), { url: url.href })).rejects.toMatchObject({ code: 'CANNOT_OPEN' })
})

test.each([
  'postgres://user:secret@127.0.0.1:1/none',
  'postgres://user:secret@127.0.0.1:99999999/x',
  'mysql://a:secret@b/c',
])('no password in an error: %s', async (url) => {
  const error: unknown = await PostgresBackend.open(url, { timeout: 1000 }).catch((failed: unknown) => failed)
  expect(error).toBeInstanceOf(Error)
  const seen = new Set<unknown>()
  for (
    let one = error as Error | undefined;
    one !== undefined && !seen.has(one);
    one = one.cause as Error | undefined
  ) {
    seen.add(one)
    expect(`${one.message} ${one.stack} ${JSON.stringify(one)}`).not.toContain('secret')
  }
})

test.each(['', 'pg_mine', 'a"b', 'a b', 'x'.repeat(64)])('a schema of the name %j is refused', async (schema) => {
  await expect(on.open(schema)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
})

test('whatever the database makes the default isolation, nothing is lost', async () => {
  for (const isolation of ['serializable', 'repeatable read']) {
    const url = new URL(on.server.url)
    url.searchParams.set('options', `-c default_transaction_isolation=${isolation.replace(' ', '\\ ')}`)
    const memory = await on.open(freshSchema(), { url: url.href })
    await Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        for (let turn = 0; turn < 5; turn++) await memory.addMessages('s', turns(1, writer * 10 + turn))
        await memory.recordToolCall('s', { id: `${writer}`, name: 'x', arguments: {} })
      }),
    )
    expect((await memory.getHistory('s')).length).toBe(40)
    expect((await memory.verify()).ok).toBe(true)
  }
})

test('a URL may name its host as a parameter, as for a socket in the file system', async () => {
  const { port, username, password } = new URL(on.server.url)
  const url = new URL('postgres:///postgres')
  for (const [name, value] of Object.entries({
    host: '127.0.0.1',
    port,
    user: username,
    password,
    schema: freshSchema(),
  }))
    if (value !== '') url.searchParams.set(name, value)
  await using memory = await openMemory(url.href)
  await memory.addMessages('s', turns(1))
  expect(await memory.getHistory('s')).toEqual(turns(1))
  await expect(openMemory('postgres:///postgres')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
  await expect(openMemory('redis:///?host=127.0.0.1')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
})
