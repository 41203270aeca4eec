import { randomUUID } from 'node:crypto'
import { MemoryStore } from 'unforget'
import { RedisBackend } from 'unforget/redis'
import { expect, test } from 'vitest'
import type { Change } from '../../../src/core/backend.ts'
import { keysByKind, serveFile, user } from './servers.ts'

const { server, bare } = await serveFile()
const soon = () => performance.now() + 60_000
const append = [{ kind: 'message', format: 1, body: '{"role":"user","content":"hi"}', bytes: null }] as const
const write = (ifTurn: string): Change => ({ operation: { id: randomUUID(), digest: '' }, append, ifTurn })

test('redis.12: a turn is a key of its own, and neither a session nor damage', async () => {
  const backend = await RedisBackend.open(server.url, { prefix: 'alone' })
  await using memory = new MemoryStore(backend)
  expect(await backend.takeTurn('a secret id', { token: 'one', milliseconds: 60_000 }, soon())).toBe(null)
  const keys = await keysByKind(bare, 'alone')
  expect([...keys.keys()]).toEqual(['turn'])
  expect([...keys.values()].join()).not.toContain('secret')
  expect(await bare.pTTL(keys.get('turn') as string)).toBeGreaterThan(50_000)
  expect(await memory.sessionInfo('a secret id')).toBe(null)
  expect((await memory.listSessions()).sessions).toEqual([])
  expect((await memory.verify()).damage).toEqual([])
  expect(await memory.deleteSession('a secret id')).toBe(false)
  expect(await bare.exists(keys.get('turn') as string)).toBe(1)
  await memory.addMessages('a secret id', [user('from elsewhere')])
  expect((await backend.commit('a secret id', write('one'), soon())).first).toBe(2)
  await memory.deleteSession('a secret id')
  expect(await backend.renewTurn('a secret id', { token: 'one', milliseconds: 1000 }, soon())).toBe(true)
})

test("redis.12: past its lease by the server's clock a turn is lost, and others take it", async () => {
  const one = await RedisBackend.open(server.url, { prefix: 'lease' })
  const other = await RedisBackend.open(server.url, { prefix: 'lease' })
  expect(await one.takeTurn('s', { token: 'one', milliseconds: 60_000 }, soon())).toBe(null)
  expect(await other.takeTurn('s', { token: 'other', milliseconds: 60_000 }, soon())).toBeGreaterThan(50_000)
  expect(await one.takeTurn('s', { token: 'one', milliseconds: 60_000 }, soon())).toBe(null)
  await one.commit('s', write('one'), soon())
  await expect(other.commit('s', write('other'), soon())).rejects.toMatchObject({ code: 'TURN_LOST' })
  const retried = { ...write('one'), operation: { id: 'once', digest: '' } }
  const first = await one.commit('s', retried, soon())

  const turn = (await keysByKind(bare, 'lease')).get('turn') as string
  await bare.pExpire(turn, 1)
  while ((await bare.exists(turn)) === 1);
  await expect(one.commit('s', write('one'), soon())).rejects.toMatchObject({ code: 'TURN_LOST' })
  await expect(one.erase('s', { operation: 'e', ifTurn: 'one' }, soon())).rejects.toMatchObject({ code: 'TURN_LOST' })
  expect(await one.renewTurn('s', { token: 'one', milliseconds: 1000 }, soon())).toBe(false)
  expect(await one.commit('s', retried, soon())).toEqual(first)
  expect(await other.takeTurn('s', { token: 'other', milliseconds: 0.5 }, soon())).toBe(null)
  expect(await one.takeTurn('s', { token: 'other', milliseconds: 60_000 }, soon())).toBe(null)
  await one.endTurn('s', 'one', soon())
  expect(await bare.exists(turn)).toBe(1)
  await one.endTurn('s', 'other', soon())
  expect(await bare.exists(turn)).toBe(0)
  const { state } = await one.read('s', {}, soon())
  expect(state).toMatchObject({ end: 2, counter: 2 })
  await Promise.all([one.close(), other.close()])
})
