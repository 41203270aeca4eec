import { once } from 'node:events'
import { join } from 'node:path'
import { openMemory } from 'unforget'
import { expect, test } from 'vitest'
import { finish, startChild } from '../../support/child.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const appender = new URL('./children/append.ts', import.meta.url)
const largeAppender = new URL('./children/append-large.ts', import.meta.url)

interface Acknowledged {
  turn: number
  seqs: number[]
}

test('sqlite.2: eight processes append 250 turns each to one session of a fresh file: nothing lost, doubled or out of order', async () => {
  const url = `sqlite:${join(await temporaryFolder(), 'agent.db')}`
  const writers = Array.from({ length: 8 }, (_, index) => `writer ${index}`)
  const ends = await Promise.all(
    writers.map((writer) => finish<Acknowledged>(startChild(appender, { url, writer, count: 250 }))),
  )
  expect(ends.flatMap(({ code, errors }) => (code === 0 ? [] : errors))).toEqual([])

  await using memory = await openMemory(url)
  const history = await memory.getHistory('shared')
  expect(history.length).toBe(8 * 250 * 2)
  expect(history.seqs).toEqual(Array.from({ length: 4000 }, (_, index) => index + 1))
  for (const [index, writer] of writers.entries()) {
    const own = history.filter(({ content }) => content === writer)
    expect(own.map(({ metadata }) => [metadata?.['turn'], metadata?.['part']])).toEqual(
      Array.from({ length: 500 }, (_, part) => [part >> 1, part % 2 === 0 ? 'question' : 'answer']),
    )
    const acknowledged = ends[index]?.messages.flatMap(({ seqs }) => seqs)
    expect(acknowledged).toEqual(history.seqs.filter((_, at) => history[at]?.content === writer))
  }
  expect((await memory.verify()).damage).toEqual([])
})

test('sqlite.12: processes that begin one log after the other take none for that of another file', async () => {
  const url = `sqlite:${join(await temporaryFolder(), 'agent.db')}`
  const writers = Array.from({ length: 6 }, (_, index) => `writer ${index}`)
  const ends = await Promise.all(
    writers.map((writer) => finish(startChild(largeAppender, { url, writer, count: 150 }))),
  )
  expect(ends.flatMap(({ code, errors }) => (code === 0 ? [] : errors))).toEqual([])
  await using memory = await openMemory(url)
  for (const writer of writers) expect((await memory.getHistory(writer)).length).toBe(150)
})

test('sqlite.1: a process killed in the middle of writing loses nothing that it was told is kept', async () => {
  const url = `sqlite:${join(await temporaryFolder(), 'agent.db')}`
  const kept = new Map<number, number[]>()
  for (let round = 0; round < 5; round++) {
    const child = startChild(appender, { url, writer: `round ${round}`, count: 100_000 })
    child.on('message', ({ seqs }: Acknowledged) => {
      for (const seq of seqs) kept.set(seq, [round])
      if (kept.size > (round + 1) * 20) child.kill('SIGKILL')
    })
    const [, signal] = await once(child, 'close')
    expect(signal).toBe('SIGKILL')
    await using memory = await openMemory(url)
    const history = await memory.getHistory('shared')
    expect(history.length % 2).toBe(0)
    for (const [seq, [writtenIn]] of kept) {
      expect(history[history.seqs.indexOf(seq)]?.content).toBe(`round ${writtenIn}`)
    }
    expect((await memory.verify()).damage).toEqual([])
  }
})

test('sqlite.2: a session written and closed by one process is read, rolled back and continued by another handle', async () => {
  const url = `sqlite:${join(await temporaryFolder(), 'agent.db')}`
  await using first = await openMemory(url)
  await using second = await openMemory(url)
  await first.addMessages('s', [{ role: 'user', content: 'one' }])
  const snapshot = await first.saveSnapshot('s')
  await second.addMessages('s', [{ role: 'user', content: 'two' }])
  const { epoch } = await first.getHistory('s')
  await second.rollbackToSnapshot('s', snapshot.id)
  await expect(first.addMessages('s', [{ role: 'user', content: 'late' }], { ifEpoch: epoch })).rejects.toMatchObject({
    code: 'VERSION_CONFLICT',
  })
  expect(await first.getHistory('s')).toEqual([{ role: 'user', content: 'one' }])
  expect((await first.listSnapshots('s')).length).toBe(2)
})
