import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { type PostgresServer, type PostgresServerOptions, postgresServer } from '../../src/testing/servers/index.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let open: { stop(): Promise<void> }[] = []

async function start(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const server = await postgresServer({ own: true, ...options })
  open.push(server)
  return server
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  open.push({ stop: () => client.end() })
  return client
}

async function ask(url: string, sql: string): Promise<unknown> {
  const client = await connect(url)
  const { rows } = await client.query({ text: sql, rowMode: 'array' })
  return rows[0]?.[0]
}

afterEach(async () => {
  vi.unstubAllEnvs()
  for (const one of open.reverse()) await one.stop().catch(() => {})
  open = []
})

test('a server is there, on loopback only, and gone with its folder when it is stopped', async () => {
  const server = await start()
  expect(server.url).toBe(`postgres://postgres@127.0.0.1:${server.port}/postgres`)
  expect(await ask(server.url, 'SHOW listen_addresses')).toBe('127.0.0.1')
  expect(await ask(server.url, 'SHOW unix_socket_directories')).toBe('')
  expect(await ask(server.url, 'SHOW data_directory')).toBe(join(server.folder, 'data'))
  expect(await ask(server.url, 'SHOW fsync')).toBe('on')
  expect(await ask(server.url, 'SHOW server_encoding')).toBe('UTF8')
  expect(server.nodes).toMatchObject([{ role: 'primary', port: server.port, pid: server.pid }])
  expect((await stat(server.folder)).mode & 0o777).toBe(0o700)
  await server.stop()
  expect(existsSync(server.folder)).toBe(false)
  await expect(connect(server.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  expect(() => server.pid).toThrow('is not running')
  await server.stop()
})

test('what was committed is there after a kill, and after a restart', async () => {
  const server = await start()
  const { pid, port } = server
  const client = await connect(server.url)
  await client.query('CREATE TABLE t (n int); INSERT INTO t VALUES (1)')
  await client.query('BEGIN; INSERT INTO t VALUES (2)')
  const ended = new Promise((resolve) => client.once('end', resolve))
  await server.kill()
  await ended
  await expect(connect(server.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  expect(() => server.pause()).toThrow('is not running')
  await server.restart()
  expect([server.port, server.pid === pid]).toEqual([port, false])
  expect(await ask(server.url, 'SELECT sum(n)::int FROM t')).toBe(1)
  await server.restart()
  expect(await ask(server.url, 'SELECT sum(n)::int FROM t')).toBe(1)
})

test('kill ends the processes that serve connections at once, in the middle of a statement too', async () => {
  const server = await start()
  const client = await connect(server.url)
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const call = client
    .query('SELECT count(*) FROM generate_series(1, 100000000000)')
    .catch(({ message }: Error) => message)
  await expect
    .poll(() => ask(server.url, "SELECT count(*)::int FROM pg_stat_activity WHERE query LIKE '%generate%'"))
    .toBe(2)
  await server.kill()
  expect(statesOf(rows[0]?.pid ?? 0).filter((state) => state !== 'Z')).toEqual([])
  expect(await call).toMatch(/terminated|ECONNRESET/)
})

test('a paused server answers when it is resumed, over connections it had and over new ones', async () => {
  const server = await start()
  const client = await connect(server.url)
  server.pause()
  let answered = 0
  const calls = [client.query('SELECT 1'), ask(server.url, 'SELECT 2')].map((call) => call.then(() => answered++))
  expect(statesOf(server.pid).length).toBeGreaterThan(3)
  await expect.poll(() => new Set(statesOf(server.pid))).toEqual(new Set(['T']))
  expect(answered).toBe(0)
  server.resume()
  await Promise.all(calls)
  server.pause()
  await server.restart()
  expect(await ask(server.url, 'SELECT 1')).toBe(1)
  server.pause()
  await server.stop()
})

test('configuration is taken as it is given, and what is not a test’s to set is refused', async () => {
  const server = await start({ config: { max_connections: '7', 'unforget.note': "it's # here" } })
  expect(await ask(server.url, 'SHOW max_connections')).toBe('7')
  expect(await ask(server.url, 'SHOW unforget.note')).toBe("it's # here")
  await ask(server.url, "ALTER SYSTEM SET work_mem = '5MB'")
  await server.restart()
  expect(await ask(server.url, 'SHOW work_mem')).toBe('5MB')
  await expect(start({ config: { Port: '1' } })).rejects.toThrow('Port cannot be set')
  await expect(start({ config: { 'a = 1\nb': '1' } })).rejects.toThrow('not the name of a setting')
  await expect(start({ config: { nonsense: 'yes' } })).rejects.toThrow(/ended instead of listening.*nonsense/s)
})

test('a standby follows, can only be read, and has controls of its own', async () => {
  const server = await start({ standby: true })
  const [primary, standby] = server.nodes
  expect(server.nodes.map(({ role }) => role)).toEqual(['primary', 'standby'])
  await ask(server.url, 'CREATE TABLE t AS SELECT 1 AS n')
  await expect.poll(() => ask(standby?.url ?? '', 'SELECT n FROM t').catch(() => null)).toBe(1)
  await expect(ask(standby?.url ?? '', 'INSERT INTO t VALUES (2)')).rejects.toMatchObject({ code: '25006' })
  await standby?.kill()
  await ask(server.url, 'UPDATE t SET n = 2')
  await standby?.restart()
  await expect.poll(() => ask(standby?.url ?? '', 'SELECT n FROM t')).toBe(2)
  await primary?.kill()
  expect(await ask(standby?.url ?? '', 'SELECT n FROM t')).toBe(2)
})

test('what initdb made is used again, unless others could have written it', async () => {
  const folder = await temporaryFolder()
  await chmod(folder, 0o755)
  vi.stubEnv('TMPDIR', folder)
  await (await start()).stop()
  const [name = '', ...more] = await readdir(folder)
  expect([name, more]).toEqual([expect.stringMatching(/^unforget-postgres-\w+\.tar$/), []])
  const archive = join(folder, name)
  const made = await stat(archive)
  await (await start()).stop()
  expect((await stat(archive)).ino).toBe(made.ino)
  await writeFile(archive, 'forged')
  await chmod(archive, 0o666)
  const server = await start()
  expect(await ask(server.url, 'SELECT 1')).toBe(1)
  expect((await stat(archive)).size).toBe(made.size)
  await server.stop()
  expect(await readdir(folder)).toEqual([name])
})

test('two servers have nothing in common', async () => {
  const [one, other] = await Promise.all([start(), start()])
  await ask(one.url, 'CREATE TABLE t (n int)')
  await expect(ask(other.url, 'SELECT * FROM t')).rejects.toMatchObject({ code: '42P01' })
})

test('DATABASE_URL names a server that is used and left alone', async () => {
  const there = await start({ config: { work_mem: '5MB' } })
  vi.stubEnv('DATABASE_URL', there.url)
  const server = await postgresServer({ config: { work_mem: '5MB' } })
  expect(server).toMatchObject({ own: false, url: there.url, port: there.port, host: '127.0.0.1' })
  expect(() => server.pause()).toThrow('not ours to pause')
  await expect(server.kill()).rejects.toThrow('not ours to kill')
  await expect(server.restart()).rejects.toThrow('postgresServer({ own: true })')
  await server.stop()
  expect(await ask(there.url, 'SELECT 1')).toBe(1)
  await expect(postgresServer({ config: { work_mem: '6MB' } })).rejects.toThrow('has work_mem 5MB')
  await there.stop()
  await expect(postgresServer()).rejects.toThrow('does not respond')
  vi.stubEnv('DATABASE_URL', 'mysql://127.0.0.1')
  await expect(postgresServer()).rejects.toThrow('expected postgres://')
})

/** Of a process and its children: `T` is stopped, `Z` has ended. */
function statesOf(pid: number): string[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,state='], { encoding: 'utf8' }).trim().split('\n')
  const rows = lines.map((line) => line.trim().split(/\s+/))
  return rows.filter(([id, parent]) => [id, parent].includes(String(pid))).map(([, , state]) => state?.[0] ?? '')
}
