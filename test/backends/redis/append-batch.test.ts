import { openMemory } from 'unforget'
import { expect, test } from 'vitest'
import { keysByKind, serveFile, user } from './servers.ts'

const { server, bare } = await serveFile()

async function keyOf(prefix: string, session: string, kind: string): Promise<string> {
  const alone = `${prefix}-${session}`
  await using memory = await openMemory(server.url, { prefix: alone })
  await memory.addMessages(session, [user('a')])
  const [key = ''] = (await keysByKind(bare, alone)).values()
  const [, tag] = /\{(.*)\}/.exec(key) ?? []
  return `${prefix}:{${tag}}:${kind}`
}

test('redis.2: appends at the same time share scripts, to one session or to many', async () => {
  await using memory = await openMemory(server.url, { prefix: 'shared' })
  const sessions = Array.from({ length: 24 }, (_, index) => `session ${index}`)
  await Promise.all(sessions.map((session) => memory.addMessages(session, [user('a')])))
  await bare.configResetStat()
  await Promise.all([...sessions, ...sessions].map((session) => memory.addMessages(session, [user('b')])))
  expect(await bare.info('commandstats')).toMatch(/^cmdstat_evalsha:calls=3,/m)
  for (const session of sessions) expect(await memory.getHistory(session)).toHaveLength(3)
})

test('redis.2: of appends that share a script, each has its own outcome', async () => {
  const prefix = 'outcomes'
  await using memory = await openMemory(server.url, { prefix })
  const sessions = ['whole', 'lost', 'foreign', 'other', 'many']
  for (const session of sessions) await memory.addMessages(session, [user('a')], { operationId: 'first' })
  await bare.del(await keyOf(prefix, 'lost', 'log'))
  const foreign = await keyOf(prefix, 'foreign', 'state')
  await bare.del(foreign)
  await bare.set(foreign, 'something else')
  const outcomes = await Promise.allSettled([
    ...sessions.map((session) => memory.addMessages(session, [user('b')])),
    memory.addMessages('whole', [user('a')], { operationId: 'first' }),
    memory.addMessages('other', [user('c')], { operationId: 'first' }),
    memory.addMessages('new', [user('a')]),
    memory.addMessages('many', [user('c'), user('d')]),
    memory.addMessages('many', [user('e')]),
  ])
  expect(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.seqs : outcome.reason.code)),
  ).toEqual([[2], 'MEMORY_LOST', 'NOT_A_MEMORY', [2], [2], [1], 'OPERATION_CONFLICT', [1], [3, 4], [5]])
  const contents = async (session: string) => (await memory.getHistory(session)).map(({ content }) => content)
  expect(await contents('whole')).toEqual(['a', 'b'])
  expect(await contents('other')).toEqual(['a', 'b'])
  expect(await contents('many')).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('redis.2: what shares a script is remembered operation by operation, with versions that follow one another', async () => {
  await using memory = await openMemory(server.url, { prefix: 'remembered' })
  const append = (turn: number) =>
    memory.addMessages('s', [user(`turn ${turn}`), user('and more')], { operationId: `turn ${turn}` })
  const turns = Array.from({ length: 700 }, (_, turn) => turn)
  const first = []
  for (let from = 0; from < turns.length; from += 35) {
    first.push(...(await Promise.all(turns.slice(from, from + 35).map(append))))
  }
  expect(first.flatMap(({ seqs }) => seqs)).toEqual(Array.from({ length: 1400 }, (_, index) => index + 1))
  expect(first.map(({ version }) => Number(String(version).split('.')[1]))).toEqual(turns.map((turn) => turn + 1))
  expect(await Promise.all(turns.slice(-256).map(append))).toEqual(first.slice(-256))
  const { version, length } = await memory.getHistory('s')
  expect({ version, length }).toEqual({ version: first.at(-1)?.version, length: 1400 })
  expect((await memory.verify('s')).damage).toEqual([])
})

test('redis.2: a session that began again still knows the operations of the one before, also after many turns', async () => {
  await using memory = await openMemory(server.url, { prefix: 'again' })
  await memory.addMessages('s', [user('before')], { operationId: 'before' })
  await memory.deleteSession('s')
  await memory.addMessages('s', [user('after')])
  for (let turn = 0; turn < 10; turn++) {
    await Promise.all(Array.from({ length: 30 }, () => memory.addMessages('s', [user('more')])))
  }
  const late = await memory.addMessages('s', [user('before')], { operationId: 'before' })
  expect(late.seqs).toEqual([1])
  expect(await memory.getHistory('s')).toHaveLength(301)
})
