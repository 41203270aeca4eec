import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { expectRepeatable } from '../expect-repeatable.ts'
import { postgresBehindProxy } from './postgres-behind-proxy.ts'

const withPostgres = postgresBehindProxy()

test('the n-th statement is counted over all connections, without what drivers send on their own account', async () => {
  const { proxy, client } = await withPostgres()
  proxy.arm({ do: 'error', reply: 'disk full', at: 3 })
  const one = await client()
  await one.query("SET application_name = 'x'")
  await one.query('SHOW server_version')
  await one.query('SELECT oid, typarray FROM pg_catalog.pg_type LIMIT 1')
  await one.query(';')
  await one.query('SELECT 1')
  const other = await client()
  await other.query('SELECT 2')
  await expect(one.query('SELECT 3')).rejects.toMatchObject({ code: '53100' })
  await other.query('SELECT 4')
  expect(proxy.fired).toMatchObject([{ did: 'error', command: 'SELECT', connection: 1 }])
  const seen = proxy.commands.filter(({ isHandshake }) => !isHandshake)
  expect(seen.map(({ name }) => name)).toEqual(['SELECT', 'SELECT', 'SELECT', 'SELECT'])
})

test('statements are named by their first word, and chosen by SQL and values', async () => {
  const { proxy, client, numbers } = await withPostgres()
  const one = await client()
  const armed = proxy.arm([
    { do: 'error', reply: 'serialization failure', of: ['commit', 'Rollback'] },
    { do: 'error', reply: 'deadlock', of: 'WITH' },
    { do: 'error', reply: 'read only', of: 'INSERT', where: ({ args }) => args[1] === '7' },
    { do: 'error', reply: 'lock timeout', where: ({ args }) => args[0]?.includes('FOR UPDATE') ?? false },
    { do: 'error', reply: 'out of memory', of: 'SET' },
  ])
  const codeOf = (sql: string, values?: unknown[]) =>
    one.query(sql, values).then(
      () => '',
      ({ code }: { code: string }) => code,
    )
  expect(await codeOf('INSERT INTO t VALUES ($1)', [6])).toBe('')
  expect(await codeOf('INSERT INTO t VALUES ($1)', [7])).toBe('25006')
  expect(await codeOf('SELECT * FROM t FOR UPDATE')).toBe('55P03')
  expect(await codeOf('  -- first\n /* second */ with x as (select 1) select * from x')).toBe('40P01')
  expect(await codeOf("SET work_mem = '1MB'")).toBe('53200')
  await one.query('BEGIN')
  await one.query('INSERT INTO t VALUES (8)')
  expect(await codeOf('COMMIT')).toBe('40001')
  expect(await codeOf('ROLLBACK')).toBe('')
  expect(await numbers()).toEqual([6])
  expect(armed.pending).toEqual([])
})

test('a prepared statement is known by its SQL each time it is run', async () => {
  const { proxy, client, numbers } = await withPostgres()
  const one = await client()
  const insert = (n: unknown) => one.query({ name: 'add', text: 'INSERT INTO t VALUES ($1)', values: [n] })
  await insert(1)
  proxy.arm({ do: 'error', reply: 'disk full', of: 'INSERT', where: ({ args }) => args[1] === '3' })
  await insert(2)
  await expect(insert(3)).rejects.toMatchObject({ code: '53100' })
  await insert(4)
  expect(await numbers()).toEqual([1, 2, 4])
})

test('the same seed, the same faults at the same statements; another seed, others', async () => {
  await expectRepeatable(async (seed) => {
    const { proxy, client } = await withPostgres()
    const kinds = ['error', 'reset before', 'reset after', 'half reply', 'delay', 'drip', 'fin after'] as const
    const armed = proxy.arm({ seed, rate: 0.4, kinds, of: 'INSERT' })
    let one = await client()
    for (let n = 0; n < 40; n++) {
      await one.query('INSERT INTO t VALUES ($1)', [n]).catch(() => {})
      await one.query('SELECT 1').catch(async () => {
        one = await client()
      })
    }
    return armed.fired
  })
})

test('a fault after a statement has not happened while the server has not answered', async () => {
  const { proxy, client, direct, numbers } = await withPostgres()
  const armed = proxy.arm({ do: 'reset after', of: 'INSERT' })
  const one = await client()
  await direct.query('BEGIN; LOCK TABLE t')
  const call = one.query('INSERT INTO t VALUES (1)').catch(({ code }: NodeJS.ErrnoException) => code)
  const waits = "SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
  await expect.poll(async () => (await direct.query(waits)).rows[0]).toEqual({ count: 1 })
  expect(armed.pending.length).toBe(1)
  await direct.query('COMMIT')
  expect(await call).toBe('ECONNRESET')
  expect(await numbers()).toEqual([1])
})

test('a query is cancelled through the proxy, over a connection of its own', async () => {
  const { proxy, client, direct } = await withPostgres()
  const one = await client()
  const call = one.query('SELECT pg_sleep(60)').catch(({ code }: { code: string }) => code)
  const sleeping = "SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
  await expect.poll(async () => (await direct.query(sleeping)).rows[0]).toEqual({ count: 1 })
  const { processID, secretKey } = one as unknown as { processID: number; secretKey: number }
  const cancel = Buffer.alloc(16)
  for (const [index, value] of [16, 80_877_102, processID, secretKey].entries()) cancel.writeInt32BE(value, index * 4)
  const socket = connect(proxy.port, '127.0.0.1')
  socket.end(cancel)
  socket.resume()
  expect(await call).toBe('57014')
  expect(proxy.commands.map(({ name }) => name)).toEqual(['STARTUP', 'SELECT', 'CANCEL'])
})
