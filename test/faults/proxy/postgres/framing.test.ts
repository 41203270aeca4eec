import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import type pg from 'pg'
import { makeRandom } from 'unforget/faults'
import { expect, test } from 'vitest'
import { nameOf } from '../../../../src/faults/proxy/protocols/name-of.ts'
import { PostgresFrames } from '../../../../src/faults/proxy/protocols/postgres-frames.ts'
import { encodeMessage } from '../../../../src/faults/proxy/protocols/postgres-values.ts'
import { postgresBehindProxy } from './postgres-behind-proxy.ts'
import { bind, execute, flush, parse, query, RawPostgres, sync } from './raw-postgres.ts'

const withPostgres = postgresBehindProxy()

test('results of 5 MB pass, in one value and in many rows, also in pieces and cut in half', async () => {
  const { proxy, client } = await withPostgres()
  const one = await client()
  const value = 'éx'.repeat(1_700_000)
  const echo = async () => (await one.query<{ v: string }>('SELECT $1::text AS v', [value])).rows[0]?.v === value
  expect(await echo()).toBe(true)
  const rows = async () =>
    (await one.query("SELECT n, repeat('x', 20) AS x FROM generate_series(1, 100000) n")).rows.length
  expect(await rows()).toBe(100_000)
  proxy.arm({ do: 'drip', of: 'SELECT' })
  expect(await echo()).toBe(true)
  proxy.arm({ do: 'drip', of: 'SELECT' })
  expect(await rows()).toBe(100_000)
  proxy.arm({ do: 'half reply', of: 'SELECT' })
  await expect(echo()).rejects.toMatchObject({ code: 'ECONNRESET' })
  proxy.assertAllFired()
})

test('in a pipeline of statements a fault meets the very one', async () => {
  const { proxy, client, numbers, direct } = await withPostgres()
  const one = await client({ pipeline: true } as object)
  const insert = (n: number) => one.query('INSERT INTO t VALUES ($1)', [n])
  const results = (from: number) => Promise.allSettled(Array.from({ length: 100 }, (_, index) => insert(from + index)))
  proxy.arm({ do: 'error', reply: 'disk full', of: 'INSERT', at: 70 })
  const told = (await results(0)).map(({ status }) => status === 'fulfilled')
  expect(told).toEqual(Array.from({ length: 100 }, (_, index) => index !== 69))
  expect(await numbers()).toEqual(Array.from({ length: 100 }, (_, index) => index).filter((n) => n !== 69))
  await direct.query('DELETE FROM t')

  proxy.arm({ do: 'reset after', of: 'INSERT', at: 70 })
  const cut = (await results(0)).map(({ status }) => status === 'fulfilled')
  expect(cut).toEqual(Array.from({ length: 100 }, (_, index) => index < 69))
  expect((await numbers()).length).toBe(70)
})

test('what is flushed without a Sync is answered, and fails, as it is sent', async () => {
  const { proxy, client, numbers } = await withPostgres()
  // The types of pg do not know `rows`: a portal that is read page by page.
  const text = 'SELECT n FROM generate_series(1, 10) n'
  const paged: pg.QueryConfig = Object.assign({ text, values: [] }, { rows: 3 })
  const pages = async (one: pg.Client) => (await one.query(paged)).rows.length
  const one = await client()
  expect(await pages(one)).toBe(10)
  const names = proxy.commands.filter(({ isHandshake }) => !isHandshake).map(({ name }) => name)
  expect(names).toEqual(['SELECT', 'SELECT', 'SELECT', 'SELECT'])
  const cut = proxy.arm({ do: 'reset after', of: 'SELECT', at: 3 })
  await expect(pages(one)).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(cut.fired.length).toBe(1)
  const other = await client()
  await other.query('INSERT INTO t VALUES (1)')
  expect(await numbers()).toEqual([1])
})

