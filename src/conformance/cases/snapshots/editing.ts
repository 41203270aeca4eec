import assert from 'node:assert/strict'
import { same } from '../helpers/same.ts'
import { texts, turns } from '../helpers/samples.ts'
import { withoutExtras } from '../helpers/without-extras.ts'
import type { WrittenCase } from '../written-case.ts'
import { fill } from './helpers/filled-session.ts'

const level = 'snapshots' as const
const edited = (text: string) => [{ role: 'user' as const, content: text }]

export const editing: WrittenCase[] = [
  {
    level,
    id: 'rewinding.3/same-message-edited-twice',
    clause: 'rewinding.3',
    needs: ['versions', 'edits', 'bytes'],
    title: 'cutting before an entry works on any branch, however often the same message was edited',
    async run({ store }) {
      await store.addMessages('s', turns(4))
      let seq = 3
      for (const text of ['first edit', 'second edit', 'third edit']) {
        const before = await store.getEntries('s')
        const { removed } = await store.rewind('s', { before: seq })
        same(removed, before.slice(2).map(withoutExtras))
        seq = (await store.addMessages('s', edited(text))).seqs[0] ?? 0
        await store.addMessages('s', turns(1, 4))
        same(texts(await store.getHistory('s')), ['turn 1', 'turn 2', text, 'turn 4'])
      }
      await store.compact('s', { keep: 1, summarize: () => 'so far' })
      const [summary, last] = (await store.getHistory('s')).seqs
      same((await store.rewind('s', { before: last ?? 0 })).removed.length, 1)
      same((await store.rewind('s', { before: summary ?? 0 })).removed.length, 1)
      same(await store.getEntries('s'), [])
      await fill(store)
      const all = await store.getEntries('s')
      same((await store.rewind('s', { before: all[1]?.seq ?? 0 })).removed, all.slice(1).map(withoutExtras))
    },
  },
  {
    level,
    id: 'rewinding.3/nearest-seqs',
    clause: 'rewinding.3',
    needs: ['versions', 'edits', 'codes'],
    title: 'a seq that is not on the path is rejected, the error names the nearest ones, and nothing changes',
    async run({ store }) {
      const refused = (seq: number, below: number | null, above: number | null) => ({
        code: 'SEQ_NOT_FOUND',
        seq,
        below,
        above,
      })
      await assert.rejects(store.rewind('s', { before: 1 }), refused(1, null, null))
      await store.addMessages('s', turns(8))
      await store.rewind('s', { to: 4 })
      await store.addMessages('s', turns(2, 5))
      await store.trim('s', { maxEntries: 4 })
      const { version } = await store.getHistory('s')
      for (const [seq, below, above] of [
        [2, null, 3],
        [5, 4, 9],
        [8, 4, 9],
        [99, 10, null],
      ] as const) {
        await assert.rejects(store.rewind('s', { to: seq }), refused(seq, below, above))
        await assert.rejects(store.rewind('s', { before: seq, add: turns(1) }), refused(seq, below, above))
        await assert.rejects(store.fork('s', 't', { to: seq }), refused(seq, below, above))
      }
      const invalid = { name: 'TypeError', code: 'INVALID_ARGUMENT' }
      for (const wrong of [{}, { to: 3, before: 3 }, { before: 0 }, { to: 3, snapshot: 'yes' }]) {
        await assert.rejects(store.rewind('s', wrong as never), invalid)
      }
      assert.equal((await store.getHistory('s')).version, version)
      assert.equal(await store.sessionInfo('t'), null)
      await store.addMessages('compacted', turns(8))
      await store.compact('compacted', { keep: 2, summarize: () => 'sum' })
      same((await store.getHistory('compacted')).seqs, [9, 7, 8])
      await assert.rejects(store.rewind('compacted', { to: 3 }), refused(3, null, 7))
      await assert.rejects(store.rewind('compacted', { to: 10 }), refused(10, 9, null))
    },
  },
  {
    level,
    id: 'rewinding.4/replaced-at-once',
    clause: 'rewinding.4',
    needs: ['versions', 'edits'],
    title: 'the end is replaced in one step: no reader sees it missing or doubled',
    async run({ store, again }) {
      const other = await again()
      await store.addMessages('s', turns(3))
      const seen = new Set<string>()
      let isDone = false
      const watch = async () => {
        while (!isDone) seen.add(texts(await other.getHistory('s')).join(', '))
      }
      const expected = new Set([texts(turns(3)).join(', ')])
      const edit = async () => {
        for (let round = 1; round <= 20; round++) {
          const [, , third = 0] = (await store.getHistory('s')).seqs
          const { seqs, removed, version } = await store.rewind('s', { before: third, add: turns(2, 10 * round + 1) })
          const read = await store.getHistory('s')
          same(removed.map(({ seq }) => seq)[0], third)
          same(read.seqs.slice(2), seqs)
          assert.equal(read.version, version)
          expected.add(texts([...turns(2), ...turns(2, 10 * round + 1)]).join(', '))
        }
      }
      await Promise.all([
        watch(),
        edit().finally(() => {
          isDone = true
        }),
      ])
      for (const one of seen) assert.ok(expected.has(one), `a reader saw ${one}`)
      same(texts(await store.getHistory('s')), texts([...turns(2), ...turns(2, 201)]))
      await assert.rejects(store.rewind('s', { to: 1, add: [{ role: 'user', content: 5n } as never] }), {
        code: 'INVALID_ENTRY',
      })
      same((await store.getHistory('s')).length, 4)
    },
  },
  {
    level,
    id: 'rewinding.4/long-path',
    clause: 'rewinding.4',
    needs: ['versions', 'edits'],
    title: 'after many edits, every branch reads as it was left',
    async run({ store }) {
      await store.addMessages('s', turns(12))
      const left: [id: string, contents: unknown[]][] = []
      for (let round = 1; round <= 12; round++) {
        const history = await store.getHistory('s')
        const cut = round % 4 === 0 ? 3 : 1
        const { snapshot } = await store.rewind('s', {
          before: history.seqs.at(-cut) ?? 0,
          add: turns(2, 100 * round),
          snapshot: true,
        })
        left.push([snapshot?.id ?? '', texts(history)])
        same(texts(await store.getHistory('s')), [...texts(history).slice(0, -cut), ...texts(turns(2, 100 * round))])
      }
      await store.sweep('s')
      for (const [id, contents] of left) same(texts(await store.getHistory('s', { at: id })), contents)
      for (const [id, contents] of left.toReversed()) {
        await store.rollbackToSnapshot('s', id)
        same(texts(await store.getHistory('s')), contents)
      }
      same((await store.verify('s')).damage, [])
    },
  },
  {
    level,
    id: 'rewinding.4/begins-a-session',
    clause: 'rewinding.4',
    needs: ['versions', 'edits', 'codes'],
    title: 'replacing everything can create a session, and replacing nothing appends',
    async run({ store }) {
      const begun = await store.rewind('s', { to: 0, add: turns(2), ifVersion: null })
      same([begun.removed, begun.seqs, begun.snapshot], [[], [1, 2], null])
      assert.equal((await store.getHistory('s')).version, begun.version)
      const added = await store.rewind('s', { to: 2, add: turns(1, 3) })
      same([added.removed, added.seqs], [[], [3]])
      assert.equal(added.epoch, begun.epoch, 'nothing was taken back')
      same(await store.getHistory('s'), turns(3))
      const all = await store.rewind('s', { to: 0, add: turns(1, 9) })
      same([all.removed.length, all.seqs], [3, [4]])
      assert.notEqual(all.epoch, begun.epoch)
      same(await store.getHistory('s'), turns(1, 9))
      await assert.rejects(store.rewind('s', { to: 0, add: turns(1), ifVersion: null }), { code: 'VERSION_CONFLICT' })
      await store.rewind('none', { to: 0, add: [] })
      assert.equal(await store.sessionInfo('none'), null)
      await assert.rejects(store.rewind('none', { to: 1, add: turns(1) }), { code: 'SEQ_NOT_FOUND' })
    },
  },
  {
    level,
    id: 'rewinding.5/saves-what-it-leaves',
    clause: 'rewinding.5',
    needs: ['versions', 'edits', 'codes'],
    title: 'the state that an edit leaves is saved as a snapshot that survives any number of later edits',
    async run({ store }) {
      await store.addMessages('s', turns(4))
      const first = await store.rewind('s', { before: 3, add: turns(1, 30), snapshot: { id: 'v1', label: 'branch 1' } })
      same(first.snapshot, { id: 'v1', label: 'branch 1', automatic: false })
      const second = await store.rewind('s', { before: first.seqs[0] ?? 0, add: turns(1, 40), snapshot: true })
      const { id = '' } = second.snapshot ?? {}
      const third = await store.rewind('s', { to: 2, snapshot: { label: 'cut' } })
      for (let round = 0; round < 15; round++) await store.rewind('s', { to: 2, add: turns(1, 50 + round) })
      const listed = await store.listSnapshots('s')
      same(
        listed.map((one) => [one.id, one.label, one.automatic, one.entries]),
        [
          ['v1', 'branch 1', false, 4],
          [id, null, false, 3],
          [third.snapshot?.id, 'cut', false, 3],
        ],
      )
      same(listed[0]?.at, first.snapshot?.at)
      same(texts(await store.getHistory('s', { at: 'v1' })), texts(turns(4)))
      same(texts(await store.getHistory('s', { at: id })), ['turn 1', 'turn 2', 'turn 30'])
      await store.rollbackToSnapshot('s', 'v1')
      same(await store.getHistory('s'), turns(4))
      const { version } = await store.getHistory('s')
      await assert.rejects(store.rewind('s', { to: 1, add: turns(1), snapshot: { id: 'v1' } }), {
        code: 'SNAPSHOT_EXISTS',
        snapshotId: 'v1',
      })
      assert.equal((await store.getHistory('s')).version, version)
      same((await store.rewind('s', { to: 1 })).snapshot, null)
      await store.rewind('new', { to: 0, snapshot: { id: 'empty' }, add: turns(1) })
      same(await store.getHistory('new', { at: 'empty' }), [])
      same(await store.getHistory('new'), turns(1))
    },
  },
  {
    level,
    id: 'operations.1/edit-repeated',
    clause: 'operations.1',
    needs: ['versions', 'edits', 'operations', 'codes'],
    title: 'repeating an edit under its id returns the first result and changes nothing',
    async run({ store, again }) {
      await store.addMessages('s', turns(4))
      const other = await again()
      const options = { before: 3, add: turns(2, 30), snapshot: true, operationId: 'edit' } as const
      const first = await store.rewind('s', options)
      await store.addMessages('s', turns(1, 50))
      const { version } = await store.getHistory('s')
      for (const handle of [other, store]) same(await handle.rewind('s', options), first)
      assert.equal((await store.getHistory('s')).version, version)
      const conflict = { code: 'OPERATION_CONFLICT' }
      const { operationId } = options
      for (const changed of [
        { ...options, add: turns(2, 40) },
        { ...options, add: [] },
        { ...options, snapshot: false },
        { ...options, before: 2 },
        { to: 3, operationId },
      ]) {
        await assert.rejects(store.rewind('s', changed), conflict)
      }
      const begin = { to: 0, add: turns(1), operationId } as const
      const begun = await store.rewind('t', begin)
      same(await other.rewind('t', begin), begun)
      await store.deleteSession('t')
      await store.rewind('t', begin)
      assert.equal(await store.sessionInfo('t'), null, 'a retry does not bring it back')
    },
  },
]
