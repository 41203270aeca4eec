import assert from 'node:assert/strict'
import type { ChatMessage } from 'unforget'
import { type BehaviourCase, texts, turns } from './case.ts'

const system = (text: string): ChatMessage => ({ role: 'system', content: text })
const call = (...ids: string[]): ChatMessage => ({
  role: 'assistant',
  content: null,
  toolCalls: ids.map((id) => ({ id, name: 'tool', arguments: {} })),
})
const result = (id: string): ChatMessage => ({ role: 'tool', toolCallId: id, content: `result of ${id}` })

export const trimming: BehaviourCase[] = [
  {
    clause: 'trimming.1',
    title: 'the newest stay, in the view and for good',
    async run({ store }) {
      await store.addMessages('s', turns(1500))
      assert.deepEqual(await store.getHistory('s', { maxEntries: 10 }), turns(10, 1491))
      assert.equal((await store.getHistory('s')).length, 1500)
      const trimmed = await store.trim('s', { maxEntries: 10 })
      assert.equal(trimmed.removed, 1490)
      assert.equal(trimmed.overBudget, false)
      assert.deepEqual(await store.getHistory('s'), turns(10, 1491))
      assert.equal((await store.trim('s', { maxEntries: 10 })).removed, 0)
    },
  },
  {
    clause: 'trimming.2',
    title: 'leading system messages stay if asked, and count',
    async run({ store }) {
      await store.addMessages('s', [system('one'), system('two'), ...turns(20), system('later'), ...turns(3, 21)])
      const expected = ['one', 'two', 'later', 'turn 21', 'turn 22', 'turn 23']
      assert.deepEqual(texts(await store.getHistory('s', { maxEntries: 6, keepSystem: true })), expected)
      assert.deepEqual(texts(await store.getHistory('s', { maxEntries: 2 })), ['turn 22', 'turn 23'])
      await store.trim('s', { maxEntries: 6, keepSystem: true })
      assert.deepEqual(texts(await store.getHistory('s')), expected)
    },
  },
  {
    clause: 'trimming.2',
    title: 'leading system messages stay in a view of a history longer than one read',
    async run({ store }) {
      await store.addMessages('s', [system('rules'), ...turns(2400)])
      const view = await store.getHistory('s', { maxEntries: 4, keepSystem: true })
      assert.deepEqual(texts(view), ['rules', 'turn 2398', 'turn 2399', 'turn 2400'])
    },
  },
  {
    clause: 'trimming.3',
    title: 'no cut parts a tool call from its results',
    async run({ store }) {
      const messages = [...turns(1), call('a', 'b'), result('a'), result('b'), ...turns(2, 2)]
      await store.addMessages('s', messages)
      const kept = async (maxEntries: number) => (await store.getHistory('s', { maxEntries })).length
      assert.deepEqual(await Promise.all([1, 2, 3, 4, 5, 6].map(kept)), [1, 2, 2, 2, 5, 6])
      await store.trim('s', { maxEntries: 4 })
      assert.deepEqual(await store.getHistory('s'), turns(2, 2))
    },
  },
  {
    clause: 'trimming.3',
    title: 'calls written as the providers write them are known too',
    async run({ store }) {
      const shapes: ChatMessage[][] = [
        [
          { role: 'assistant', content: null, tool_calls: [{ id: 'x', type: 'function', function: { name: 'f' } }] },
          { role: 'tool', tool_call_id: 'x', content: 'r' },
        ],
        [
          { role: 'assistant', content: [{ type: 'tool_use', id: 'x', name: 'f', input: {} }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x', content: 'r' }] },
        ],
        [
          { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'x', toolName: 'f', input: {} }] },
          { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'x', toolName: 'f', output: 1 }] },
        ],
      ]
      for (const [index, pair] of shapes.entries()) {
        await store.addMessages(`s${index}`, [...turns(2), ...pair])
        assert.deepEqual(await store.getHistory(`s${index}`, { maxEntries: 1 }), pair)
      }
    },
  },
  {
    clause: 'trimming.4',
    title: 'a newest group that exceeds the budget is kept whole and flagged',
    async run({ store }) {
      const group = [call('a', 'b', 'c'), result('a'), result('b'), result('c')]
      await store.addMessages('s', [...turns(4), ...group])
      const view = await store.getHistory('s', { maxEntries: 2 })
      assert.deepEqual(view, group)
      assert.equal(view.overBudget, true)
      assert.equal((await store.getHistory('s', { maxEntries: 4 })).overBudget, false)
      const trimmed = await store.trim('s', { maxEntries: 2 })
      assert.deepEqual([trimmed.removed, trimmed.overBudget], [4, true])
      assert.deepEqual(await store.getHistory('s'), group)
      const huge = { maxTokens: 10, countTokens: () => 1000 }
      await store.addMessages('s', turns(1, 9))
      assert.deepEqual(texts(await store.getHistory('s', huge)), ['turn 9'])
      assert.equal((await store.trim('s', huge)).overBudget, true)
      assert.deepEqual(texts(await store.getHistory('s')), ['turn 9'])
    },
  },
  {
    clause: 'trimming.5',
    title: 'a call that waits for its result is not cut off, one the conversation left behind is',
    async run({ store }) {
      await store.addMessages('running', [...turns(3), call('a', 'b'), result('a')])
      await store.trim('running', { maxEntries: 1 })
      await store.addMessages('running', [result('b')])
      assert.deepEqual(await store.getHistory('running'), [call('a', 'b'), result('a'), result('b')])
      await store.addMessages('abandoned', [call('a'), ...turns(6)])
      await store.trim('abandoned', { maxEntries: 2 })
      assert.deepEqual(await store.getHistory('abandoned'), turns(2, 5))
    },
  },
  {
    clause: 'trimming.6',
    title: 'tokens are counted by the caller, and both budgets hold',
    async run({ store }) {
      const countTokens = ({ content }: ChatMessage) => String(content).length
      await store.addMessages(
        's',
        ['aaaa', 'bbb', 'cc', 'd'].map((content) => ({ role: 'user', content })),
      )
      const view = async (maxTokens: number, maxEntries?: number) =>
        texts(await store.getHistory('s', { maxTokens, countTokens, maxEntries }))
      assert.deepEqual(await view(10), ['aaaa', 'bbb', 'cc', 'd'])
      assert.deepEqual(await view(9), ['bbb', 'cc', 'd'])
      assert.deepEqual(await view(3), ['cc', 'd'])
      assert.deepEqual(await view(9, 1), ['d'])
      for (const wrong of [Number.NaN, -1, undefined, '3', 10n]) {
        const refused = { name: 'TypeError', code: 'INVALID_ARGUMENT' }
        const budget = { maxTokens: 6, countTokens: () => wrong as number }
        await assert.rejects(store.getHistory('s', budget), refused)
        await assert.rejects(store.trim('s', budget), refused)
      }
      await store.trim('s', { maxTokens: 6, countTokens })
      assert.deepEqual(texts(await store.getHistory('s')), ['bbb', 'cc', 'd'])
    },
  },
  {
    clause: 'trimming.7',
    title: 'tool-call records before the cut go, summaries stay',
    async run({ store }) {
      await store.addMessages('s', turns(2))
      await store.recordToolCall('s', { id: 'old', name: 'tool' })
      await store.addSummary('s', { text: 'kept', embedding: [1, 0] })
      await store.addMessages('s', turns(2, 3))
      await store.recordToolCall('s', { id: 'new', name: 'tool' })
      await store.trim('s', { maxEntries: 2 })
      const entries = await store.getEntries('s')
      assert.deepEqual(
        entries.map(({ seq }) => seq),
        [4, 5, 6, 7],
      )
      assert.equal((await store.recall('s', [1, 0])).length, 1)
    },
  },
  {
    clause: 'trimming.8',
    title: 'trimming under 50 writers ends, and loses nothing that was added meanwhile',
    async run({ store }) {
      await store.addMessages('s', turns(1000))
      let writing = true
      const writers = Array.from({ length: 50 }, async (_, writer) => {
        const seqs: number[] = []
        for (let turn = 0; turn < 6; turn++) {
          const added = await store.addMessages('s', [{ role: 'user', content: `${writer}.${turn}` }])
          seqs.push(...added.seqs)
        }
        return seqs
      })
      const all = Promise.all(writers).finally(() => {
        writing = false
      })
      const first = await store.trim('s', { maxEntries: 400 })
      assert.ok(first.removed >= 600)
      while (writing) await store.trim('s', { maxEntries: 400 })
      const seqs = (await all).flat().sort((a, b) => a - b)
      const history = await store.getHistory('s')
      assert.deepEqual(
        history.seqs,
        [...history.seqs].sort((a, b) => a - b),
      )
      assert.deepEqual(history.seqs.slice(-300), seqs)
    },
  },
  {
    clause: 'clearing.1',
    title: 'a cleared session is empty, keeps its snapshots and goes on',
    async run({ store }) {
      await store.addMessages('s', turns(1200))
      await store.addSummary('s', { text: 'x', embedding: [1] })
      const snapshot = await store.saveSnapshot('s')
      await store.clear('s')
      assert.deepEqual(await store.getEntries('s'), [])
      assert.deepEqual(await store.recall('s', [1]), [])
      assert.deepEqual(
        (await store.listSnapshots('s')).map(({ id }) => id),
        [snapshot.id],
      )
      await store.addMessages('s', turns(1, 7))
      assert.deepEqual(await store.getHistory('s'), turns(1, 7))
      await store.rollbackToSnapshot('s', snapshot.id)
      assert.equal((await store.getEntries('s')).length, 1201)
    },
  },
  {
    clause: 'clearing.2',
    title: 'clearAll clears every session and deletes none',
    async run({ store }) {
      for (const id of ['a', 'b', 'c']) await store.addMessages(id, turns(2))
      assert.equal(await store.clearAll(), 3)
      for (const id of ['a', 'b', 'c']) assert.deepEqual(await store.getHistory(id), [])
      assert.equal((await store.listSessions()).sessions.length, 3)
      assert.equal(await store.deleteAllSessions(), 3)
      assert.deepEqual(await store.listSessions(), { sessions: [], damaged: [], cursor: null })
    },
  },
  {
    clause: 'clearing.3',
    title: 'deleting a session erases it and no other',
    async run({ store }) {
      for (const id of ['a', 'a ', 'A']) {
        await store.addMessages(id, turns(2))
        await store.saveSnapshot(id, { id: 'p' })
      }
      assert.equal(await store.deleteSession('a'), true)
      assert.equal(await store.deleteSession('a'), false)
      assert.deepEqual(await store.getHistory('a'), [])
      assert.deepEqual(await store.listSnapshots('a'), [])
      await assert.rejects(store.rollbackToSnapshot('a', 'p'), { code: 'SNAPSHOT_NOT_FOUND' })
      assert.deepEqual((await store.addMessages('a', turns(1))).seqs, [1])
      for (const id of ['a ', 'A']) {
        assert.equal((await store.getHistory(id)).length, 2)
        assert.equal((await store.listSnapshots(id)).length, 1)
      }
    },
  },
  {
    clause: 'clearing.3',
    title: 'a read of many entries never mixes a deleted session with its successor',
    async run({ store }) {
      const generation = (name: number) =>
        Array.from({ length: 3000 }, () => ({ role: 'user' as const, content: `generation ${name}` }))
      await store.addMessages('s', generation(0))
      let working = true
      const renewing = (async () => {
        for (let name = 1; name <= 12; name++) {
          await store.deleteSession('s')
          await store.addMessages('s', generation(name))
        }
        working = false
      })()
      while (working) {
        const contents = new Set(texts(await store.getHistory('s')))
        assert.ok(contents.size <= 1, [...contents].join(', '))
      }
      await renewing
    },
  },
]
