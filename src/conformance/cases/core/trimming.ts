import assert from 'node:assert/strict'
import type { ChatMessage } from '../../../core/entries.ts'
import type { FullStore } from '../../case.ts'
import { type ProviderTurns, providerTurns } from '../helpers/provider-turns.ts'
import { same } from '../helpers/same.ts'
import { texts, toolCall, toolResult, turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

const core = { level: 'core' } as const

export const trimming: WrittenCase[] = [
  {
    ...core,
    id: 'trimming.1/the-newest-stay',
    clause: 'trimming.1',
    title: 'trimming a long conversation keeps exactly the newest turns, for every handle',
    async run({ store, again }) {
      const other = await again()
      await store.trim('s', { maxEntries: 3 })
      same(await store.getHistory('s'), [])
      const rich = turns(1203).map((turn, index) => ({ ...turn, metadata: { number: index + 1 } }))
      await store.addMessages('s', rich)
      for (const maxEntries of [5000, 1203, 1202, 1001, 1000, 999, 101, 100, 99, 10, 4, 5000, 3, 2, 1]) {
        await store.trim('s', { maxEntries })
        const kept = maxEntries === 5000 ? (await other.getHistory('s')).length : maxEntries
        same(await store.getHistory('s'), rich.slice(-kept), `the newest ${maxEntries}`)
        same(texts(await other.getHistory('s')), texts(rich.slice(-kept)))
        if (maxEntries === 5000) assert.ok(kept === 1203 || kept === 4, `${kept} turns after trimming to 5,000`)
      }
      await other.addMessages('s', turns(3, 1204))
      same(await store.getHistory('s'), turns(4, 1203))
      await store.addMessages('s', turns(2, 1207))
      same(await other.getHistory('s'), turns(6, 1203), 'a limit is not kept for what is added later')
      await other.trim('s', { maxEntries: 2 })
      same(await store.getHistory('s'), turns(2, 1207))
      await store.clear('s')
      await store.addMessages('s', turns(3, 5))
      same(await store.getHistory('s'), turns(3, 5), 'a session that was trimmed and cleared')
      await store.trim('s', { maxEntries: 5 })
      same(await store.getHistory('s'), turns(3, 5), 'nothing comes back by a trim')
      const system = { role: 'system' as const, content: 'be brief' }
      const long = [...turns(2200), system, ...turns(3, 2201)]
      await store.addMessages('long', long)
      await store.trim('long', { maxEntries: 5 })
      same(await store.getHistory('long'), long.slice(-5), 'thousands in one step')
      same(await other.getHistory('long'), long.slice(-5))
    },
  },
  {
    ...core,
    id: 'trimming.3/tool-calls-keep-their-results',
    clause: 'trimming.3',
    title: 'trimming never separates a tool call from its results, wherever the cut falls',
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
        ...turns(1, 5),
        toolCall('e'),
        toolCall('f'),
        toolResult('e'),
        toolResult('f'),
        ...turns(1, 7),
        toolCall('a'),
        toolResult('a'),
        ...turns(2, 9),
      ]
      for (let maxEntries = 1; maxEntries <= conversation.length; maxEntries++) {
        const id = `trimmed to ${maxEntries}`
        await store.addMessages(id, conversation)
        await store.trim(id, { maxEntries })
        const kept = await store.getHistory(id)
        assert.ok(kept.length > 0 && kept.length <= maxEntries, `${kept.length} turns kept of at most ${maxEntries}`)
        same(kept, conversation.slice(-kept.length), 'the newest turns, in order')
        same(partedCalls(kept), [], `at most ${maxEntries} turns: calls without results, or results without calls`)
        const fair = conversation.findIndex(
          ({ role }, index) =>
            role === 'user' &&
            conversation.length - index <= maxEntries &&
            partedCalls(conversation.slice(index)).length === 0,
        )
        const least = fair < 0 ? 1 : conversation.length - fair
        assert.ok(kept.length >= least, `${kept.length} turns kept of at most ${maxEntries}, where ${least} would do`)
      }
      for (const turns of providerTurns.filter(haveRoles)) await trimEverywhere(store, turns)
    },
  },
  {
    ...core,
    id: 'trimming.8/nothing-added-meanwhile-is-lost',
    clause: 'trimming.8',
    title: 'trimming while two handles write loses nothing they add',
    async run({ store, again }) {
      const other = await again()
      await store.addMessages('s', turns(600))
      let writing = 2
      const write = async (handle: typeof store, name: string) => {
        try {
          for (let turn = 0; turn < 40; turn++)
            await handle.addMessages('s', [{ role: 'user', content: `${name} ${turn}` }])
        } finally {
          writing -= 1
        }
      }
      const trim = async () => {
        while (writing > 0) await store.trim('s', { maxEntries: 300 })
      }
      await Promise.all([write(store, 'one'), write(other, 'two'), trim()])
      const kept = texts(await store.getHistory('s'))
      for (const name of ['one', 'two']) {
        same(
          kept.filter((text) => String(text).startsWith(name)),
          Array.from({ length: 40 }, (_, turn) => `${name} ${turn}`),
        )
      }
      const old = kept.filter((text) => String(text).startsWith('turn'))
      same(old, texts(turns(600)).slice(600 - old.length), 'of the old turns the newest are left')
      await Promise.all([store, other, store].map((handle) => handle.trim('s', { maxEntries: 50 })))
      same(texts(await store.getHistory('s')), kept.slice(-50), 'three who trim at once cut no more than one')
      await Promise.all([store.trim('s', { maxEntries: 5 }), other.addMessages('s', turns(3))])
      const left = texts(await other.getHistory('s'))
      same(left, [...kept, ...texts(turns(3))].slice(-left.length))
      assert.ok(left.length >= 5 && left.length <= 8, `${left.length} turns kept`)
    },
  },
]

