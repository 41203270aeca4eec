import { MemoryStore, openMemory } from 'unforget'
import { RedisBackend } from 'unforget/redis'
import { expect, test } from 'vitest'
import { entriesBefore, firstTurns, history } from '../sqlite/golden/content.ts'
import { loadGolden } from './golden/load.ts'
import { keysByKind, serveFile, user } from './servers.ts'

const { server, bare } = await serveFile()
const soon = () => performance.now() + 60_000

test('redis.10: what 0.1 wrote is read as it was, and goes on', async () => {
  await loadGolden(bare)
  const backend = await RedisBackend.open(server.url, { prefix: 'golden' })
  await using memory = new MemoryStore(backend)
  expect(await memory.getHistory('s')).toEqual(history)
  const atBefore = await memory.getEntries('s', { at: 'before' })
  expect(atBefore).toMatchObject(entriesBefore)
  const list = await backend.snapshots('s', soon())
  expect(list.about).toEqual({ owner: null, title: null, metadata: null })
  expect(list.epochs.map(({ cause, at, base }) => ({ cause, at, base }))).toEqual(
    Array.from({ length: 2 }, () => ({ cause: null, at: null, base: null })),
  )
  const { epoch, epochNonce, takenBack, takenBackNonce } = list.state ?? expect.fail()
  expect({ takenBack, takenBackNonce }).toEqual({ takenBack: epoch, takenBackNonce: epochNonce })
  expect((await memory.verify()).damage).toEqual([])
  expect(await bare.exists('golden:format')).toBe(0)

  expect((await memory.addMessages('s', firstTurns, { operationId: 'first' })).seqs).toEqual([1, 2, 3])
  await memory.rollbackToSnapshot('s', 'before')
  await memory.addMessages('s', [user('goes on')])
  expect((await memory.getHistory('s')).at(-1)).toEqual(user('goes on'))
  expect((await memory.verify()).damage).toEqual([])
  expect(await bare.get('golden:format')).toBe('2')
})

test('redis.10: the operations that 0.1 remembered stay known, whatever is written next', async () => {
  await bare.flushAll()
  await loadGolden(bare)
  await using memory = await openMemory(server.url, { prefix: 'golden' })
  const state = await stateOf('long')
  const head = state.replace(/state$/, 'head')
  for (let round = 0; round < 4; round++) {
    await bare.hSet(head, 'turned', '0')
    for (let turn = 0; turn < 16; turn++) {
      await Promise.all(Array.from({ length: 16 }, () => memory.addMessages('long', [user('unnamed')])))
    }
  }
  for (let turn = 4; turn < 260; turn++) {
    const again = await memory.addMessages('long', [user(`turn ${turn}`)], { operationId: `turn ${turn}` })
    expect(again.seqs).toEqual([turn + 1])
  }
  expect(await bare.hLen(state.replace(/state$/, 'earlier'))).toBeLessThan(700)
})

test('redis.10: memory of a newer format is refused, when it is opened and before it is written to', async () => {
  await using early = await openMemory(server.url, { prefix: 'newer' })
  await bare.set('newer:format', '3')
  await expect(openMemory(server.url, { prefix: 'newer' })).rejects.toMatchObject({ code: 'SCHEMA_TOO_NEW' })
  await expect(openMemory(server.url, { prefix: 'newer', readOnly: true })).rejects.toMatchObject({
    code: 'SCHEMA_TOO_NEW',
  })
  await expect(early.addMessages('s', [user('a')])).rejects.toMatchObject({ code: 'SCHEMA_TOO_NEW', applied: 'no' })
  expect(await bare.keys('newer:*')).toEqual(['newer:format'])
  expect(await bare.get('newer:format')).toBe('3')
  await bare.set('newer:format', 'something else')
  await expect(openMemory(server.url, { prefix: 'newer' })).rejects.toMatchObject({ code: 'NOT_A_MEMORY' })
})

test('redis.10: opening and reading write nothing, and the first write says which format it is', async () => {
  await using memory = await openMemory(server.url, { prefix: 'marked' })
  await memory.getHistory('s')
  await memory.listSessions()
  expect(await bare.keys('marked:*')).toEqual([])
  const all = Promise.all(['a', 'b', 'c'].map((content) => memory.addMessages('s', [user(content)])))
  expect((await all).map(({ seqs }) => seqs)).toEqual([[1], [2], [3]])
  expect(await bare.get('marked:format')).toBe('2')
})

test('operations.5: the last 256 operations that callers named stay known, however many others there are', async () => {
  await using memory = await openMemory(server.url, { prefix: 'named' })
  const named = (turn: number) => memory.addMessages('s', [user(`turn ${turn}`)], { operationId: `turn ${turn}` })
  const first = []
  for (let turn = 0; turn < 400; turn++) {
    first.push((await named(turn)).seqs)
    await Promise.all(Array.from({ length: 5 }, () => memory.addMessages('s', [user('unnamed')])))
    if (turn % 10 === 0) await memory.recordToolCall('s', { id: 'c', name: 'look', result: turn })
    if (turn % 7 === 0) await bare.hSet((await keysByKind(bare, 'named')).get('head') as string, 'turned', '0')
  }
  for (let turn = 400 - 256; turn < 400; turn++) expect((await named(turn)).seqs).toEqual(first[turn])
  const keys = await keysByKind(bare, 'named')
  expect(await bare.hLen(keys.get('head') as string)).toBeLessThan(1000)
  expect(await bare.hLen(keys.get('earlier') as string)).toBeLessThan(1000)
  expect((await memory.verify()).damage).toEqual([])
})

async function stateOf(session: string): Promise<string> {
  for (const key of await bare.keys('golden:*:state')) if ((await bare.hGet(key, 'id')) === session) return key
  return expect.fail('no such session')
}
