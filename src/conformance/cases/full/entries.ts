import assert from 'node:assert/strict'
import type { Entry, EntryInput } from '../../../core/entries.ts'
import type { FullStore } from '../../case.ts'
import { same } from '../helpers/same.ts'
import { richTurns, texts, turns } from '../helpers/samples.ts'
import { withoutExtras } from '../helpers/without-extras.ts'
import type { WrittenCase } from '../written-case.ts'

const record = (step: number): EntryInput => ({ kind: 'record', record: { type: 'state', step } })
const message = (turn: number): EntryInput => ({ kind: 'message', message: turns(1, turn)[0] as never })

/** Turns, each with a record after it. */
const alternating = (count: number, from = 1): EntryInput[] =>
  Array.from({ length: count }, (_, index) => [message(from + index), record(from + index)]).flat()

const stepsOf = async (store: FullStore, at?: string) =>
  (await store.getEntries('s', { kinds: ['record'], at })).map(
    (entry) => entry.kind === 'record' && entry.record['step'],
  )

const seqsOf = (entries: readonly Entry[]) => entries.map(({ seq }) => seq)

export const entries: WrittenCase[] = [
  {
    id: 'adding.10/what-was-read-is-added',
    clause: 'adding.10',
    level: 'full',
    needs: ['versions', 'bytes'],
    title: 'entries of every kind that getEntries returned can be added elsewhere and read the same',
    async run({ store }) {
      const state = { type: 'plan', steps: [1, { done: null }], bytes: new Uint8Array([0, 255]), 'a.b': '', deep: [[]] }
      await store.addMessages('s', [...richTurns, ...turns(3)])
      await store.recordToolCall('s', { id: 'c', name: 'n', result: new Uint8Array([1]), extra: null })
      await store.addSummary('s', { text: 'by hand', embedding: Float32Array.of(0.1, -0), note: 1 })
      await store.addEntries('s', [{ kind: 'record', record: state }])
      await store.compact('s', { keep: 2, summarize: () => ({ text: 'so far', embedding: [1, 0] }) })
      const given = (await store.getEntries('s')).map(withoutExtras)
      same([...new Set(given.map(({ kind }) => kind))].sort(), ['message', 'record', 'summary', 'toolCall'])
      const added = await store.addEntries('t', given)
      same(
        added.seqs,
        given.map((_, index) => index + 1),
      )
      const read = await store.getEntries('t')
      same(
        read,
        given.map((entry, index) => ({ ...entry, seq: index + 1, at: read[index]?.at })),
      )
      same(await store.getHistory('t'), [...(await store.getHistory('s'))])
      same((await store.recall('t', [1, 0]))[0]?.summary.text, 'so far')
      same((await store.getHistory('t')).version, added.version)
    },
  },
  {
    id: 'adding.10/all-or-none',
    clause: 'adding.10',
    level: 'full',
    needs: ['codes'],
    title: 'one bad entry rejects the whole batch, and the error says where it is',
    async run({ store }) {
      const places: [unknown, string][] = [
        [null, 'entries[1]'],
        [{ record: { type: 'no kind' } }, 'entries[1].kind'],
        [{ kind: 'other', other: {} }, 'entries[1].kind'],
        [{ kind: 'record' }, 'entries[1].record'],
        [{ kind: 'record', record: { step: 1 } }, 'entries[1].record.type'],
        [{ kind: 'record', record: { type: 'state', at: new Date(0) } }, 'entries[1].record.at'],
        [
          { kind: 'message', message: { role: 'user', content: 'x', metadata: { n: 5n } } },
          'entries[1].message.metadata.n',
        ],
        [{ kind: 'summary', summary: {} }, 'entries[1].summary.text'],
        [{ kind: 'summary', standsIn: 'yes', summary: { text: 't' } }, 'entries[1].standsIn'],
        [{ kind: 'record', record: { type: 'state' }, note: 'lost' }, 'entries[1].note'],
      ]
      for (const [bad, path] of places) {
        const batch = [record(1), bad as EntryInput, record(2)]
        await assert.rejects(store.addEntries('s', batch), { code: 'INVALID_ENTRY', path })
      }
      await assert.rejects(store.addEntries('s', 'entries' as never), { code: 'INVALID_ENTRY' })
      same((await store.addEntries('s', [])).seqs, [])
      assert.equal(await store.sessionInfo('s'), null)
    },
  },
  {
    id: 'records.1/outside-the-prompt',
    clause: 'records.1',
    level: 'full',
    needs: ['versions', 'windows'],
    title: 'records are entries, but not part of the history or of a budget',
    async run({ store }) {
      await store.addEntries('s', alternating(6))
      same(await store.getHistory('s'), turns(6))
      same(await store.getHistory('s', { last: 4 }), turns(4, 3))
      same(await store.getHistory('s', { maxEntries: 2 }), turns(2, 5))
      const countTokens = () => 1
      same(await store.getHistory('s', { maxTokens: 3, countTokens }), turns(3, 4))
      same(await stepsOf(store), [1, 2, 3, 4, 5, 6])
      same(seqsOf(await store.getEntries('s', { kinds: ['record'], last: 2 })), [10, 12])
      same((await store.sessionInfo('s'))?.entries, 12)
    },
  },
  {
    id: 'records.2/stay-through-trim',
    clause: 'records.2',
    level: 'full',
    needs: ['versions'],
    title: 'trimming keeps every record, in path order',
    async run({ store }) {
      await store.addEntries('s', [record(0), { kind: 'message', message: { role: 'system', content: 'rules' } }])
      await store.addEntries('s', alternating(4))
      await store.addSummary('s', { text: 'by hand' })
      await store.addEntries('s', alternating(4, 5))
      await store.trim('s', { maxEntries: 3, keepSystem: true })
      same(seqsOf(await store.getEntries('s')), [1, 2, 4, 6, 8, 10, 11, 13, 15, 16, 17, 18, 19])
      same(texts(await store.getHistory('s')), ['rules', 'turn 7', 'turn 8'])
      await store.trim('s', { maxEntries: 1 })
      same(await stepsOf(store), [0, 1, 2, 3, 4, 5, 6, 7, 8])
      same(texts(await store.getHistory('s')), ['turn 8'])
      same((await store.verify('s')).damage, [])
    },
  },
  {
    id: 'records.2/stay-through-compact',
    clause: 'records.2',
    level: 'full',
    needs: ['versions'],
    title: 'compaction keeps every record, in path order, and summarizes none',
    async run({ store }) {
      await store.addEntries('s', [{ kind: 'message', message: { role: 'system', content: 'rules' } }, record(0)])
      await store.addEntries('s', alternating(4))
      const asked: unknown[] = []
      const summarize = (old: readonly { content?: unknown }[]) => {
        asked.push(...old.map(({ content }) => content))
        return 'so far'
      }
      await store.compact('s', { keep: 2, summarize })
      same(asked, texts(turns(2)))
      same(seqsOf(await store.getEntries('s')), [1, 2, 11, 4, 6, 7, 8, 9, 10])
      await store.compact('s', { keep: 0, summarize: () => 'all' })
      same(await stepsOf(store), [0, 1, 2, 3, 4])
      same(texts(await store.getHistory('s')), ['rules', 'all'])
    },
  },
  {
    id: 'records.3/gone-with-clear',
    clause: 'records.3',
    level: 'full',
    needs: ['versions'],
    title: 'a clear or a rewind removes records; a rollback, a fork or an import brings them back',
    async run({ store }) {
      await store.addEntries('s', alternating(3))
      await store.saveSnapshot('s', { id: 'three' })
      await store.rewind('s', { to: 3 })
      same(await stepsOf(store), [1])
      await store.clear('s')
      same(await store.getEntries('s'), [])
      await store.sweep('s')
      same(await stepsOf(store, 'three'), [1, 2, 3])
      await store.rollbackToSnapshot('s', 'three')
      same(await stepsOf(store), [1, 2, 3])
      const content = async (id: string) => (await store.getEntries(id)).map(({ seq, at, ...entry }) => entry)
      await store.fork('s', 'forked')
      same(await content('forked'), await content('s'))
      await store.importSession({ ...(await store.exportSession('s')), id: 'imported' })
      same(await store.getEntries('imported'), [...(await store.getEntries('s'))])
    },
  },
  {
    id: 'records.4/cut-on-request',
    clause: 'records.4',
    level: 'full',
    needs: ['versions', 'edits', 'codes'],
    title: 'trimming removes records only on request, and only those before the cut',
    async run({ store }) {
      await store.addEntries('s', alternating(4))
      await store.saveSnapshot('s', { id: 'all' })
      await store.trim('s', { maxEntries: 9, records: 'cut' })
      same(await stepsOf(store), [1, 2, 3, 4], 'nothing is cut, and no record')
      await store.trim('s', { maxEntries: 3, records: 'keep' })
      same(await stepsOf(store), [1, 2, 3, 4])
      await store.trim('s', { maxEntries: 2, records: 'cut' })
      same(await stepsOf(store), [3, 4])
      same(texts(await store.getHistory('s')), ['turn 3', 'turn 4'])
      same(await stepsOf(store, 'all'), [1, 2, 3, 4])
      const invalid = { name: 'TypeError', code: 'INVALID_ARGUMENT' }
      await assert.rejects(store.trim('s', { maxEntries: 1, records: 'all' as never }), invalid)
    },
  },
]
