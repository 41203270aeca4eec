import { once } from 'node:events'
import { postgresErrorReplies } from 'unforget/faults'
import { expect, test } from 'vitest'
import { endOf, postgresBehindProxy } from './postgres-behind-proxy.ts'

const withPostgres = postgresBehindProxy()

const insert = 'INSERT INTO t VALUES ($1)'

test('without a fault everything passes, and is told', async () => {
  const { proxy, client, numbers, server } = await withPostgres()
  const one = await client()
  await one.query('BEGIN')
  await one.query(insert, [1])
  await one.query('/* a comment */ COMMIT -- and another')
  expect(await numbers()).toEqual([1])
  await one.end()
  expect(proxy.commands.map(({ name }) => name)).toEqual(['STARTUP', 'BEGIN', 'INSERT', 'COMMIT', 'TERMINATE'])
  expect(proxy.commands.map(({ isHandshake }) => isHandshake)).toEqual([true, false, false, false, true])
  expect(proxy.url).toBe(`postgres://127.0.0.1:${proxy.port}`)
  expect(proxy.through(server.url)).toBe(`postgres://postgres@127.0.0.1:${proxy.port}/postgres`)
})

test.each([
  ['reset before', 'ECONNRESET', []],
  ['reset after', 'ECONNRESET', [1]],
  ['fin before', undefined, []],
  ['fin after', undefined, [1]],
  ['half reply', 'ECONNRESET', [1]],
] as const)('%s', async (kind, code, kept) => {
  const { proxy, client, numbers } = await withPostgres()
  for (const values of [[1], undefined]) {
    proxy.arm({ do: kind, of: 'INSERT', at: 2 })
    const one = await client()
    const told = endOf(one)
    await one.query(values === undefined ? 'INSERT INTO t VALUES (0)' : insert, values && [0])
    const call = one.query(values === undefined ? 'INSERT INTO t VALUES (1)' : insert, values)
    const error = await call.then(() => null).catch((thrown: NodeJS.ErrnoException) => thrown)
    expect(error?.code).toBe(code)
    expect(error?.message).toMatch(/ECONNRESET|terminated unexpectedly/)
    await told
    expect(await numbers()).toEqual([0, ...kept])
    await (await client()).query('DELETE FROM t')
  }
  expect(proxy.fired).toMatchObject([
    { did: kind, command: 'INSERT', connection: 1 },
    { did: kind, command: 'INSERT', connection: 3 },
  ])
  proxy.assertAllFired()
})

test.each(['BEGIN', 'INSERT', 'COMMIT'])('a reset before and after %s tells the same, and is not', async (name) => {
  const { proxy, client, numbers, direct } = await withPostgres()
  for (const kind of ['reset before', 'reset after'] as const) {
    await direct.query('DELETE FROM t')
    proxy.arm({ do: kind, of: name })
    const one = await client()
    const transaction = async () => {
      for (const sql of ['BEGIN', 'INSERT INTO t VALUES (1)', 'COMMIT']) await one.query(sql)
    }
    await expect(transaction()).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(await numbers()).toEqual(name === 'COMMIT' && kind === 'reset after' ? [1] : [])
  }
  proxy.assertAllFired()
})

