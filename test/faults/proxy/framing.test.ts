import { makeRandom } from 'unforget/faults'
import { expect, test } from 'vitest'
import { RespFrames } from '../../../src/faults/proxy/protocols/resp-frames.ts'
import { decodeResp, encodeCommand } from '../../../src/faults/proxy/protocols/resp-values.ts'
import { RawClient } from './raw-client.ts'
import { redisBehindProxy } from './redis-behind-proxy.ts'

const withProxy = redisBehindProxy()

test('a pipeline of 1,000 commands, split at odd places, is answered in order', async () => {
  const { proxy, client } = await withProxy()
  const commands = Array.from({ length: 1000 }, (_, index) =>
    encodeCommand(index % 2 === 0 ? ['SET', `key:${index}`, `\r\n$5\r\n${index}`] : ['GET', `key:${index - 1}`]),
  )
  const bytes = Buffer.concat(commands)
  const random = makeRandom(5)
  const one = client()
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + Math.floor(random() * 97)
    one.socket.write(bytes.subarray(at, end))
    if (random() < 0.2) await new Promise(setImmediate)
    at = end
  }
  const replies = await one.take(1000)
  for (const [index, reply] of replies.entries()) {
    expect(reply).toBe(index % 2 === 0 ? 'OK' : `\r\n$5\r\n${index - 1}`)
  }
  expect(proxy.commands.length).toBe(1000)
})

test('in a pipeline of 1,000 commands a fault meets the very one', async () => {
  const { proxy, client, direct } = await withProxy()
  proxy.arm({ do: 'reset after', at: 700 })
  const one = client()
  one.socket.write(Buffer.concat(Array.from({ length: 1000 }, () => encodeCommand(['INCR', 'n']))))
  expect(await one.ended).toBe('reset')
  expect(await direct.ask('GET', 'n')).toBe('700')
  expect(proxy.fired).toMatchObject([{ index: 700 }])
  expect(one.received.toString()).toBe(Array.from({ length: 699 }, (_, index) => `:${index + 1}\r\n`).join(''))
})

test('values of 5 MB pass both ways, also in pieces and cut in half', async () => {
  const { proxy, client } = await withProxy()
  const value = 'é\r\n'.repeat(1_250_000)
  const one = client()
  expect(await one.ask('SET', 'big', value)).toBe('OK')
  expect((await one.ask('GET', 'big')) === value).toBe(true)
  proxy.arm({ do: 'drip', of: 'GET' })
  expect((await one.ask('GET', 'big')) === value).toBe(true)
  proxy.arm({ do: 'half reply', of: 'GET' })
  one.chunks.length = 0
  one.send('GET', 'big')
  await one.ended
  expect(one.chunks.reduce((sum, size) => sum + size, 0)).toBeLessThan(2_600_000)
  proxy.assertAllFired()
})

test('RESP3: pushes are no replies, and everything else is one', async () => {
  const { proxy, client, direct } = await withProxy()
  const one = client()
  expect(await one.ask('HELLO', '3')).toContain('proto')
  expect(await one.ask('CLIENT', 'TRACKING', 'ON', 'BCAST')).toBe('OK')
  await direct.ask('SET', 'a', '1')
  expect(await one.take(1)).toEqual([['invalidate', ['a']]])

  proxy.arm({ do: 'error', reply: 'OOM', of: 'HGETALL', at: 2 })
  await direct.ask('HSET', 'h', 'field', 'value')
  await one.take(1)
  one.send('SUBSCRIBE', 'news', 'sports')
  one.send('HGETALL', 'h')
  one.send('HGETALL', 'h')
  one.send('SMISMEMBER', 'none', 'x')
  expect(await one.take(5)).toMatchObject([
    ['subscribe', 'news', 1],
    ['subscribe', 'sports', 2],
    ['field', 'value'],
    { code: 'OOM' },
    [0],
  ])
  await direct.ask('PUBLISH', 'news', 'hello')
  expect(await one.take(1)).toEqual([['message', 'news', 'hello']])
  expect(proxy.fired).toMatchObject([{ command: 'HGETALL' }])
})