test('an error among flushed messages skips to the Sync, and what comes then is matched', async () => {
  const { proxy } = await withPostgres()
  const raw = await RawPostgres.open(proxy.port)
  raw.send(parse('SELECT 1'), bind, execute, flush)
  expect(await raw.until('C')).toBe('12DC')
  raw.send(sync)
  expect(await raw.until('Z')).toBe('Z')

  proxy.arm({ do: 'error', reply: 'disk full', of: 'DELETE' })
  raw.send(parse('DELETE FROM t'), flush, bind, execute, flush, sync)
  expect(await raw.until('Z')).toBe('EZ')
  raw.send(parse('nonsense'), flush, bind, flush)
  expect(await raw.until('E')).toBe('E')
  raw.send(execute, flush, sync, query('SELECT 2'))
  expect(await raw.until('CZ')).toBe('ZTDCZ')
  proxy.arm({ do: 'drip', of: 'SELECT' })
  raw.send(parse('SELECT 3'), bind, execute, sync, query('SELECT 4; SELECT 5'))
  expect(await raw.until('DCTDCZ')).toBe('12DCZTDCTDCZ')
  raw.socket.destroy()
})

test('what the server skips after an error is not waited for', async () => {
  const { proxy } = await withPostgres()
  const raw = await RawPostgres.open(proxy.port)
  raw.send(parse('nonsense'), flush)
  expect(await raw.until('E')).toBe('E')
  raw.send(bind, execute, flush, query('SELECT 1'), sync)
  expect(await raw.until('Z')).toBe('Z')
  raw.send(parse('nonsense'), flush, bind, execute, flush, query('SELECT 1'), sync)
  expect(await raw.until('Z')).toBe('EZ')
  proxy.arm({ do: 'error', reply: 'disk full', of: 'SELECT' })
  raw.send(query('SELECT 2'), query('SELECT 3'))
  expect(await raw.until('CZ')).toBe('EZTDCZ')
  expect(raw.errors.at(-1)).toBe('53100')
  proxy.assertAllFired()
  raw.socket.destroy()
})

test('many statements before one Sync are one command, and named after the first', async () => {
  const { proxy, numbers } = await withPostgres()
  const raw = await RawPostgres.open(proxy.port)
  const insert = (n: number) => [parse(`INSERT INTO t VALUES (${n})`), bind, execute]
  let sql: string | undefined
  const where = ({ args }: { args: readonly string[] }) => {
    sql ??= args[0]
    return true
  }
  proxy.arm({ do: 'error', reply: 'disk full', where })
  raw.send(...insert(1), ...insert(2), sync, ...insert(3), sync)
  expect(await raw.until('CZ')).toBe('EZ12CZ')
  expect(sql).toBe('INSERT INTO t VALUES (1);\nINSERT INTO t VALUES (2)')
  expect(await numbers()).toEqual([3])
  raw.socket.destroy()
})

test('notices, notifications and settings of the server pass', async () => {
  const { proxy, client, direct } = await withPostgres()
  const one = await client()
  const notices: (string | undefined)[] = []
  one.on('notice', ({ message }) => notices.push(message))
  await one.query("DO $$ BEGIN RAISE NOTICE 'hello'; END $$")
  expect(notices).toEqual(['hello'])
  await one.query('LISTEN news')
  const notified = once(one, 'notification')
  await direct.query("NOTIFY news, 'rain'")
  expect((await notified)[0]).toMatchObject({ channel: 'news', payload: 'rain' })
  proxy.arm({ do: 'error', reply: 'disk full', of: 'NOTIFY' })
  await expect(one.query('NOTIFY news')).rejects.toMatchObject({ code: '53100' })
  await one.query("SET TimeZone = 'UTC'")
  await one.query('SELECT 1')
})