/** Trims a provider's conversation to every length. What is kept is whole groups, and at least those from a user on that fit. */
/** Items without a role are not for every store: those that are `exact` take them. */
function haveRoles({ groups }: ProviderTurns): boolean {
  return groups.flat().every(({ role }) => role !== undefined)
}

async function trimEverywhere(store: FullStore, { name, groups }: ProviderTurns): Promise<void> {
  const conversation = groups.flat()
  const ends = groups.map((_, index) => groups.slice(index).flat().length)
  const fromUser = ends.filter((_, index) => groups[index]?.[0]?.role === 'user')
  for (let maxEntries = 1; maxEntries <= conversation.length; maxEntries++) {
    const id = `${name}, trimmed to ${maxEntries}`
    await store.addMessages(id, conversation)
    await store.trim(id, { maxEntries })
    const kept = await store.getHistory(id)
    assert.ok(kept.length > 0 && kept.length <= maxEntries, `${name}: ${kept.length} kept of at most ${maxEntries}`)
    same(kept, conversation.slice(-kept.length), `${name}: the newest messages, in order`)
    assert.ok(
      ends.includes(kept.length),
      `${name}: at most ${maxEntries} messages, and a call is parted from its result`,
    )
    const least = fromUser.find((length) => length <= maxEntries) ?? 1
    assert.ok(kept.length >= least, `${name}: ${kept.length} kept of at most ${maxEntries}, where ${least} would do`)
  }
}

/** The ids of tool calls that lost their results, and of results that lost their call. */
function partedCalls(messages: readonly ChatMessage[]): string[] {
  const waiting: string[] = []
  const parted: string[] = []
  for (const { toolCalls = [], toolCallId } of messages) {
    waiting.push(...toolCalls.map(({ id }) => id))
    if (toolCallId === undefined) continue
    const call = waiting.indexOf(toolCallId)
    if (call < 0) parted.push(toolCallId)
    else waiting.splice(call, 1)
  }
  return [...parted, ...waiting]
}
