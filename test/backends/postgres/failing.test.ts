import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { MemoryStore } from '../../../src/core/memory-store.ts'
import { faultProxy } from '../../../src/faults/index.ts'
import { freshSchema, onServer, turns } from './on-server.ts'

const on = onServer({ standby: true })

/** Which writes were acknowledged, and how the others failed. */
async function outcomes(writes: Promise<unknown>[]) {
  const settled = await Promise.allSettled(writes)
  return settled.map((one) => (one.status === 'fulfilled' ? 'done' : (one.reason as { applied: string }).applied))
}

/** Whether it takes a write before long. */
async function worksAgain(memory: MemoryStore): Promise<void> {
  const isWritten = () =>
    memory.addMessages('afterwards', turns(1)).then(
      () => true,
      () => false,
    )
  await expect.poll(isWritten).toBe(true)
}

/** A connection of somebody else, as soon as the server has one left. */
async function untilConnected(url: string): Promise<pg.Client> {
  const connected: pg.Client[] = []
  const isConnected = async () => {
    const client = new pg.Client(url)
    client.on('error', () => {})
    await client.connect().then(
      () => connected.push(client),
      () => {},
    )
    return connected.length > 0
  }
  await expect.poll(isConnected).toBe(true)
  const [client = expect.fail('no connection')] = connected
  onTestFinished(() => client.end())
  return client
}