test('RESP2: confirmations and messages of channels are told from replies', async () => {
  const { proxy, client, direct } = await withProxy()
  const one = client()
  one.send('SUBSCRIBE', 'news', 'sports')
  one.send('PSUBSCRIBE', 'w*')
  expect(await one.take(3)).toEqual([
    ['subscribe', 'news', 1],
    ['subscribe', 'sports', 2],
    ['psubscribe', 'w*', 3],
  ])
  await direct.ask('PUBLISH', 'news', 'hello')
  await direct.ask('PUBLISH', 'weather', 'rain')
  expect(await one.take(2)).toEqual([
    ['message', 'news', 'hello'],
    ['pmessage', 'w*', 'weather', 'rain'],
  ])
  proxy.arm({ do: 'error', reply: 'OOM', of: 'PING', at: 2 })
  one.send('UNSUBSCRIBE')
  one.send('PUNSUBSCRIBE')
  one.send('UNSUBSCRIBE')
  one.send('PING')
  one.send('PING')
  const [first, second, ...rest] = await one.take(6)
  expect(new Set([first, second].map((reply) => (reply as string[])[1]))).toEqual(new Set(['news', 'sports']))
  expect(rest).toMatchObject([['punsubscribe', 'w*', 0], ['unsubscribe', null, 0], 'PONG', { code: 'OOM' }])
})

test('pushes and replies keep their order', async () => {
  const { server, client } = await withProxy()
  const run = async (one: RawClient) => {
    await one.ask('HELLO', '3')
    const commands = [
      ['SUBSCRIBE', 'news', 'sports'],
      ['PUBLISH', 'news', 'first'],
      ['GET', 'a'],
      ['PUBLISH', 'sports', 'second'],
    ]
    one.socket.write(Buffer.concat(commands.map(encodeCommand)))
    const values = await one.take(7)
    one.close()
    return values
  }
  expect(await run(client())).toEqual(await run(new RawClient(server.port)))
})

test('a client that wants no replies gets none, and commands after that are matched', async () => {
  const { proxy, client } = await withProxy()
  const one = client()
  proxy.arm({ do: 'error', reply: 'BUSY', of: 'GET' })
  one.send('CLIENT', 'REPLY', 'SKIP')
  one.send('SET', 'a', '1')
  one.send('CLIENT', 'REPLY', 'OFF')
  one.send('SET', 'a', '2')
  one.send('CLIENT', 'REPLY', 'ON')
  one.send('STRLEN', 'a')
  one.send('GET', 'a')
  expect(await one.take(3)).toMatchObject(['OK', 1, { code: 'BUSY' }])
  one.socket.write('set a inline\r\n\r\nGET a\r\n')
  expect(await one.take(2)).toEqual(['OK', 'inline'])
})

test('transactions, empty commands and what is not RESP', async () => {
  const { client } = await withProxy()
  const one = client()
  for (const words of [['MULTI'], ['SET', 'a', '1'], ['GET', 'a'], ['EXEC']]) one.send(...words)
  expect(await one.take(4)).toEqual(['OK', 'QUEUED', 'QUEUED', ['OK', '1']])
  one.socket.write('*0\r\n')
  expect(await one.ask('PING')).toBe('PONG')
  one.socket.write('*1\r\nnonsense\r\n')
  expect(await one.ended).toBe('reset')
})

test('every type of RESP3 is cut at its end, wherever the packets are', () => {
  const values = [
    '+OK\r\n',
    '-ERR no\r\n',
    ':-1\r\n',
    '$-1\r\n',
    '*-1\r\n',
    '$0\r\n\r\n',
    '*0\r\n',
    '_\r\n',
    '#t\r\n',
    ',1.5\r\n',
    '(12345678901234567890\r\n',
    '!8\r\nERR no!!\r\n',
    '=7\r\ntxt:a\r\n\r\n',
    '%1\r\n+a\r\n*1\r\n:1\r\n',
    '~2\r\n:1\r\n:2\r\n',
    '>2\r\n+invalidate\r\n*1\r\n$1\r\na\r\n',
    '|1\r\n+ttl\r\n:1\r\n*2\r\n:1\r\n|1\r\n+k\r\n+v\r\n:2\r\n',
  ]
  const bytes = Buffer.from(values.join(''))
  for (let size = 1; size <= bytes.length; size++) {
    const frames = new RespFrames()
    const found: string[] = []
    for (let at = 0; at < bytes.length; at += size) {
      found.push(...frames.push(bytes.subarray(at, at + size)).map(String))
    }
    expect(found).toEqual(values)
  }
  expect(decodeResp(Buffer.from(values.at(-1) ?? ''))).toEqual([1, 2])
  expect(() => new RespFrames().push(Buffer.from('?\r\n'))).toThrow('not RESP')
  expect(() => new RespFrames().push(Buffer.from('$?\r\n'))).toThrow('not RESP')
})