test.each([
  ['hang before', []],
  ['hang after', [1]],
] as const)('%s, until it is healed', async (kind, kept) => {
  const { proxy, client, numbers } = await withPostgres()
  const armed = proxy.arm({ do: kind, of: 'insert' })
  const [hung, other] = [await client(), await client()]
  const call = hung.query(insert, [1]).catch((error: NodeJS.ErrnoException) => error.code)
  expect(await armed.whenFired()).toMatchObject({ did: kind, connection: 1 })
  expect(await numbers()).toEqual(kept)
  expect((await other.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  await proxy.heal()
  expect(await call).toBe('ECONNRESET')
  await other.query(insert, [2])
  expect(await numbers()).toEqual([...kept, 2])
})

test('delay: the statement waits, and those of others pass', async () => {
  const { proxy, client, direct } = await withPostgres()
  await direct.query('ALTER TABLE t ADD id serial')
  const [slow, quick] = [await client(), await client()]
  const armed = proxy.arm({ do: 'delay', milliseconds: 500, of: 'INSERT' })
  const late = slow.query(insert, [1])
  await armed.whenFired()
  await quick.query(insert, [2])
  await late
  expect((await direct.query('SELECT n FROM t ORDER BY id')).rows).toEqual([{ n: 2 }, { n: 1 }])
})

test('drip: the result comes in pieces, and whole', async () => {
  const { proxy, client } = await withPostgres()
  const one = await client()
  proxy.arm({ do: 'drip', of: 'SELECT', bytes: 7, milliseconds: 1 })
  const rows = await one.query('SELECT n FROM generate_series(1, 20) n')
  expect(rows.rows.length).toBe(20)
  proxy.arm({ do: 'drip', of: 'SELECT' })
  expect((await one.query('SELECT $1::text AS x', ['x'])).rows).toEqual([{ x: 'x' }])
  proxy.assertAllFired()
})

test('refuse: at a statement, until it is healed, or for a while', async () => {
  const { proxy, client, numbers } = await withPostgres()
  const [one, bystander] = [await client(), await client()]
  const ended = endOf(bystander)
  proxy.arm({ do: 'refuse', of: 'INSERT' })
  await expect(one.query(insert, [1])).rejects.toMatchObject({ code: 'ECONNRESET' })
  await ended
  await expect(client()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await proxy.heal()
  await (await client()).query(insert, [2])
  expect(await numbers()).toEqual([2])
})

test.each(postgresErrorReplies)('error: %s', async (reply) => {
  const { proxy, client, numbers } = await withPostgres()
  proxy.arm([
    { do: 'error', reply, of: 'INSERT', at: 2 },
    { do: 'error', reply, of: 'INSERT', at: 3 },
  ])
  const isFatal = ['too many connections', 'starting up', 'shutting down', 'terminated'].includes(reply)
  const severity = isFatal ? 'FATAL' : 'ERROR'
  let one = await client()
  await one.query(insert, [1])
  for (const [sql, values] of [
    [insert, [2]],
    ['INSERT INTO t VALUES (3)', undefined],
  ] as const) {
    const ended = endOf(one)
    await expect(one.query(sql, values && [...values])).rejects.toMatchObject({
      severity,
      code: expect.stringMatching(/^\w{5}$/),
    })
    if (isFatal) {
      await ended
      one = await client()
    }
  }
  await one.query(insert, [4])
  expect(await numbers()).toEqual([1, 4])
  proxy.assertAllFired()
})

test('error replies are worded as by the server itself, or as they are given', async () => {
  const { proxy, client, direct } = await withPostgres()
  const caught = (call: Promise<unknown>) =>
    call.then(
      () => null,
      ({ code, severity, message }) => ({ code, severity, message }),
    )
  const one = await client()
  const sql = 'INSERT INTO t VALUES (1)'
  await direct.query('SET default_transaction_read_only = on')
  const readOnly = await caught(direct.query(sql))
  await direct.query('SET default_transaction_read_only = off')
  await direct.query("SET statement_timeout = '1ms'")
  const timeout = await caught(direct.query('SELECT pg_sleep(1)'))
  proxy.arm({ do: 'error', reply: 'read only' })
  expect(await caught(one.query(sql))).toEqual(readOnly)
  proxy.arm({ do: 'error', reply: 'statement timeout' })
  expect(await caught(one.query(sql))).toEqual(timeout)
  proxy.arm({ do: 'error', reply: 'ERROR 23505 duplicate key' })
  expect(await caught(one.query(sql))).toEqual({ code: '23505', severity: 'ERROR', message: 'duplicate key' })
  for (const reply of ['', 'disk fill', 'ERROR duplicate key', 'WARNING 01000 no']) {
    expect(() => proxy.arm({ do: 'error', reply })).toThrow(TypeError)
  }
})

test('an error in a transaction aborts it, for the client and on the server', async () => {
  const { proxy, client, numbers } = await withPostgres()
  for (const values of [[2], undefined]) {
    const one = await client()
    proxy.arm({ do: 'error', reply: 'disk full', of: 'INSERT', at: 2 })
    await one.query('BEGIN')
    await one.query(insert, [1])
    const sql = values === undefined ? 'INSERT INTO t VALUES (2)' : insert
    await expect(one.query(sql, values)).rejects.toMatchObject({ code: '53100' })
    await expect(one.query('SELECT 1')).rejects.toMatchObject({ code: '25P02' })
    expect((await one.query('COMMIT')).command).toBe('ROLLBACK')
    expect(await numbers()).toEqual([])
    await one.query('SELECT 1')
  }
})

test('a COMMIT that fails has ended the transaction, as it does on a real server', async () => {
  const { proxy, client, numbers } = await withPostgres()
  for (const values of [[], undefined]) {
    const one = await client()
    const notices: unknown[] = []
    one.on('notice', (notice) => notices.push(notice))
    proxy.arm({ do: 'error', reply: 'serialization failure', of: 'COMMIT', times: 2 })
    await one.query('BEGIN')
    await one.query(insert, [1])
    await expect(one.query({ text: 'COMMIT', name: 'commit', ...(values && { values }) })).rejects.toMatchObject({
      code: '40001',
    })
    await one.query('SELECT 1')
    expect(await numbers()).toEqual([])
    await expect(one.query('COMMIT')).rejects.toMatchObject({ code: '40001' })
    expect(notices).toEqual([])
  }
})

test('an error that is fatal takes the transaction with it', async () => {
  const { proxy, client, numbers, direct } = await withPostgres()
  const one = await client()
  proxy.arm({ do: 'error', reply: 'terminated', of: 'COMMIT' })
  await one.query('BEGIN')
  await one.query(insert, [1])
  await expect(one.query('COMMIT')).rejects.toMatchObject({ code: '57P01', severity: 'FATAL' })
  await direct.query('BEGIN; LOCK TABLE t; COMMIT')
  expect(await numbers()).toEqual([])
})

test('connections are met at STARTUP', async () => {
  const { proxy, client } = await withPostgres()
  proxy.arm({ do: 'error', reply: 'too many connections', of: 'STARTUP' })
  await expect(client()).rejects.toMatchObject({ code: '53300' })
  proxy.arm({ do: 'reset after', of: 'STARTUP' })
  await expect(client()).rejects.toMatchObject({ code: 'ECONNRESET' })
  const armed = proxy.arm({ do: 'hang before', of: 'STARTUP' })
  const hung = client().catch((error: Error) => error.message)
  await armed.whenFired()
  await proxy.heal()
  expect(await hung).toMatch(/ECONNRESET|terminated/)
  await (await client()).query('SELECT 1')
})

test('a backend that is terminated, and a server that goes away, are seen as they are', async () => {
  const { proxy, client, direct } = await withPostgres()
  const one = await client()
  const { rows } = await one.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const ended = once(one, 'error')
  await direct.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
  expect((await ended)[0]).toMatchObject({ code: '57P01' })
  await proxy.close()
  await expect(client()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})
