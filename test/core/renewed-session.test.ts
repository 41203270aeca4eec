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
