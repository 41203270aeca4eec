import assert from 'node:assert/strict'
import type { ChatMessage } from '../../../core/entries.ts'
import type { TrimBudget } from '../../../core/trim-budget.ts'
import { newestGroups, providerTurns } from '../helpers/provider-turns.ts'
import { same } from '../helpers/same.ts'
import { texts, turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

const system = (text: string): ChatMessage => ({ role: 'system', content: text })
const call = (...ids: string[]): ChatMessage => ({
  role: 'assistant',
  content: null,
  toolCalls: ids.map((id) => ({ id, name: 'tool', arguments: {} })),
})
const result = (id: string): ChatMessage => ({ role: 'tool', toolCallId: id, content: `result of ${id}` })

export const trimming: WrittenCase[] = [
  {
    id: 'trimming.1/in-view-and-for-good',
    clause: 'trimming.1',
    level: 'full',
    needs: ['windows'],
    title: 'the newest messages stay, in a view and after a trim',
    async run({ store }) {
      await store.addMessages('s', turns(1500))
      same(await store.getHistory('s', { maxEntries: 10 }), turns(10, 1491))
      assert.equal((await store.getHistory('s')).length, 1500)
      const trimmed = await store.trim('s', { maxEntries: 10 })
      assert.equal(trimmed.removed, 1490)
      assert.equal(trimmed.overBudget, false, 'overBudget')
      same(await store.getHistory('s'), turns(10, 1491))
      assert.equal((await store.trim('s', { maxEntries: 10 })).removed, 0)
      const mixed = [
        ...turns(3),
        call('a', 'b'),
        result('b'),
        result('a'),
        ...turns(2, 4),
        call('c'),
        result('c'),
        ...turns(1, 6),
      ]
      for (let maxEntries = 1; maxEntries <= mixed.length + 1; maxEntries++) {
        const id = `mixed ${maxEntries}`
        await store.addMessages(id, mixed)
        const view = await store.getHistory(id, { maxEntries })
        const { removed } = await store.trim(id, { maxEntries })
        same(await store.getHistory(id), view, `the view and the trim keep the same ${maxEntries}`)
        same(removed, mixed.length - view.length)
      }
    },
  },
  {
    id: 'trimming.2/system-messages-stay',
    clause: 'trimming.2',
    level: 'full',
    needs: ['windows'],
    title: 'leading system messages stay on request and count toward the budget',
    async run({ store }) {
      await store.addMessages('s', [system('one'), system('two'), ...turns(20), system('later'), ...turns(3, 21)])
      const expected = ['one', 'two', 'later', 'turn 21', 'turn 22', 'turn 23']
      same(texts(await store.getHistory('s', { maxEntries: 6, keepSystem: true })), expected)
      same(texts(await store.getHistory('s', { maxEntries: 2 })), ['turn 22', 'turn 23'])
      await store.trim('s', { maxEntries: 6, keepSystem: true })
      same(texts(await store.getHistory('s')), expected)
      const developer = { role: 'developer', content: 'three' }
      await store.addMessages('mixed', [developer, system('four'), developer, ...turns(4)])
      const mixed = ['three', 'four', 'three', 'turn 4']
      same(texts(await store.getHistory('mixed', { maxEntries: 4, keepSystem: true })), mixed)
      await store.trim('mixed', { maxEntries: 4, keepSystem: true })
      same(texts(await store.getHistory('mixed')), mixed)
    },
  },
  {
    id: 'trimming.2/system-messages-of-long-history',
    clause: 'trimming.2',
    level: 'full',
    needs: ['windows'],
    title: 'leading system messages stay in a view of a history longer than one read',
    async run({ store }) {
      await store.addMessages('s', [system('rules'), ...turns(2400)])
      const view = await store.getHistory('s', { maxEntries: 4, keepSystem: true })
      same(texts(view), ['rules', 'turn 2398', 'turn 2399', 'turn 2400'])
    },
  },
  {
    id: 'trimming.3/no-call-without-results',
    clause: 'trimming.3',
    level: 'full',
    needs: ['windows'],
    title: 'no cut separates a tool call from its results',
    async run({ store }) {
      const messages = [...turns(1), call('a', 'b'), result('a'), result('b'), ...turns(2, 2)]
      await store.addMessages('s', messages)
      const kept = async (maxEntries: number) => (await store.getHistory('s', { maxEntries })).length
      same(await Promise.all([1, 2, 3, 4, 5, 6].map(kept)), [1, 2, 2, 2, 5, 6])
      await store.trim('s', { maxEntries: 4 })
      same(await store.getHistory('s'), turns(2, 2))
    },
  },
  {
    id: 'trimming.3/calls-of-every-provider',
    clause: 'trimming.3',
    level: 'full',
    needs: ['windows', 'exact'],
    title: "views also keep tool calls and results together, in every provider's format",
    async run({ store }) {
      for (const turns of providerTurns) {
        const conversation = turns.groups.flat()
        await store.addMessages(turns.name, conversation)
        for (let maxEntries = 1; maxEntries <= conversation.length; maxEntries++) {
          const view = await store.getHistory(turns.name, { maxEntries })
          same(view, newestGroups(turns, maxEntries), `${turns.name}, at most ${maxEntries}`)
        }
      }
    },
  },
  {
    id: 'trimming.4/newest-group-over-budget',
    clause: 'trimming.4',
    level: 'full',
    needs: ['windows'],
    title: 'if the newest group alone exceeds the budget, it is kept and flagged',
    async run({ store }) {
      const group = [call('a', 'b', 'c'), result('a'), result('b'), result('c')]
      await store.addMessages('s', [...turns(4), ...group])
      const view = await store.getHistory('s', { maxEntries: 2 })
      same(view, group)
      assert.equal(view.overBudget, true, 'overBudget')
      assert.equal((await store.getHistory('s', { maxEntries: 4 })).overBudget, false, 'overBudget')
      const trimmed = await store.trim('s', { maxEntries: 2 })
      same([trimmed.removed, trimmed.overBudget], [4, true])
      same(await store.getHistory('s'), group)
      const huge = { maxTokens: 10, countTokens: () => 1000 }
      await store.addMessages('s', turns(1, 9))
      same(texts(await store.getHistory('s', huge)), ['turn 9'])
      assert.equal((await store.trim('s', huge)).overBudget, true, 'overBudget')
      same(texts(await store.getHistory('s')), ['turn 9'])
    },
  },
  {
    id: 'trimming.5/waiting-call-stays',
    clause: 'trimming.5',
    level: 'full',
    needs: ['windows'],
    title: 'a pending tool call is kept, an abandoned one is cut',
    async run({ store }) {
      await store.addMessages('running', [...turns(3), call('a', 'b'), result('a')])
      await store.trim('running', { maxEntries: 1 })
      await store.addMessages('running', [result('b')])
      same(await store.getHistory('running'), [call('a', 'b'), result('a'), result('b')])
      await store.addMessages('abandoned', [call('a'), ...turns(6)])
      await store.trim('abandoned', { maxEntries: 2 })
      same(await store.getHistory('abandoned'), turns(2, 5))
    },
  },
  {
    id: 'trimming.6/tokens-and-both-budgets',
    clause: 'trimming.6',
    level: 'full',
    needs: ['windows', 'codes'],
    title: 'the caller counts tokens, and both budgets hold',
    async run({ store }) {
      const countTokens = ({ content }: ChatMessage) => String(content).length
      await store.addMessages(
        's',
        ['aaaa', 'bbb', 'cc', 'd'].map((content) => ({ role: 'user', content })),
      )
      const view = async (maxTokens: number, maxEntries?: number) =>
        texts(await store.getHistory('s', { maxTokens, countTokens, maxEntries }))
      same(await view(10), ['aaaa', 'bbb', 'cc', 'd'])
      same(await view(9), ['bbb', 'cc', 'd'])
      same(await view(3), ['cc', 'd'])
      same(await view(9, 1), ['d'])
      for (const wrong of [Number.NaN, -1, undefined, '3', 10n]) {
        const refused = { name: 'TypeError', code: 'INVALID_ARGUMENT' }
        const budget = { maxTokens: 6, countTokens: () => wrong as number }
        await assert.rejects(store.getHistory('s', budget), refused)
        await assert.rejects(store.trim('s', budget), refused)
      }
      await store.trim('s', { maxTokens: 6, countTokens })
      same(texts(await store.getHistory('s')), ['bbb', 'cc', 'd'])
      await store.compact('s', { keep: 2, summarize: () => 'sss' })
      same(texts(await store.getHistory('s')), ['sss', 'cc', 'd'])
      same(await view(6), ['sss', 'cc', 'd'])
      same(await view(5), ['sss', 'd'], 'summaries are counted')
      await store.trim('s', { maxTokens: 5, countTokens })
      same(texts(await store.getHistory('s')), ['sss', 'd'])
    },
  },
  {
    id: 'trimming.7/records-go-summaries-stay',
    clause: 'trimming.7',
    level: 'full',
    needs: ['versions'],
    title: 'tool-call records before the cut are removed, summaries stay',
    async run({ store }) {
      await store.addMessages('s', turns(2))
      await store.recordToolCall('s', { id: 'old', name: 'tool' })
      await store.addSummary('s', { text: 'kept', embedding: [1, 0] })
      await store.addMessages('s', turns(2, 3))
      await store.recordToolCall('s', { id: 'new', name: 'tool' })
      await store.trim('s', { maxEntries: 2 })
      const entries = await store.getEntries('s')
      same(
        entries.map(({ seq }) => seq),
        [4, 5, 6, 7],
      )
      assert.equal((await store.recall('s', [1, 0])).length, 1)
    },
  },
  {
    id: 'trimming.8/trimming-under-50-writers',
    clause: 'trimming.8',
    level: 'full',
    needs: ['versions'],
    title: 'trimming under 50 concurrent writers finishes and loses nothing they add',
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
      const trim = async () => {
        const first = await store.trim('s', { maxEntries: 400 })
        while (writing) await store.trim('s', { maxEntries: 400 })
        return first.removed
      }
      const [added, removed] = await Promise.all([all, trim()])
      assert.ok(removed >= 600, 'the old turns are cut')
      const seqs = added.flat().sort((a, b) => a - b)
      const history = await store.getHistory('s')
      same(
        history.seqs,
        [...history.seqs].sort((a, b) => a - b),
      )
      same(history.seqs.slice(-300), seqs)
    },
  },
  {
    id: 'trimming.9/begins-with-a-user',
    clause: 'trimming.9',
    level: 'full',
    needs: ['windows'],
    title: 'what is kept begins with a user message on request, in a view and after a trim',
    async run({ store }) {
      const said = (role: string, content: string): ChatMessage => ({ role, content })
      const conversation: ChatMessage[] = [
        system('rules'),
        said('assistant', 'welcome'),
        said('user', 'u1'),
        call('a'),
        result('a'),
        said('assistant', 'a1'),
        said('user', 'u2'),
        { role: 'assistant', content: [{ type: 'tool_use', id: 'b', name: 'tool', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'b', content: 'r' }] },
        said('assistant', 'a2'),
      ]
      const check = async (messages: ChatMessage[], budget: TrimBudget, expected: [number[], boolean]) => {
        const id = JSON.stringify([messages.length, budget])
        await store.addMessages(id, messages)
        const options = { ...budget, startOn: 'user' as const }
        const view = await store.getHistory(id, options)
        same(
          view,
          expected[0].map((index) => messages[index]),
          id,
        )
        const { overBudget, removed } = await store.trim(id, options)
        same(await store.getHistory(id), view, `the view and the trim keep the same: ${id}`)
        same([view.overBudget, overBudget, removed], [expected[1], expected[1], messages.length - view.length], id)
      }
      const newer = [6, 7, 8, 9]
      const older = [2, 3, 4, 5, ...newer]
      for (let maxEntries = 1; maxEntries <= 11; maxEntries++) {
        await check(conversation, { maxEntries }, [maxEntries < 8 ? newer : older, maxEntries < 4])
        const kept = [0, ...(maxEntries < 9 ? newer : older)]
        await check(conversation, { maxEntries, keepSystem: true }, [kept, maxEntries < 5])
      }
      await check(conversation.slice(8), { maxEntries: 5 }, [[0, 1], false])
      const orphan = [conversation[8] as ChatMessage, ...turns(3, 2)]
      await check(orphan, { maxEntries: 4 }, [[2, 3], false])
      await check([...turns(2), system('later'), ...turns(2, 3)], { maxEntries: 4 }, [[2, 3, 4], false])
      const nobody = ['x', 'y', 'z'].map((text) => said('assistant', text))
      await check(nobody, { maxEntries: 2 }, [[1, 2], false])
      const within = [...nobody, call('c'), said('user', 'u'), result('c'), said('assistant', 'a')]
      await check(within, { maxEntries: 2 }, [[6], false])
    },
  },
  {
    id: 'trimming.9/far-back-and-after-a-summary',
    clause: 'trimming.9',
    level: 'full',
    needs: ['windows'],
    title: 'a view finds the user message it begins with however far back, and after a summary',
    async run({ store }) {
      const budget = { maxEntries: 4, startOn: 'user' } as const
      await store.addMessages('long', turns(2400))
      same(await store.getHistory('long', budget), turns(4, 2397))
      same(await store.getHistory('long', { ...budget, maxEntries: 5 }), turns(4, 2397))
      const alone = Array.from({ length: 1300 }, (_, index) => ({ role: 'assistant', content: `step ${index}` }))
      await store.addMessages('alone', [...turns(3), ...alone])
      const view = await store.getHistory('alone', budget)
      same(view, [...turns(1, 3), ...alone])
      assert.equal(view.overBudget, true, 'overBudget')
      await store.addMessages('s', turns(6))
      await store.compact('s', { keep: 3, summarize: () => 'sum' })
      same(texts(await store.getHistory('s', budget)), ['sum', 'turn 5', 'turn 6'])
      await store.trim('s', budget)
      same(texts(await store.getHistory('s')), ['sum', 'turn 5', 'turn 6'])
      for (const wrong of [{ startOn: 'user' }, { maxEntries: 2, startOn: 'assistant' }]) {
        await assert.rejects(store.getHistory('s', wrong as never), TypeError)
        await assert.rejects(store.trim('s', wrong as never), TypeError)
      }
    },
  },
]
