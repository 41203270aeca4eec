import type { WireFaultKind } from 'unforget/faults'
import { redisErrorReplies } from 'unforget/faults'
import { expect, test } from 'vitest'
import { RespError } from '../../../src/faults/proxy/protocols/resp-values.ts'
import { redisBehindProxy } from './redis-behind-proxy.ts'

const withProxy = redisBehindProxy()

test('without a fault everything passes, and is told', async () => {
  const { proxy, client } = await withProxy()
  const one = client()
  expect(await one.ask('SET', 'a', '1')).toBe('OK')
  const other = client()
  expect(await other.ask('GET', 'a')).toBe('1')
  expect(proxy.commands).toEqual([
    { index: 1, name: 'SET', isHandshake: false, connection: 1 },
    { index: 2, name: 'GET', isHandshake: false, connection: 2 },
  ])
  expect(proxy.fired).toEqual([])
  expect(proxy.url).toBe(`redis://127.0.0.1:${proxy.port}`)
  one.socket.end()
  expect(await one.ended).toBe('fin')
  proxy.assertAllFired()
})

test.each([
  ['reset before', 'reset', null],
  ['reset after', 'reset', '1'],
  ['fin before', 'fin', null],
  ['fin after', 'fin', '1'],
  ['half reply', 'reset', '1'],
] as const)('%s', async (kind, how, kept) => {
  const { proxy, client, direct } = await withProxy()
  proxy.arm({ do: kind, of: 'SET' })
  const one = client()
  one.send('GET', 'a')
  one.send('SET', 'a', '1')
  one.send('SET', 'after', '1')
  expect(await one.ended).toBe(how)
  expect(one.received.toString()).toBe(kind === 'half reply' ? '$-1\r\n+OK' : '$-1\r\n')
  expect(proxy.fired).toEqual([{ did: kind, index: 2, command: 'SET', connection: 1 }])
  expect([await direct.ask('GET', 'a'), await direct.ask('GET', 'after')]).toEqual([kept, null])
  const again = client()
  expect(await again.ask('SET', 'a', '2')).toBe('OK')
  proxy.assertAllFired()
})

test.each([
  ['hang before', null],
  ['hang after', '1'],
] as const)('%s, until it is healed', async (kind, kept) => {
  const { proxy, client, direct } = await withProxy()
  const armed = proxy.arm({ do: kind, of: 'set' })
  const hung = client()
  hung.send('SET', 'a', '1')
  expect(await armed.whenFired()).toMatchObject({ did: kind, connection: 1 })
  expect(await direct.ask('GET', 'a')).toBe(kept)
  hung.send('SET', 'b', '1')
  const other = client()
  expect(await other.ask('SET', 'c', '1')).toBe('OK')
  expect(hung.received.length).toBe(0)
  expect(hung.socket.closed).toBe(false)
  await proxy.heal()
  expect(await hung.ended).toBe('reset')
  expect(await other.ask('MGET', 'b', 'c')).toEqual([null, '1'])
})

test('delay: the command waits, with those behind it, and others pass', async () => {
  const { proxy, client } = await withProxy()
  const armed = proxy.arm({ do: 'delay', milliseconds: 500, of: 'INCR' })
  const slow = client()
  slow.send('INCR', 'n')
  slow.send('INCR', 'n')
  await armed.whenFired()
  expect(await client().ask('INCR', 'n')).toBe(1)
  expect(await slow.take(2)).toEqual([2, 3])
})

test('drip: the reply comes in pieces, and whole', async () => {
  const { proxy, client } = await withProxy()
  const one = client()
  await one.ask('SET', 'a', 'x'.repeat(100))
  proxy.arm({ do: 'drip', bytes: 7, milliseconds: 1 })
  one.chunks.length = 0
  one.send('GET', 'a')
  one.send('GET', 'nothing')
  expect(await one.take(2)).toEqual(['x'.repeat(100), null])
  expect(one.chunks.length).toBeGreaterThan(5)
  proxy.arm({ do: 'drip' })
  expect(await one.ask('GET', 'a')).toBe('x'.repeat(100))
  proxy.assertAllFired()
})