test('postgres.4: a connection that is terminated under way is tried again, and the turn is there once', async () => {
  const schema = freshSchema()
  const memory = await on.open(schema)
  await memory.addMessages('s', turns(1))
  let ended = 0
  let isOver = false
  const killing = (async () => {
    while (!isOver) {
      const mine = `pid <> pg_backend_pid() AND query LIKE 'SELECT "${schema}"%'`
      const rows = await on.ask(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${mine}`)
      ended += rows.length
      await pause(20)
    }
  })()
  const told = await outcomes(
    Array.from({ length: 200 }, async (_, turn) => {
      await pause(turn * 3)
      await memory.addMessages('s', turns(1, turn + 2))
    }),
  )
  isOver = true
  await killing
  expect(ended).toBeGreaterThan(0)
  expect(told.every((one) => one === 'done')).toBe(true)
  const texts = (await memory.getHistory('s')).map(({ content }) => content)
  expect(texts.length).toBe(201)
  expect(new Set(texts).size).toBe(201)
})

test('postgres.4: a server that hangs: every call ends by its deadline, and the store works again', async () => {
  const memory = await on.open(freshSchema(), { timeout: 1500 })
  await memory.addMessages('s', turns(1))
  on.server.pause()
  const told = await outcomes([memory.addMessages('s', turns(1, 2)), memory.getHistory('s'), memory.saveSnapshot('s')])
  on.server.resume()
  expect(told).toEqual(['unknown', 'no', expect.stringMatching(/no|unknown/)])
  await worksAgain(memory)
  expect((await memory.getHistory('s')).length).toBeLessThanOrEqual(2)
})

test('postgres.4: a black hole that swallows every connection is left for new ones', async () => {
  const swallowed = new Set<Socket>()
  let isHole = false
  const proxy = createServer((client) => {
    const target = connect(on.server.port, '127.0.0.1')
    for (const socket of [client, target]) socket.on('error', () => {})
    client.on('data', (data) => (isHole && swallowed.has(client) ? undefined : target.write(data)))
    target.on('data', (data) => (isHole && swallowed.has(client) ? undefined : client.write(data)))
    client.on('close', () => target.destroy())
    if (!isHole) swallowed.add(client)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => void proxy.close())
  const url = new URL(on.server.url)
  url.port = `${(proxy.address() as { port: number }).port}`
  const memory = await on.open(freshSchema(), { url: url.href, timeout: 8000 })
  await Promise.all(Array.from({ length: 10 }, (_, turn) => memory.getHistory(`${turn}`)))
  isHole = true
  await memory.addMessages('s', turns(1))
  expect((await memory.getHistory('s')).length).toBe(1)
})

test('postgres.4: a killed server: typed errors meanwhile, everything acknowledged afterwards', async () => {
  const memory = await on.open(freshSchema(), { timeout: 1500 })
  await memory.addMessages('s', turns(5))
  await on.server.nodes[0]?.kill()
  await expect(memory.addMessages('s', turns(1, 6))).rejects.toMatchObject({ code: 'BACKEND_FAILED' })
  await expect(memory.getHistory('s')).rejects.toMatchObject({ applied: 'no', retryable: true })
  await on.server.nodes[0]?.restart()
  await expect.poll(async () => (await memory.getHistory('s').catch(() => [])).length).toBeGreaterThanOrEqual(5)
  await worksAgain(memory)
})

test('postgres.4: no connection is left: told as such, nothing written, and it works again', async () => {
  const schema = freshSchema()
  await (await on.open(schema)).close()
  const url = new URL(on.server.url)
  await on.ask(
    `CREATE ROLE crowded LOGIN CONNECTION LIMIT 1; GRANT USAGE ON SCHEMA ${schema} TO crowded; GRANT ALL ON ALL TABLES IN SCHEMA ${schema} TO crowded; GRANT ALL ON ALL SEQUENCES IN SCHEMA ${schema} TO crowded`,
  )
  url.username = 'crowded'
  const memory = await on.open(schema, { url: url.href, timeout: 400 })
  await on.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'crowded'")
  const other = await untilConnected(url.href)
  await expect(memory.addMessages('s', turns(1))).rejects.toMatchObject({ applied: 'no', retryable: true })
  await other.end()
  await worksAgain(memory)
})

test('postgres.4: a session locked by someone else: not written, by the deadline, and others go on', async () => {
  const schema = freshSchema()
  const memory = await on.open(schema, { timeout: 6000 })
  await memory.addMessages('s', turns(1))
  const holder = await untilConnected(on.server.url)
  await holder.query('BEGIN')
  await holder.query(`SELECT pg_advisory_xact_lock(${schema}.lock_of_2(sha256('s')))`)
  await expect(memory.addMessages('s', turns(1, 2))).rejects.toMatchObject({ code: 'TIMEOUT', applied: 'no' })
  await expect(memory.clear('s')).rejects.toMatchObject({ code: 'TIMEOUT', applied: 'no' })
  await memory.addMessages('t', turns(1))
  expect((await memory.getHistory('s')).length).toBe(1)
  await holder.end()
  await memory.addMessages('s', turns(1, 2))
  expect((await memory.getHistory('s')).length).toBe(2)
})

test.each([
  ['messages', 6],
  ['tool calls', 40],
])(
  'postgres.4: %s to %i sessions locked by someone else: another is written before any of them is given up',
  async (what, count) => {
    const schema = freshSchema()
    const memory = await on.open(schema, { timeout: 30_000 })
    const locked = Array.from({ length: count }, (_, index) => `locked-${index}`)
    const holder = await untilConnected(on.server.url)
    await holder.query('BEGIN')
    for (const session of locked) {
      await holder.query(`SELECT pg_advisory_xact_lock(${schema}.lock_of_2(sha256($1)))`, [Buffer.from(session)])
    }
    const given: unknown[] = []
    const listen = (message: unknown) => given.push(message)
    subscribe('unforget:retry', listen)
    onTestFinished(() => void unsubscribe('unforget:retry', listen))
    const write = (session: string) =>
      what === 'messages'
        ? memory.addMessages(session, turns(1))
        : memory.recordToolCall(session, { id: 'c', name: 'n' })
    const writes: Promise<unknown>[] = locked.map(write)
    await memory.addMessages('other', turns(1))
    expect(given).toEqual([])
    await holder.query('COMMIT')
    await Promise.all(writes)
    for (const session of locked) expect(await memory.getEntries(session)).toHaveLength(1)
  },
)

test('postgres.4: many writes to a session locked by someone else leave a connection for another', async () => {
  const schema = freshSchema()
  const memory = await on.open(schema, { connections: 2 })
  const holder = await untilConnected(on.server.url)
  await holder.query('BEGIN')
  await holder.query(`SELECT pg_advisory_xact_lock(${schema}.lock_of_2(sha256('s')))`)
  const given: unknown[] = []
  const listen = (message: unknown) => given.push(message)
  subscribe('unforget:retry', listen)
  onTestFinished(() => void unsubscribe('unforget:retry', listen))
  const writes = ['a', 'b', 'c', 'd'].map((id) => memory.recordToolCall('s', { id, name: 'find' }))
  await memory.addMessages('other', turns(1))
  expect(given).toEqual([])
  await holder.query('COMMIT')
  expect((await Promise.all(writes)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
})

test('postgres.4: a turn whose answer was lost is there once, however much was written to its session until it was tried again', async () => {
  const schema = freshSchema()
  const proxy = await faultProxy({ host: '127.0.0.1', port: on.server.port, protocol: 'postgres' })
  onTestFinished(() => proxy.close())
  const others = await on.open(schema)
  await others.addMessages('s', turns(1))
  const memory = await on.open(schema, { url: proxy.through(on.server.url) })
  const armed = proxy.arm({ do: 'hang after', of: 'SELECT', where: ({ args }) => String(args[0]).includes('append_2') })
  const writing = memory.addMessages('s', turns(1, 2))
  await armed.whenFired()
  await Promise.all(Array.from({ length: 600 }, (_, index) => others.addMessages('s', turns(1, 3 + index))))
  const { seqs } = await writing
  expect(seqs).toEqual([2])
  expect((await others.getHistory('s')).length).toBe(602)
})

test('postgres.4: statement_timeout: not written', async () => {
  const schema = freshSchema()
  await (await on.open(schema)).close()
  const url = new URL(on.server.url)
  url.searchParams.set('options', '-c statement_timeout=400')
  const memory = await on.open(schema, { url: url.href, timeout: 3000 })
  await memory.addMessages('s', turns(1))
  const holder = await untilConnected(on.server.url)
  await holder.query('BEGIN')
  await holder.query(`SELECT pg_advisory_xact_lock(${schema}.lock_of_2(sha256('s')))`)
  await expect(memory.addMessages('s', turns(1, 2))).rejects.toMatchObject({ applied: 'no', retryable: true })
  await holder.end()
  expect((await memory.getHistory('s')).length).toBe(1)
})

/** Has the server fail with this code whenever an entry is written, until the function that is returned is called. */
async function failing(schema: string, state: string): Promise<() => Promise<unknown>> {
  await on.ask(
    `CREATE FUNCTION ${schema}.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${state}'; END $$;
     CREATE TRIGGER fail BEFORE INSERT ON ${schema}.entries FOR EACH ROW EXECUTE FUNCTION ${schema}.fail()`,
  )
  return () => on.ask(`DROP TRIGGER fail ON ${schema}.entries`)
}

test('postgres.4: a full disk is told as such, nothing is written, and the store works again', async () => {
  const schema = freshSchema()
  const memory = await on.open(schema)
  await memory.addMessages('s', turns(1))
  const mend = await failing(schema, '53100')
  const full = { code: 'DISK_FULL', applied: 'no', retryable: false }
  await expect(memory.addMessages('s', turns(1, 2))).rejects.toMatchObject(full)
  await expect(memory.addMessages('begun', turns(2))).rejects.toMatchObject(full)
  await expect(memory.recordToolCall('s', { id: '1', name: 'x', arguments: {} })).rejects.toMatchObject(full)
  const together = Array.from({ length: 12 }, (_, turn) => memory.addMessages(`s${turn % 3}`, turns(1, turn)))
  for (const one of await Promise.allSettled(together)) expect(one).toMatchObject({ reason: full })
  expect((await memory.listSessions()).sessions.map(({ id }) => id)).toEqual(['s'])
  await mend()
  await memory.addMessages('s', turns(1, 2))
  expect(await memory.getHistory('s')).toMatchObject(turns(2))
})

test('postgres.4: a server out of memory is tried again, and the turn is there once', async () => {
  const schema = freshSchema()
  const memory = await on.open(schema, { timeout: 30_000 })
  await memory.addMessages('s', turns(1))
  const mend = await failing(schema, '53200')
  const failed = new Promise((resolve) => {
    const listen = (message: unknown) => resolve((message as { error: unknown }).error)
    subscribe('unforget:retry', listen)
    onTestFinished(() => void unsubscribe('unforget:retry', listen))
  })
  const writing = memory.addMessages('s', turns(1, 2))
  expect(await failed).toMatchObject({ code: 'OUT_OF_MEMORY', applied: 'no', retryable: true })
  await mend()
  await writing
  expect(await memory.getHistory('s')).toMatchObject(turns(2))
})

test('postgres.4: a standby is read, warns, and refuses every write', async () => {
  const schema = freshSchema()
  const memory = await on.open(schema)
  await memory.addMessages('s', turns(3))
  const url = on.server.nodes[1]?.url ?? ''
  const [{ lsn } = { lsn: '' }] = await on.ask<{ lsn: string }>('SELECT pg_current_wal_lsn()::text AS lsn')
  const isThere = () => on.ask<{ is: boolean }>(`SELECT pg_last_wal_replay_lsn() >= '${lsn}' AS is`, url)
  await expect.poll(async () => (await isThere())[0]?.is).toBe(true)
  const standby = await on.open(schema, { url })
  expect((await standby.getHistory('s')).length).toBe(3)
  expect((await standby.health()).warnings).toEqual([expect.stringContaining('a standby')])
  await expect(standby.addMessages('s', turns(1))).rejects.toMatchObject({ code: 'READ_ONLY', applied: 'no' })
  await expect(standby.clear('s')).rejects.toMatchObject({ code: 'READ_ONLY', applied: 'no' })
  await expect(on.open(freshSchema(), { url })).rejects.toMatchObject({ code: 'NOT_A_MEMORY' })
})

test('postgres.4: idle connections that end bring nothing down', async () => {
  const schema = freshSchema()
  const memory = await on.open(schema)
  await Promise.all(Array.from({ length: 10 }, (_, turn) => memory.getHistory(`${turn}`)))
  await on.ask(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`,
  )
  await memory.addMessages('s', turns(1))
  expect((await memory.getHistory('s')).length).toBe(1)
})
