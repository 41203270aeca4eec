import { MemoryStore } from 'unforget'
import { MemoryBackend } from 'unforget/memory'
import { expect, test } from 'vitest'

const say = (...contents: string[]) => contents.map((content) => ({ role: 'user' as const, content }))

test('a compaction asks again about the turns of a session that began anew meanwhile', async () => {
  const store = new MemoryStore(new MemoryBackend())
  await store.addMessages('s', say('old 1', 'old 2', 'old 3'))
  const asked: unknown[][] = []
  await store.compact('s', {
    keep: 1,
    summarize: async (turns) => {
      asked.push(turns.map(({ content }) => content))
      if (asked.length === 1) {
        await store.deleteSession('s')
        await store.addMessages('s', say('new 1', 'new 2', 'new 3'))
      }
      return turns.map(({ content }) => content).join(', ')
    },
  })
  expect(asked).toEqual([
    ['old 1', 'old 2'],
    ['new 1', 'new 2'],
  ])
  expect((await store.getHistory('s')).map(({ content }) => content)).toEqual(['new 1, new 2', 'new 3'])
})

test('a compaction that was planned on another log is planned again', async () => {
  const store = new MemoryStore(new MemoryBackend())
  await store.addMessages('s', say('1', '2', '3'))
  const copy = await store.exportSession('s')
  await store.addMessages('s', say('4', '5'))
  let asked = 0
  await store.compact('s', {
    keep: 2,
    summarize: async () => {
      asked += 1
      if (asked === 1) {
        await store.deleteSession('s')
        await store.importSession(copy)
      }
      return 'summary'
    },
  })
  await store.addMessages('s', say('6'))
  expect((await store.getHistory('s')).map(({ content }) => content)).toEqual(['summary', '2', '3', '6'])
})