test('refuse: at a command, until it is healed or for a while', async () => {
  const { proxy, client, direct } = await withProxy()
  proxy.arm({ do: 'refuse', at: 2 })
  const bystander = client()
  expect(await bystander.ask('PING')).toBe('PONG')
  const one = client()
  expect(await one.ask('SET', 'a', '1')).toBe('OK')
  one.send('SET', 'a', '2')
  expect(await one.ended).toBe('reset')
  expect(await bystander.ended).toBe('reset')
  expect(await client().ended).toBe('refused')
  expect(await direct.ask('GET', 'a')).toBe('1')
  await proxy.heal()
  const back = client()
  expect(await back.ask('GET', 'a')).toBe('1')

  await proxy.refuse()
  expect(await back.ended).toBe('reset')
  expect(await client().ended).toBe('refused')
  await proxy.heal()

  proxy.arm({ do: 'refuse', milliseconds: 10 })
  const last = client()
  last.send('GET', 'a')
  expect(await last.ended).toBe('reset')
  let answer: unknown
  while (answer === undefined)
    answer = await client()
      .ask('PING')
      .catch(() => undefined)
  expect(answer).toBe('PONG')
  proxy.assertAllFired()
})

test.each(redisErrorReplies)('error: %s in its place among the replies', async (reply) => {
  const { proxy, client, direct } = await withProxy()
  proxy.arm({ do: 'error', reply, of: 'SET', at: 2 })
  const one = client()
  for (const key of ['a', 'b', 'c']) one.send('SET', key, '1')
  const [first, error, last] = await one.take(3)
  expect([first, last]).toEqual(['OK', 'OK'])
  expect((error as RespError).code).toBe(reply)
  expect(await direct.ask('EXISTS', 'a', 'b', 'c')).toBe(2)
})

test('error replies are worded as by the server itself, or as it is given', async () => {
  const { proxy, client, server, direct } = await withProxy()
  const one = client()
  const real: Record<string, unknown> = {}
  await direct.ask('CONFIG', 'SET', 'maxmemory', '1')
  real['OOM'] = await direct.ask('SET', 'a', '1')
  await direct.ask('CONFIG', 'SET', 'maxmemory', '0')
  await direct.ask('REPLICAOF', '127.0.0.1', String(server.port))
  real['READONLY'] = await direct.ask('SET', 'a', '1')
  await direct.ask('REPLICAOF', 'NO', 'ONE')
  for (const [reply, error] of Object.entries(real)) {
    proxy.arm({ do: 'error', reply })
    expect((error as RespError).message).toContain(reply)
    expect(await one.ask('SET', 'a', '1')).toEqual(error)
  }
  proxy.arm({ do: 'error', reply: 'NOSCRIPT No matching script. Please use EVAL.' })
  expect(await one.ask('EVALSHA', 'abc', '0')).toEqual(new RespError('NOSCRIPT No matching script. Please use EVAL.'))
})

test('a server that goes away behind the proxy is a reset', async () => {
  const { proxy, client, direct } = await withProxy()
  const one = client()
  await one.ask('PING')
  await direct.ask('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
  expect(['fin', 'reset']).toContain(await one.ended)
  await proxy.close()
  expect(await client().ended).toBe('refused')
})

test('every kind that ends a connection leaves the next one whole', async () => {
  const { proxy, client } = await withProxy()
  const kinds: WireFaultKind[] = ['reset before', 'reset after', 'fin before', 'fin after', 'half reply']
  for (const kind of kinds) {
    const armed = proxy.arm({ do: kind, of: 'INCR' })
    const one = client()
    one.send('INCR', 'n')
    await one.ended
    expect(armed.fired.length).toBe(1)
    expect(armed.pending).toEqual([])
  }
  expect(await client().ask('GET', 'n')).toBe('3')
})
