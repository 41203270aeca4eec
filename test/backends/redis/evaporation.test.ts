import { openMemory } from 'unforget'
import { expect, test } from 'vitest'
import { keysByKind, serveFile, user } from './servers.ts'

const { server, bare } = await serveFile()

/** A session with every key that a session can have. */
async function wholeSession(prefix: string) {
  const memory = await openMemory(server.url, { prefix })
  for (let turn = 0; turn < 260; turn++) await memory.addMessages('s', [user(`turn ${turn}`)])
  await memory.addSummary('s', { text: 'x', embedding: [1] })
  await memory.saveSnapshot('s', { id: 'p' })
  return memory
}

test.each(['state', 'log', 'summaries', 'head', 'earlier'])(
  'redis.3: a session that lost its %s is MEMORY_LOST',
  async (kind) => {
    await using memory = await wholeSession(`lost-${kind}`)
    const keys = await keysByKind(bare, `lost-${kind}`)
    await bare.del(keys.get(kind) as string)
    const calls = [
      () => memory.getHistory('s'),
      () => memory.getHistory('s', { last: 1 }),
      () => memory.listSnapshots('s'),
      () => memory.sessionInfo('s'),
      () => memory.addMessages('s', [user('more')]),
      () => memory.saveSnapshot('s'),
    ]
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'MEMORY_LOST' })
    const { damage } = await memory.verify('s')
    expect(damage.map(({ session }) => session)).toEqual(['s'])
    expect((await memory.listSessions()).damaged).toEqual(['s'])
    expect((await memory.verify()).damage).toHaveLength(1)
    expect(await memory.deleteSession('s')).toBe(true)
    expect(await memory.getHistory('s')).toEqual([])
    await memory.addMessages('s', [user('anew')])
    expect(await memory.getHistory('s')).toHaveLength(1)
  },
)

test.each([
  ['state', 'log'],
  ['state', 'log', 'summaries'],
  ['state', 'log', 'summaries', 'head'],
  ['state', 'log', 'summaries', 'earlier'],
])('redis.3: a session of which only %s and others are gone is MEMORY_LOST', async (...kinds) => {
  const prefix = `lost-${kinds.length}-${kinds.at(-1)}`
  await using memory = await wholeSession(prefix)
  const keys = await keysByKind(bare, prefix)
  await bare.del(kinds.map((kind) => keys.get(kind) as string))
  await expect(memory.getHistory('s')).rejects.toMatchObject({ code: 'MEMORY_LOST' })
  await expect(memory.addMessages('s', [user('more')])).rejects.toMatchObject({ code: 'MEMORY_LOST' })
  expect((await memory.verify()).damage).toHaveLength(1)
})

test('redis.3: a session that lost everything is told by atLeast', async () => {
  await using memory = await wholeSession('lost-all')
  const { version } = await memory.getHistory('s')
  await bare.del([...(await keysByKind(bare, 'lost-all')).values()])
  expect(await memory.getHistory('s')).toEqual([])
  await expect(memory.getHistory('s', { atLeast: version })).rejects.toMatchObject({ code: 'MEMORY_LOST' })
})

test('redis.3: an entry that was removed by hand is told with its seq, and one whose body is damaged too', async () => {
  await using memory = await openMemory(server.url, { prefix: 'holes' })
  await memory.addMessages('s', ['a', 'b', 'c', 'd'].map(user))
  const log = (await keysByKind(bare, 'holes')).get('log') as string
  await bare.xDel(log, '1-2')
  await expect(memory.getHistory('s')).rejects.toMatchObject({ code: 'MEMORY_LOST', seqs: [2] })
  expect((await memory.verify('s')).damage).toMatchObject([{ seqs: [2] }])
})

test('redis.3: a log that goes on behind its head is MEMORY_LOST, and nothing is written over it', async () => {
  await using memory = await openMemory(server.url, { prefix: 'behind' })
  await memory.addMessages('s', [user('a')])
  const keys = await keysByKind(bare, 'behind')
  const head = keys.get('head') as string
  await bare.copy(head, 'copy')
  await memory.addMessages('s', [user('b')])
  await bare.rename('copy', head)
  await expect(memory.addMessages('s', [user('c')])).rejects.toMatchObject({ code: 'MEMORY_LOST' })
  expect(await bare.xLen(keys.get('log') as string)).toBe(3)
})

test('redis.3: a server that evicts gives what was kept, or MEMORY_LOST, or nothing that atLeast does not tell', async () => {
  const { server: small } = await serveFile({
    own: true,
    config: { maxmemory: '6mb', 'maxmemory-policy': 'allkeys-random' },
  })
  await using memory = await openMemory(small.url)
  const versions = new Map<string, string>()
  for (let session = 0; session < 120; session++) {
    for (let turn = 0; turn < 4; turn++) {
      const added = await memory.addMessages(`s${session}`, [user('x'.repeat(20_000))]).catch((error) => error)
      if (added instanceof Error) expect(added).toMatchObject({ code: 'MEMORY_LOST' })
      else versions.set(`s${session}`, added.version)
    }
  }
  const outcomes = new Map<string, number>()
  for (const [session, atLeast] of versions) {
    const outcome = await memory.getHistory(session, { atLeast }).then(
      (history) => (history.length > 0 ? 'whole' : 'empty'),
      ({ code }) => String(code),
    )
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }
  expect([...outcomes.keys()].sort()).toEqual(['MEMORY_LOST', 'whole'])
})