test('COPY passes both ways, and faults meet it', async () => {
  const { proxy, numbers } = await withPostgres()
  const raw = await RawPostgres.open(proxy.port)
  proxy.arm({ do: 'drip', of: 'COPY', times: 2 })
  raw.send(query('COPY t FROM STDIN'))
  expect(await raw.until('G')).toBe('G')
  raw.send(encodeMessage('d', [], Buffer.from('1\n2\n')), encodeMessage('c'))
  expect(await raw.until('Z')).toBe('CZ')
  expect(await numbers()).toEqual([1, 2])
  raw.send(query('COPY t TO STDOUT'))
  expect(await raw.until('Z')).toBe('HddcCZ')
  proxy.arm({ do: 'reset before', of: 'COPY DATA' })
  raw.send(query('COPY t FROM STDIN'))
  await raw.until('G')
  raw.send(encodeMessage('d', [], Buffer.from('3\n')), encodeMessage('c'))
  await expect(raw.until('Z')).rejects.toThrow('the connection ended')
  expect(await numbers()).toEqual([1, 2])
  proxy.assertAllFired()
})

test('a connection with a password is made through the proxy, and faults meet it', async () => {
  const { proxy, client, direct, server } = await withPostgres()
  const rules = join(server.folder, 'data', 'pg_hba.conf')
  await writeFile(rules, `host all wang 127.0.0.1/32 scram-sha-256\n${await readFile(rules, 'utf8')}`)
  await direct.query("DROP ROLE IF EXISTS wang; CREATE ROLE wang LOGIN PASSWORD 'secret'; SELECT pg_reload_conf()")
  const wang = () => client({ user: 'wang', password: 'secret' })
  const refused = () => client({ user: 'wang', password: 'wrong' }).catch(({ code }) => code)
  await expect.poll(refused).toBe('28P01')
  proxy.arm({ do: 'drip', of: 'STARTUP' })
  expect((await (await wang()).query('SELECT current_user AS me')).rows).toEqual([{ me: 'wang' }])
  proxy.arm({ do: 'reset after', of: 'STARTUP' })
  await expect(wang()).rejects.toMatchObject({ code: 'ECONNRESET' })
  proxy.arm({ do: 'error', reply: 'too many connections', of: 'PASSWORD' })
  await expect(wang()).rejects.toMatchObject({ code: '53300' })
  proxy.assertAllFired()
})

test('a client that asks for encryption is told that there is none', async () => {
  const { proxy, client } = await withPostgres()
  await expect(client({ ssl: { rejectUnauthorized: false } })).rejects.toThrow('does not support SSL')
  expect(proxy.commands.map(({ name }) => name)).toEqual(['ENCRYPTION'])
})

test('what is not the protocol ends the connection', async () => {
  const { proxy, client } = await withPostgres()
  const socket = connect(proxy.port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write('GET / HTTP/1.1\r\n\r\n')
  await new Promise((resolve) => socket.on('close', resolve))
  await (await client()).query('SELECT 1')
})

test('messages are cut at their ends, wherever the packets are', () => {
  const random = makeRandom(3)
  const sent = Array.from({ length: 50 }, (_, index) =>
    encodeMessage('D', [], Buffer.alloc(Math.floor(random() * 40), index)),
  )
  const bytes = Buffer.concat(sent)
  for (let size = 1; size <= 60; size++) {
    const frames = new PostgresFrames({ from: 'server' })
    const found: Buffer[] = []
    for (let at = 0; at < bytes.length; at += size) {
      found.push(...frames.push(bytes.subarray(at, at + size)).map((frame) => frame.bytes))
    }
    expect(found.map(String)).toEqual(sent.map(String))
  }
})

test.each([
  ['select 1', 'SELECT'],
  ['\n  (SELECT 1)', 'SELECT'],
  ['-- one\n/* two\n*/ Begin', 'BEGIN'],
  ['/* SELECT */', ''],
  ['', ''],
  ['  ;; commit', 'COMMIT'],
  ['/* a /* nested */ b */ INSERT', 'INSERT'],
  ['/*/* both */*/(/**/-- one\r\nselect', 'SELECT'],
  ['/* never closed /* */ SELECT', ''],
  ['1', ''],
])('%j is named %j', (sql, name) => {
  expect(nameOf(sql)).toBe(name)
})

test('a statement behind many comments is named without delay', () => {
  for (const comment of ['/**/', '/* a */ -- b\n', '/*', '--\n', ' ']) {
    expect(nameOf(`${comment.repeat(100_000)}1`)).toBe('')
  }
})
