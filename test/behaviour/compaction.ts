import assert from 'node:assert/strict'
import type { ChatMessage } from 'unforget'
import { type BehaviourCase, texts, turns } from './case.ts'

const rules: ChatMessage = { role: 'system', content: 'rules' }

/** Something to wait for, and the way to let it happen. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

export const compaction: BehaviourCase[] = [
  {
    clause: 'compaction.1',
    title: 'the summary stands behind the leading system messages, in place of the old turns',
    async run({ store }) {
      await store.addMessages('s', [rules, ...turns(10)])
      const seen: ChatMessage[][] = []
      const compacted = await store.compact('s', {
        keep: 4,
        summarise: (old) => {
          seen.push(old)
          return { text: 'six turns', embedding: [0.5, 0.25] }
        },
      })
      assert.deepEqual(seen, [turns(6)])
      assert.deepEqual([compacted.removed, compacted.seq], [6, 12])
      assert.deepEqual(await store.getHistory('s'), [rules, { role: 'system', content: 'six turns' }, ...turns(4, 7)])
      const [entry] = (await store.getEntries('s', { kinds: ['summary'] })).filter(({ seq }) => seq === 12)
      assert.ok(entry?.kind === 'summary' && entry.standsIn)
      assert.deepEqual(entry.summary.covers, [[2, 7]])
      assert.equal((await store.recall('s', [0.5, 0.25]))[0]?.score, 1)
      await store.addMessages('s', turns(1, 11))
      assert.deepEqual(texts(await store.getHistory('s')).slice(1), ['six turns', ...texts(turns(5, 7))])
    },
  },
  {
    clause: 'compaction.1',
    title: 'an earlier summary is among the turns that the next one replaces',
    async run({ store }) {
      await store.addMessages('s', [rules, ...turns(6)])
      await store.addSummary('s', { text: 'by hand', embedding: [1] })
      await store.compact('s', { keep: 2, summarise: () => 'first' })
      await store.addMessages('s', turns(3, 7))
      await store.compact('s', { keep: 2, summarise: (old) => `second of ${texts(old).join(', ')}` })
      assert.deepEqual(texts(await store.getHistory('s')), [
        'rules',
        'second of first, turn 5, turn 6, turn 7',
        'turn 8',
        'turn 9',
      ])
      assert.deepEqual(
        (await store.recall('s', [1])).map(({ summary }) => summary.text),
        ['by hand'],
      )
      await store.compact('s', { keep: 0, summarise: () => 'all' })
      assert.deepEqual(texts(await store.getHistory('s')), ['rules', 'all'])
    },
  },
  {
    clause: 'compaction.2',
    title: 'what is appended while the summary is made is there, once',
    async run({ store }) {
      await store.addMessages('s', turns(8))
      await store.compact('s', {
        keep: 2,
        summarise: async () => {
          await store.addMessages('s', turns(3, 9))
          await store.recordToolCall('s', { id: 'c', name: 'n' })
          return 'sum'
        },
      })
      assert.deepEqual(texts(await store.getHistory('s')), ['sum', ...texts(turns(5, 7))])
      assert.equal((await store.getEntries('s', { kinds: ['toolCall'] })).length, 1)
    },
  },
  {
    clause: 'compaction.3',
    title: 'of two compactions at once one summary stays, and the loser does not ask again',
    async run({ store }) {
      await store.addMessages('s', turns(8))
      const { opened, open } = gate()
      let asked = 0
      const compact = (name: string) =>
        store.compact('s', {
          keep: 2,
          summarise: async () => {
            asked += 1
            if (asked === 2) open()
            await opened
            return name
          },
        })
      const results = await Promise.all([compact('one'), compact('two')])
      assert.equal(asked, 2)
      assert.deepEqual(results.map(({ removed }) => removed).sort(), [0, 6])
      const [summary, ...rest] = texts(await store.getHistory('s'))
      assert.ok(summary === 'one' || summary === 'two')
      assert.deepEqual(rest, ['turn 7', 'turn 8'])
      assert.equal(
        (await store.compact('s', { keep: 2, summarise: () => assert.fail('nothing is left to do') })).seq,
        null,
      )
    },
  },
  {
    clause: 'compaction.3',
    title: 'a summary made before a rollback is not put where it does not belong',
    async run({ store }) {
      await store.addMessages('s', turns(4))
      const snapshot = await store.saveSnapshot('s')
      await store.addMessages('s', turns(4, 5))
      const asked: unknown[][] = []
      await store.compact('s', {
        keep: 1,
        summarise: async (old) => {
          asked.push(texts(old))
          if (asked.length === 1) await store.rollbackToSnapshot('s', snapshot.id)
          return `${old.length} turns`
        },
      })
      assert.deepEqual(asked, [texts(turns(7)), texts(turns(3))])
      assert.deepEqual(texts(await store.getHistory('s')), ['3 turns', 'turn 4'])
    },
  },
  {
    clause: 'compaction.4',
    title: 'if summarise throws or returns no summary, nothing changes',
    async run({ store }) {
      await store.addMessages('s', turns(6))
      const before = await store.getEntries('s')
      const broken = new Error('the model is down')
      await assert.rejects(
        store.compact('s', { keep: 1, summarise: () => Promise.reject(broken) }),
        (error) => error === broken,
      )
      await assert.rejects(store.compact('s', { keep: 1, summarise: () => undefined as never }), {
        code: 'INVALID_ENTRY',
      })
      await assert.rejects(store.compact('s', { keep: 1, summarise: () => ({ text: 'x', embedding: [] }) }), {
        code: 'INVALID_ENTRY',
      })
      const after = await store.getEntries('s')
      assert.deepEqual(after, before)
      assert.equal(after.version, before.version)
    },
  },
  {
    clause: 'compaction.5',
    title: 'a tool call and its results are compacted together or not at all',
    async run({ store }) {
      const call: ChatMessage = { role: 'assistant', content: null, toolCalls: [{ id: 'a', name: 'tool' }] }
      const result: ChatMessage = { role: 'tool', toolCallId: 'a', content: 'r' }
      await store.addMessages('s', [...turns(3), call, result])
      await store.compact('s', { keep: 1, summarise: () => 'sum' })
      assert.deepEqual(await store.getHistory('s'), [{ role: 'system', content: 'sum' }, call, result])
    },
  },
  {
    clause: 'compaction.6',
    title: 'a compaction is undone by a rollback, turn by turn',
    async run({ store }) {
      await store.addMessages('s', [rules, ...turns(9)])
      const before = await store.getEntries('s')
      const snapshot = await store.saveSnapshot('s')
      await store.compact('s', { keep: 2, summarise: () => 'sum' })
      const compacted = await store.getEntries('s')
      const later = await store.saveSnapshot('s')
      await store.rollbackToSnapshot('s', snapshot.id)
      assert.deepEqual(await store.getEntries('s'), before)
      await store.sweep()
      await store.rollbackToSnapshot('s', later.id)
      assert.deepEqual(await store.getEntries('s'), compacted)
      await store.trim('s', { maxEntries: 1 })
      assert.deepEqual(texts(await store.getHistory('s')), ['sum', 'turn 9'])
      assert.deepEqual(texts(await store.getHistory('s', { maxEntries: 1 })), ['sum', 'turn 9'])
    },
  },
  {
    clause: 'compaction.3',
    title: 'a summary that takes longer than the deadline is not too late when the path changed meanwhile',
    async run({ open }) {
      const store = await open({ timeout: 400 })
      await store.addMessages('s', turns(8))
      let asked = 0
      const { removed } = await store.compact('s', {
        keep: 1,
        summarise: async () => {
          asked += 1
          if (asked === 1) await store.trim('s', { maxEntries: 5 })
          const began = performance.now()
          while (performance.now() - began < 500) await store.sessionInfo('s')
          return 'sum'
        },
      })
      assert.deepEqual([asked, removed], [2, 4])
      assert.deepEqual(texts(await store.getHistory('s')), ['sum', 'turn 8'])
    },
  },
]
