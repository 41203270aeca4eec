import type { WireFaultPlan } from 'unforget/faults'
import { expect, test } from 'vitest'
import { expectRepeatable } from './expect-repeatable.ts'
import { redisBehindProxy } from './redis-behind-proxy.ts'

const withProxy = redisBehindProxy()

test('the n-th command is counted over all connections since arming, without those of a handshake', async () => {
  const { proxy, client } = await withProxy()
  const [one, other] = [client(), client()]
  await one.ask('SET', 'before', '1')
  proxy.arm({ do: 'error', reply: 'OOM', at: 3 })
  for (const words of [['HELLO', '2'], ['CLIENT', 'SETNAME', 'x'], ['SELECT', '0'], ['PING'], ['INFO', 'server']]) {
    await one.ask(...words)
  }
  expect(await one.ask('SET', 'a', '1')).toBe('OK')
  expect(await other.ask('SET', 'b', '1')).toBe('OK')
  expect(await one.ask('SET', 'c', '1')).toMatchObject({ code: 'OOM' })
  expect(await other.ask('SET', 'd', '1')).toBe('OK')
  expect(proxy.fired).toEqual([{ did: 'error', index: 9, command: 'SET', connection: 1 }])
  expect(proxy.commands[8]).toEqual({ index: 9, name: 'SET', isHandshake: false, connection: 1 })
})

test('commands are named in capitals or not, one or several, those of a handshake too, and chosen by what they say', async () => {
  const { proxy, client } = await withProxy()
  const one = client()
  proxy.arm([
    { do: 'error', reply: 'BUSY', of: ['eval', 'EvalSha'], at: 2 },
    { do: 'error', reply: 'NOAUTH', of: 'ping' },
    { do: 'error', reply: 'READONLY', of: 'SET', where: ({ args }) => args[0] === 'b' },
  ])
  expect(await one.ask('EVAL', 'return 1', '0')).toBe(1)
  expect(await one.ask('evalsha', 'e0e1f9fabfc9d4800c877a703b823ac0578ff8db', '0')).toMatchObject({ code: 'BUSY' })
  expect(await one.ask('PING')).toMatchObject({ code: 'NOAUTH' })
  expect(await one.ask('SET', 'a', '1')).toBe('OK')
  expect(await one.ask('SET', 'b', '1')).toMatchObject({ code: 'READONLY' })
  expect(await one.ask('SET', 'b', '1')).toBe('OK')
})

test('times repeats a fault, and two that are due at once happen one after the other', async () => {
  const { proxy, client } = await withProxy()
  const one = client()
  const first = proxy.arm({ do: 'error', reply: 'OOM', at: 2, times: 2 })
  const second = proxy.arm({ do: 'error', reply: 'BUSY', at: 2 })
  const replies: unknown[] = []
  for (let index = 0; index < 5; index++) replies.push(await one.ask('INCR', 'n'))
  expect(replies).toMatchObject([1, { code: 'OOM' }, { code: 'OOM' }, { code: 'BUSY' }, 2])
  expect(await first.whenFired(2)).toMatchObject({ index: 3 })
  expect(await second.whenFired()).toMatchObject({ index: 4 })
  expect(await proxy.whenFired(3)).toMatchObject({ index: 4 })
  const ever = proxy.arm({ do: 'error', reply: 'OOM', times: Number.POSITIVE_INFINITY })
  for (let index = 0; index < 5; index++) await one.ask('INCR', 'n')
  expect(ever.fired.length).toBe(5)
  await proxy.heal()
  expect(await one.ask('INCR', 'n')).toBe(3)
})

test('what never fired is named, also after it was healed, and is waited for in vain', async () => {
  const { proxy, client } = await withProxy()
  const armed = proxy.arm([
    { do: 'reset after', of: 'XADD' },
    { do: 'error', reply: 'OOM', of: 'SET' },
  ])
  await client().ask('SET', 'a', '1')
  expect(proxy.pending).toEqual([{ do: 'reset after', of: 'XADD' }])
  expect(() => proxy.assertAllFired()).toThrow('never fired: {"do":"reset after","of":"XADD"}; the proxy saw 1 × SET')
  await proxy.heal()
  expect(() => proxy.assertAllFired()).toThrow('XADD')
  const waited = expect(armed.whenFired(2)).rejects.toThrow('closed after 1 faults of 2')
  await proxy.close()
  await waited
})

test('a fault after a command has not happened while the server has not answered', async () => {
  const { proxy, client, direct } = await withProxy()
  const armed = proxy.arm({ do: 'reset after', of: 'BLPOP' })
  const one = client()
  one.send('BLPOP', 'list', '0')
  await expect.poll(async () => String(await direct.ask('INFO', 'clients'))).toContain('blocked_clients:1')
  expect(armed.pending.length).toBe(1)
  await direct.ask('RPUSH', 'list', 'x')
  expect(await one.ended).toBe('reset')
  expect(armed.fired).toMatchObject([{ command: 'BLPOP' }])
  expect(await direct.ask('LLEN', 'list')).toBe(0)
})

test('the same seed, the same faults at the same commands; another seed, others', async () => {
  await expectRepeatable(async (seed) => {
    const { proxy, client } = await withProxy()
    const kinds = ['error', 'reset before', 'reset after', 'half reply', 'delay', 'drip', 'fin after'] as const
    const armed = proxy.arm({ seed, rate: 0.4, kinds, of: 'INCR' })
    let one = client()
    for (let index = 0; index < 40; index++) {
      one.send('PING')
      one.send('INCR', 'n')
      await one.take(2).catch(() => {
        one = client()
      })
    }
    return armed.fired
  })
})

test('random faults that never fired are pending as a whole', async () => {
  const { proxy, client } = await withProxy()
  const plan = { seed: 1, rate: 0 }
  proxy.arm(plan)
  await client().ask('GET', 'a')
  expect(proxy.pending).toEqual([plan])
  expect(() => proxy.assertAllFired()).toThrow('"seed":1')
})

test('what a predicate throws is told, and not taken for a fault', async () => {
  const { proxy, client } = await withProxy()
  proxy.arm({
    do: 'delay',
    where: () => {
      throw new Error('a bug in the test')
    },
  })
  const one = client()
  one.send('GET', 'a')
  expect(await one.ended).toBe('reset')
  expect(() => proxy.assertAllFired()).toThrow('the where of a plan threw')
})

test('a plan that makes no sense is refused', async () => {
  const { proxy } = await withProxy()
  for (const plan of [
    { do: 'hang before', at: 0 },
    { do: 'hang before', at: 1.5 },
    { do: 'delay', times: 0 },
    { do: 'drip', bytes: 0 },
    { do: 'error' },
    { do: 'error', reply: 'OMM' },
    { do: 'error', reply: 'ERR two\r\nlines' },
    { seed: 1, rate: 2 },
    { seed: 1, rate: 0.5, kinds: ['error'], replies: ['OMM'] },
  ]) {
    expect(() => proxy.arm(plan as WireFaultPlan), JSON.stringify(plan)).toThrow(TypeError)
  }
})
