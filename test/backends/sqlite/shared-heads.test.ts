import { join } from 'node:path'
import { type MemoryStore, openMemory } from 'unforget'
import { expect, onTestFinished, test } from 'vitest'
import { Connection } from '../../../src/backends/sqlite/connection.ts'
import { GroupCommit } from '../../../src/backends/sqlite/group-commit.ts'
import { RowGone } from '../../../src/backends/sqlite/written-sessions.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const turn = (content: string) => [{ role: 'user' as const, content }]

/** Calls made at once, which SQLite applies in one transaction. Appends that share the update of a head stand between writes of every other kind. */
async function writeAtOnce(memory: MemoryStore): Promise<unknown> {
  const { version } = await memory.addMessages('a', turn('a 1'))
  await memory.addMessages('b', turn('b 1'))
  await memory.addMessages('gone', turn('gone 1'))
  const results = await Promise.allSettled([
    memory.addMessages('a', turn('a 2')),
    memory.addMessages('a', turn('stale'), { ifVersion: version }),
    memory.addMessages('b', turn('b 2')),
    memory.saveSnapshot('a', { id: 'between' }),
    memory.addMessages('a', turn('a 3'), { operationId: 'named' }),
    memory.addMessages('gone', turn('gone 2')),
    memory.deleteSession('gone'),
    memory.addMessages('gone', turn('new 1')),
    memory.addSummary('b', { text: 'b so far' }),
    memory.addMessages('b', turn('b 3')),
    memory.addMessages('a', turn('a 3'), { operationId: 'named' }),
    memory.addMessages('a', turn('a 4')),
  ])
  const histories = ['a', 'b', 'gone'].map(async (id) =>
    (await memory.getEntries(id)).map(({ seq, kind }) => [seq, kind]),
  )
  const snapshot = await memory.getHistory('a', { at: 'between' })
  return {
    outcomes: results.map(({ status }) => status),
    seqs: results.map((result) => (result.status === 'fulfilled' ? (result.value as { seqs?: number[] }).seqs : null)),
    histories: await Promise.all(histories),
    snapshot: snapshot.map(({ content }) => content),
    damage: (await memory.verify()).ok,
  }
}

test('sqlite.4: writes of every kind that share a transaction see each other as if they came one by one', async () => {
  const file = join(await temporaryFolder(), 'agent.db')
  await using memory = await openMemory(`sqlite:${file}`)
  await using plain = await openMemory('memory:')
  const written = await writeAtOnce(memory)
  expect(written).toEqual(await writeAtOnce(plain))
  await using another = await openMemory(`sqlite:${file}`)
  expect((await another.getHistory('a')).map(({ content }) => content)).toEqual(['a 1', 'a 2', 'a 3', 'a 4'])
  expect((await another.getHistory('a')).version).toBe((await memory.getHistory('a')).version)
})

test('sqlite.4: an append after a deletion begins another session', async () => {
  const file = join(await temporaryFolder(), 'agent.db')
  await using memory = await openMemory(`sqlite:${file}`)
  await memory.addMessages('s', turn('old'))
  await memory.addMessages('s', turn('old, too'))
  await memory.deleteSession('s')
  expect((await memory.addMessages('s', turn('new'))).seqs).toEqual([1])
  expect((await memory.getHistory('s')).map(({ content }) => content)).toEqual(['new'])
})

test('sqlite.4: appends go on from what another process wrote meanwhile', async () => {
  const file = join(await temporaryFolder(), 'agent.db')
  await using one = await openMemory(`sqlite:${file}`)
  await using other = await openMemory(`sqlite:${file}`)
  for (let round = 0; round < 10; round++) {
    await Promise.all([one.addMessages('s', turn(`${round} a`)), one.addMessages('s', turn(`${round} b`))])
    await other.addMessages('s', turn(`${round} c`))
    if (round === 5) await other.clear('s')
  }
  const history = await one.getHistory('s')
  expect(history.map(({ content }) => content)).toEqual(
    [6, 7, 8, 9].flatMap((round) => ['a', 'b', 'c'].map((at) => `${round} ${at}`)),
  )
  expect(history.seqs.at(-1)).toBe(30)
})

test('loss.6: if a head cannot be written, everything that relied on it is rolled back and done again', async () => {
  const file = join(await temporaryFolder(), 'agent.db')
  const connection = await Connection.open(file, {}, performance.now() + 5000)
  onTestFinished(() => connection.close())
  connection.run('CREATE TABLE tried (attempt)')
  const outcomes: string[] = []
  const writes = new GroupCommit(connection, {
    begun: () => {},
    ending: () => {
      if (outcomes.length === 0) throw new RowGone()
    },
    ended: (outcome) => void outcomes.push(outcome),
  })
  const insert = () => connection.run('INSERT INTO tried VALUES (?)', outcomes.length)
  expect(await writes.add(insert, 0, performance.now() + 5000)).toBe(1)
  expect(outcomes).toEqual(['not applied', 'applied'])
  expect(connection.column('SELECT attempt FROM tried')).toEqual([1])
})
