import { openMemory } from 'unforget'
import { expect, test } from 'vitest'
import { keysByKind, serveFile, user } from './servers.ts'

const { server, bare } = await serveFile()
const day = 24 * 60 * 60 * 1000

test('redis.4: all keys of a session expire at the moment that expiresAt says, its operations a day later', async () => {
  await using memory = await openMemory(server.url, { prefix: 'ttl', ttl: 3_600_000 })
  await memory.addMessages('s', [user('a')])
  await memory.addSummary('s', { text: 'x', embedding: [1] })
  await memory.saveSnapshot('s')
  const expiresAt = (await memory.sessionInfo('s'))?.expiresAt
  for (const [kind, key] of await keysByKind(bare, 'ttl')) {
    const later = kind === 'head' || kind === 'earlier' ? day : 0
    expect(await bare.pExpireTime(key), kind).toBe(Number(expiresAt) + later)
  }
})

test('redis.4: a session that is never to expire is kept by the server, too', async () => {
  await using memory = await openMemory(server.url, { prefix: 'never', ttl: 3_600_000 })
  await memory.addMessages('s', [user('a')])
  await memory.expire('s', { never: true })
  await memory.addMessages('s', [user('b')])
  for (const key of (await keysByKind(bare, 'never')).values()) expect(await bare.pTTL(key)).toBe(-1)
})

test('redis.4: what has expired is gone from the server without anyone asking, but for its operations, which do not tell its id', async () => {
  await using memory = await openMemory(server.url, { prefix: 'gone' })
  await memory.addMessages('a secret id', [user('a secret')], { operationId: 'o' })
  await memory.expire('a secret id', { at: 1 })
  const left = await keysByKind(bare, 'gone')
  expect([...left.keys()]).toEqual(['head'])
  const operations = await bare.hGetAll(left.get('head') as string)
  expect(JSON.stringify([...left.values(), operations])).not.toContain('secret')
})
