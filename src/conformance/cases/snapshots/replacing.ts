import assert from 'node:assert/strict'
import type { EntryInput } from '../../../core/entries.ts'
import { same } from '../helpers/same.ts'
import { turns } from '../helpers/samples.ts'
import { withoutExtras } from '../helpers/without-extras.ts'
import type { WrittenCase } from '../written-case.ts'
import { fill } from './helpers/filled-session.ts'

const level = 'snapshots' as const
const clause = 'rewinding.6'

const state = (step: number): EntryInput => ({ kind: 'record', record: { type: 'state', step } })
const said = (content: string): EntryInput => ({ kind: 'message', message: { role: 'user', content } })

/** An entry of each kind, a summary both ways. */
const everyKind: readonly EntryInput[] = [
  { kind: 'summary', standsIn: true, summary: { text: 'so far', embedding: Float32Array.of(1, 0) } },
  said('new'),
  { kind: 'toolCall', toolCall: { id: 'd', name: 'n', result: new Uint8Array([0, 255]), note: null } },
  { kind: 'record', record: { type: 'plan', bytes: new Uint8Array([7]), deep: [[]] } },
  { kind: 'summary', standsIn: false, summary: { text: 'by hand', embedding: Float32Array.of(0, 1) } },
]

export const replacing: WrittenCase[] = [
  {
    level,
    clause,
    id: 'rewinding.6/entries-of-every-kind',
    needs: ['versions', 'edits', 'bytes', 'codes'],
    title: 'entries of every kind take the place of entries of every kind, which are returned',
    async run({ store, again }) {
      await fill(store)
      await store.addEntries('s', [state(1)])
      const before = await store.getEntries('s')
      const place = { before: before[1]?.seq ?? 0 }
      const { version } = before
      for (const [given, path] of [
        [[state(2), { kind: 'record', record: { step: 1 } }], 'entries[1].record.type'],
        [[said('x'), { kind: 'message', message: { role: 'user', content: 5n } }], 'entries[1].message.content'],
        ['none', 'entries'],
      ] as const) {
        const refused = { code: 'INVALID_ENTRY', path }
        await assert.rejects(store.rewind('s', { ...place, entries: given as never }), refused)
      }
      const both = { ...place, add: turns(1), entries: [state(2)] }
      await assert.rejects(store.rewind('s', both), { name: 'TypeError', code: 'INVALID_ARGUMENT' })
      const stale = { ...place, entries: [state(2)], ifVersion: null }
      await assert.rejects(store.rewind('s', stale), { code: 'VERSION_CONFLICT' })
      assert.equal((await store.getEntries('s')).version, version, 'a refused rewind changes nothing')
      const rewound = await store.rewind('s', { ...place, entries: everyKind, snapshot: { id: 'left' } })
      same(rewound.removed, before.slice(1).map(withoutExtras))
      for (const handle of [store, await again()]) {
        const now = await handle.getEntries('s')
        const added = everyKind.map((entry, index) => ({ ...entry, seq: rewound.seqs[index], at: now[index + 1]?.at }))
        same(now, [...before.slice(0, 1).map(withoutExtras), ...added])
        assert.equal(now.version, rewound.version)
        same(await handle.getHistory('s'), [
          ...turns(1),
          { role: 'system', content: 'so far' },
          { role: 'user', content: 'new' },
        ])
        same(
          (await handle.recall('s', [0, 1])).map(({ summary }) => summary.text),
          ['by hand', 'so far'],
        )
        same(await handle.getEntries('s', { at: 'left' }), before.map(withoutExtras))
      }
      const all = await store.rewind('s', { to: 0, entries: [] })
      same(
        all.removed.map(({ seq }) => seq),
        [before[0]?.seq, ...rewound.seqs],
      )
      same([all.seqs, [...(await store.getEntries('s'))]], [[], []])
      const begun = await store.rewind('new', { to: 0, entries: everyKind, ifVersion: null })
      same([begun.removed, begun.seqs], [[], everyKind.map((_, index) => index + 1)])
      await store.rewind('none', { to: 0, entries: [] })
      assert.equal(await store.sessionInfo('none'), null)
    },
  },
  {
    level,
    clause,
    id: 'rewinding.6/each-kept-or-returned',
    needs: ['versions', 'edits'],
    title: 'while others add, the end is replaced in one step, and each entry is kept or returned, once',
    async run({ store, again }) {
      const other = await again()
      const known: number[] = []
      const cut: number[] = []
      known.push(...(await store.addEntries('s', [...turns(2).map(asEntry), state(0), said('step 0')])).seqs)
      let isDone = false
      const replace = async () => {
        for (let step = 1; step <= 20; step++) {
          const now = await store.getEntries('s')
          const from = now.find(({ kind }) => kind === 'record')?.seq ?? 0
          const { removed, seqs } = await store.rewind('s', {
            before: from,
            entries: [state(step), said(`step ${step}`)],
          })
          known.push(...seqs)
          cut.push(...removed.map(({ seq }) => seq))
        }
      }
      const write = async (writer: number) => {
        while (!isDone) {
          const { seqs } = await other.addEntries('s', [
            { kind: 'toolCall', toolCall: { id: `by ${writer}`, name: 'n' } },
            said(`by ${writer}`),
          ])
          known.push(...seqs)
        }
      }
      const watch = async () => {
        while (!isDone) {
          const [, , first, second] = await other.getEntries('s')
          const step = first?.kind === 'record' ? first.record['step'] : undefined
          const text = second?.kind === 'message' ? second.message.content : undefined
          assert.equal(text, `step ${step}`, 'a reader saw an end that was cut or half replaced')
        }
      }
      const replacing = replace().finally(() => {
        isDone = true
      })
      await Promise.all([replacing, write(1), write(2), watch()])
      const kept = (await store.getEntries('s')).map(({ seq }) => seq)
      same(inOrder([...kept, ...cut]), inOrder(known), 'each entry is on the path or in one result')
      same((await store.verify('s')).damage, [])
    },
  },
]

function asEntry(message: object): EntryInput {
  return { kind: 'message', message: message as never }
}

function inOrder(seqs: readonly number[]): number[] {
  return seqs.toSorted((a, b) => a - b)
}
