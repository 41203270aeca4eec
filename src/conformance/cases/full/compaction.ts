import assert from 'node:assert/strict'
import type { ChatMessage } from '../../../core/entries.ts'
import type { CompactOptions } from '../../../core/types.ts'
import { same } from '../helpers/same.ts'
import { texts, toolCall, toolResult, turns } from '../helpers/samples.ts'
import { waiting } from '../helpers/waiting.ts'
import type { WrittenCase } from '../written-case.ts'

const rules: ChatMessage = { role: 'system', content: 'rules' }

export const compaction: WrittenCase[] = [
  {
    id: 'compaction.1/summary-in-place',
    clause: 'compaction.1',
    level: 'full',
    needs: ['versions'],
    title: 'the summary comes after the leading system messages, in place of the old turns',
    async run({ store }) {
      await store.addMessages('s', [rules, ...turns(10)])
      const seen: ChatMessage[][] = []
      const compacted = await store.compact('s', {
        keep: 4,
        summarize: (old) => {
          seen.push(old)
          return { text: 'six turns', embedding: [0.5, 0.25] }
        },
      })
      same(seen, [turns(6)])
      same([compacted.removed, compacted.seq], [6, 12])
      const history = await store.getHistory('s')
      same(history, [rules, { role: 'system', content: 'six turns' }, ...turns(4, 7)])
      same(history.seqs, [1, 12, 8, 9, 10, 11])
      const [entry] = (await store.getEntries('s', { kinds: ['summary'] })).filter(({ seq }) => seq === 12)
      assert.ok(entry?.kind === 'summary' && entry.standsIn, 'the summary is an entry that stands in for turns')
      same(entry.summary.covers, [[2, 7]])
      same(entry.summary.embedding, Float32Array.of(0.5, 0.25))
      assert.equal((await store.recall('s', [0.5, 0.25]))[0]?.score, 1)
      await store.addMessages('s', turns(1, 11))
      same(texts(await store.getHistory('s')).slice(1), ['six turns', ...texts(turns(5, 7))])
    },
  },
  {
    id: 'compaction.1/earlier-summary-replaced',
    clause: 'compaction.1',
    level: 'full',
    title: 'the next summary replaces the earlier one along with the turns',
    async run({ store }) {
      await store.addMessages('s', [rules, ...turns(6)])
      await store.addSummary('s', { text: 'by hand', embedding: [1] })
      await store.compact('s', { keep: 2, summarize: () => 'first' })
      await store.addMessages('s', turns(3, 7))
      await store.compact('s', { keep: 2, summarize: (old) => `second of ${texts(old).join(', ')}` })
      same(texts(await store.getHistory('s')), ['rules', 'second of first, turn 5, turn 6, turn 7', 'turn 8', 'turn 9'])
      same(
        (await store.recall('s', [1])).map(({ summary }) => summary.text),
        ['by hand'],
      )
      await store.compact('s', { keep: 0, summarize: () => 'all' })
      same(texts(await store.getHistory('s')), ['rules', 'all'])
      same(
        (await store.recall('s', [1])).map(({ summary }) => summary.text),
        ['by hand'],
      )
    },
  },
  {
    id: 'compaction.2/appended-meanwhile',
    clause: 'compaction.2',
    level: 'full',
    title: 'turns appended while the summary is being made are kept exactly once',
    async run({ store, again }) {
      const other = await again()
      await store.addMessages('s', turns(8))
      await store.compact('s', {
        keep: 2,
        summarize: async () => {
          await store.addMessages('s', turns(2, 9))
          await other.addMessages('s', turns(1, 11))
          await store.recordToolCall('s', { id: 'c', name: 'n' })
          await store.addSummary('s', { text: 'by hand' })
          await store.saveSnapshot('s', { id: 'meanwhile' })
          return 'sum'
        },
      })
      same(texts(await store.getHistory('s')), ['sum', ...texts(turns(5, 7))])
      assert.equal((await store.getEntries('s', { kinds: ['toolCall'] })).length, 1)
      assert.equal((await store.getEntries('s', { kinds: ['summary'] })).length, 2)
      same(
        (await store.listSnapshots('s')).map(({ id, entries }) => ({ id, entries })),
        [{ id: 'meanwhile', entries: 13 }],
      )
      await store.addMessages('t', turns(3))
      await store.compact('t', { keep: 0, summarize: () => store.addMessages('t', turns(1, 4)).then(() => 'sum') })
      same(texts(await store.getHistory('t')), ['sum', 'turn 4'])
    },
  },
  {
    id: 'compaction.3/two-compactions-at-once',
    clause: 'compaction.3',
    level: 'full',
    needs: ['versions'],
    title: 'of two concurrent compactions, one summary stays, and the loser does not ask the model again',
    async run({ store }) {
      await store.addMessages('s', turns(8))
      const bothAsked = waiting()
      let asked = 0
      const compact = (name: string) =>
        store.compact('s', {
          keep: 2,
          summarize: async () => {
            asked += 1
            if (asked === 2) bothAsked.end()
            await bothAsked.promise
            return name
          },
        })
      const results = await Promise.all([compact('one'), compact('two')])
      assert.equal(asked, 2)
      same(results.map(({ removed }) => removed).sort(), [0, 6])
      const [summary, ...rest] = texts(await store.getHistory('s'))
      assert.ok(summary === 'one' || summary === 'two', `the summary is ${summary}`)
      same(rest, ['turn 7', 'turn 8'])
      assert.equal(
        (await store.compact('s', { keep: 2, summarize: () => assert.fail('nothing is left to do') })).seq,
        null,
      )
    },
  },
  {
    id: 'compaction.3/summary-from-before-rollback',
    clause: 'compaction.3',
    level: 'full',
    title: 'a summary made before a rollback is not applied after it',
    async run({ store }) {
      await store.addMessages('s', turns(4))
      const snapshot = await store.saveSnapshot('s')
      await store.addMessages('s', turns(4, 5))
      const asked: unknown[][] = []
      await store.compact('s', {
        keep: 1,
        summarize: async (old) => {
          asked.push(texts(old))
          if (asked.length === 1) await store.rollbackToSnapshot('s', snapshot.id)
          return `${old.length} turns`
        },
      })
      same(asked, [texts(turns(7)), texts(turns(3))])
      same(texts(await store.getHistory('s')), ['3 turns', 'turn 4'])
    },
  },
  {
    id: 'compaction.4/no-summary-no-change',
    clause: 'compaction.4',
    level: 'full',
    needs: ['versions', 'codes'],
    title: 'if summarize throws or returns no summary, nothing changes',
    async run({ store }) {
      await store.addMessages('s', turns(6))
      const before = await store.getEntries('s')
      const broken = new Error('the model is down')
      await assert.rejects(
        store.compact('s', { keep: 1, summarize: () => Promise.reject(broken) }),
        (error) => error === broken,
      )
      await assert.rejects(
        store.compact('s', {
          keep: 1,
          summarize: () => {
            throw broken
          },
        }),
        (error) => error === broken,
      )
      for (const none of [undefined, null, 42, {}, { text: null }]) {
        await assert.rejects(store.compact('s', { keep: 1, summarize: () => none as never }), {
          code: 'INVALID_ENTRY',
        })
      }
      await assert.rejects(store.compact('s', { keep: 1, summarize: () => ({ text: 'x', embedding: [] }) }), {
        code: 'INVALID_ENTRY',
      })
      const after = await store.getEntries('s')
      same(after, before)
      assert.equal(after.version, before.version)
    },
  },
  {
    id: 'compaction.5/calls-with-their-results',
    clause: 'compaction.5',
    level: 'full',
    title: 'a tool call and its results are compacted together or not at all',
    async run({ store }) {
      const conversation = [...turns(2), toolCall('a', 'b'), toolResult('a'), toolResult('b'), ...turns(3, 3)]
      const stays = { 0: 0, 1: 1, 2: 2, 3: 3, 4: 3, 5: 3, 6: 6, 7: 7 }
      for (const [keep, length] of Object.entries(stays)) {
        await store.addMessages(keep, conversation)
        await store.compact(keep, { keep: Number(keep), summarize: () => 'sum' })
        const [summary, ...rest] = await store.getHistory(keep)
        same(summary, { role: 'system', content: 'sum' }, `keep: ${keep}`)
        same(rest, conversation.slice(conversation.length - length), `keep: ${keep}`)
      }
    },
  },
  {
    id: 'compaction.6/undone-turn-by-turn',
    clause: 'compaction.6',
    level: 'full',
    needs: ['windows'],
    title: 'a rollback undoes a compaction, turn by turn',
    async run({ store }) {
      await store.addMessages('s', [rules, ...turns(9)])
      const before = await store.getEntries('s')
      const snapshot = await store.saveSnapshot('s')
      await store.compact('s', { keep: 2, summarize: () => 'sum' })
      const compacted = await store.getEntries('s')
      const later = await store.saveSnapshot('s')
      await store.rollbackToSnapshot('s', snapshot.id)
      same(await store.getEntries('s'), before)
      await store.sweep()
      await store.rollbackToSnapshot('s', later.id)
      same(await store.getEntries('s'), compacted)
      await store.trim('s', { maxEntries: 1 })
      same(texts(await store.getHistory('s')), ['sum', 'turn 9'])
      same(texts(await store.getHistory('s', { maxEntries: 1 })), ['sum', 'turn 9'])
    },
  },
  {
    id: 'compaction.7/kept-by-tokens',
    clause: 'compaction.7',
    level: 'full',
    needs: ['codes'],
    title: 'the newest messages within keepTokens stay, and with two limits both hold',
    async run({ store }) {
      const countTokens = ({ content }: ChatMessage) => (content === null ? 1 : String(content).length)
      const said = (content: string): ChatMessage => ({ role: 'user', content })
      const conversation = [rules, said('aaaa'), said('bbb'), toolCall('x'), toolResult('x'), said('cc'), said('d')]
      const kept = async (options: Partial<CompactOptions>) => {
        const id = JSON.stringify(options)
        await store.addMessages(id, conversation)
        const { removed } = await store.compact(id, { ...options, summarize: () => 'a long summary' })
        const [first, second, ...rest] = await store.getHistory(id)
        same(
          [first, second],
          removed === 0 ? conversation.slice(0, 2) : [rules, { role: 'system', content: 'a long summary' }],
        )
        same(rest, conversation.slice(conversation.length - rest.length), id)
        return removed === 0 ? 'all' : rest.length
      }
      same(await kept({ keepTokens: 1, countTokens }), 1)
      same(await kept({ keepTokens: 2.5, countTokens }), 1)
      same(await kept({ keepTokens: 3, countTokens }), 2)
      same(await kept({ keepTokens: 14, countTokens }), 2)
      same(await kept({ keepTokens: 15, countTokens }), 4)
      same(await kept({ keepTokens: 18, countTokens }), 5)
      same(await kept({ keepTokens: 22, countTokens }), 'all')
      same(await kept({ keepTokens: 18, countTokens, keep: 3 }), 2)
      same(await kept({ keepTokens: 3, countTokens, keep: 5 }), 2)
      same(await kept({ keepTokens: 18, countTokens, keep: 0 }), 0)
      same(await kept({ keepTokens: 0.5, countTokens }), 1)
      const summarize = () => assert.fail('a wrong call asks for no summary')
      const wrong = [
        {},
        { keepTokens: 3 },
        { keep: 3, countTokens },
        { keepTokens: 0, countTokens },
        { keepTokens: Number.NaN, countTokens },
      ]
      for (const options of [...wrong, { keepTokens: 3, countTokens: () => -1 }]) {
        await store.addMessages('wrong', turns(2))
        await assert.rejects(store.compact('wrong', { ...options, summarize }), { code: 'INVALID_ARGUMENT' })
      }
    },
  },
  {
    id: 'compaction.8/role-of-the-summary',
    clause: 'compaction.8',
    level: 'full',
    needs: ['codes'],
    title: 'the summary has the requested role on every later read',
    async run({ store, again }) {
      await store.addMessages('s', [rules, ...turns(6)])
      await store.compact('s', { keep: 2, summarize: () => 'first', summaryRole: 'user' })
      const first = { role: 'user', content: 'first' }
      const snapshot = await store.saveSnapshot('s')
      for (const handle of [store, await again()]) {
        same(await handle.getHistory('s'), [rules, first, ...turns(2, 5)])
        same((await handle.getHistory('s', { first: 2 }))[1], first)
        same(await handle.getHistory('s', { maxEntries: 1 }), [first, ...turns(1, 6)])
      }
      await store.fork('s', 'forked')
      same((await store.getHistory('forked'))[1], first)
      await store.addMessages('s', turns(1, 7))
      const asked: ChatMessage[][] = []
      await store.compact('s', {
        keep: 1,
        summarize: (old) => {
          asked.push(old)
          return { text: 'second', embedding: [1] }
        },
      })
      same(asked, [[first, ...turns(2, 5)]])
      same((await store.getHistory('s'))[1], { role: 'system', content: 'second' })
      same((await store.getHistory('s', { at: snapshot.id }))[1], first)
      const summarize = () => assert.fail('a wrong role asks for no summary')
      const wrong = { keep: 0, summarize, summaryRole: 'robot' as never }
      await assert.rejects(store.compact('s', wrong), { code: 'INVALID_ARGUMENT' })
    },
  },
  {
    id: 'compaction.9/summary-as-the-caller-shows-it',
    clause: 'compaction.9',
    level: 'full',
    needs: ['summaryMessage', 'windows'],
    title: 'a summary appears as the message that summaryMessage returns, wherever messages are shown',
    async run({ open }) {
      const store = await open({
        summaryMessage: ({ text, role, covers }) => ({ role: role ?? 'system', content: `<${text} of ${covers}>` }),
      })
      await store.addMessages('s', [rules, ...turns(6)])
      await store.compact('s', { keep: 2, summarize: () => 'first', summaryRole: 'user' })
      const shown = { role: 'user', content: '<first of 2,5>' }
      same(await store.getHistory('s'), [rules, shown, ...turns(2, 5)])
      same(await store.getHistory('s', { last: 3 }), [shown, ...turns(2, 5)])
      const counted: ChatMessage[] = []
      const countTokens = (message: ChatMessage) => counted.push(message)
      same(await store.getHistory('s', { maxTokens: 1000, countTokens }), [rules, shown, ...turns(2, 5)])
      same(counted.filter(({ content }) => content === shown.content).length, 1)
      const asked: ChatMessage[][] = []
      await store.compact('s', {
        keep: 1,
        summarize: (old) => {
          asked.push(old)
          return 'second'
        },
      })
      same(asked, [[shown, ...turns(1, 5)]])
      same((await store.getHistory('s'))[1]?.content, '<second of 8,8,6,6>')
      const [entry] = await store.getEntries('s', { kinds: ['summary'] })
      same(entry?.kind === 'summary' && entry.summary.text, 'second', 'the entry itself is as it was made')
    },
  },
]
