import assert from 'node:assert/strict'
import type { ChatMessage } from '../../../core/entries.ts'
import type { Case } from '../../case.ts'
import { same } from '../../same.ts'
import { texts, toolCall, toolResult, turns } from '../../samples.ts'

const core = { level: 'core', needs: ['addMessages', 'getHistory', 'trim'] } as const

export const trimming: Case[] = [
  {
    ...core,
    id: 'trimming.1/the-newest-stay',
    clause: 'trimming.1',
    title: 'trimming a conversation that grew too long keeps exactly the newest turns, for every handle',
    async run({ store, again }) {
      const other = await again()
      await store.trim('s', { maxEntries: 3 })
      same(await store.getHistory('s'), [])
      await store.addMessages('s', turns(1203))
      for (const maxEntries of [5000, 1203, 1202, 1001, 999, 101, 100, 10, 4, 3, 2, 1]) {
        await store.trim('s', { maxEntries })
        const kept = Math.min(maxEntries, 1203)
        same(await store.getHistory('s'), turns(kept, 1204 - kept), `the newest ${maxEntries}`)
        same(texts(await other.getHistory('s')), texts(turns(kept, 1204 - kept)))
      }
      await other.addMessages('s', turns(3, 1204))
      same(await store.getHistory('s'), turns(4, 1203))
      await other.trim('s', { maxEntries: 2 })
      same(await store.getHistory('s'), turns(2, 1205))
    },
  },
  {
    ...core,
    id: 'trimming.3/tool-calls-keep-their-results',
    clause: 'trimming.3',
    title: 'wherever the cut falls, no tool result stays without its call, and no call without its results',
    async run({ store }) {
      const conversation = [
        ...turns(2),
        toolCall('a'),
        toolResult('a'),
        ...turns(1, 3),
        toolCall('b', 'c', 'd'),
        toolResult('c'),
        toolResult('b'),
        toolResult('d'),
        ...turns(1, 4),
        toolCall('e'),
        toolResult('e'),
        ...turns(2, 5),
      ]
      for (let maxEntries = 1; maxEntries <= conversation.length; maxEntries++) {
        const id = `trimmed to ${maxEntries}`
        await store.addMessages(id, conversation)
        await store.trim(id, { maxEntries })
        const kept = await store.getHistory(id)
        assert.ok(kept.length > 0 && kept.length <= maxEntries, `${kept.length} turns kept of at most ${maxEntries}`)
        same(kept, conversation.slice(-kept.length), 'the newest turns, in order')
        same(partedCalls(kept), [], `at most ${maxEntries} turns: calls without results, or results without calls`)
      }
    },
  },
  {
    ...core,
    id: 'trimming.8/nothing-added-meanwhile-is-lost',
    clause: 'trimming.8',
    title: 'trimming while two handles write loses none of what they add',
    async run({ store, again }) {
      const other = await again()
      await store.addMessages('s', turns(600))
      let writing = 2
      const write = async (handle: typeof store, name: string) => {
        for (let turn = 0; turn < 60; turn++)
          await handle.addMessages('s', [{ role: 'user', content: `${name} ${turn}` }])
        writing -= 1
      }
      const writers = [write(store, 'one'), write(other, 'two')]
      while (writing > 0) await store.trim('s', { maxEntries: 300 })
      await Promise.all(writers)
      const kept = texts(await store.getHistory('s'))
      for (const name of ['one', 'two']) {
        same(
          kept.filter((text) => String(text).startsWith(name)),
          Array.from({ length: 60 }, (_, turn) => `${name} ${turn}`),
        )
      }
      const old = kept.filter((text) => String(text).startsWith('turn'))
      same(old, texts(turns(600)).slice(600 - old.length), 'of the old turns the newest are left')
      await store.trim('s', { maxEntries: 5 })
      same(texts(await other.getHistory('s')), kept.slice(-5))
    },
  },
]

/** The ids of tool calls that lost their results, and of results that lost their call. */
function partedCalls(messages: readonly ChatMessage[]): string[] {
  const asked = messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id))
  const answered = messages.flatMap(({ toolCallId }) => (toolCallId === undefined ? [] : [toolCallId]))
  return [...asked.filter((id) => !answered.includes(id)), ...answered.filter((id) => !asked.includes(id))]
}
