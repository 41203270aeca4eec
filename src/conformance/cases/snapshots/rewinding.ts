import assert from 'node:assert/strict'
import type { Entry } from '../../../core/entries.ts'
import { same } from '../helpers/same.ts'
import { texts, turns } from '../helpers/samples.ts'
import { withoutExtras } from '../helpers/without-extras.ts'
import type { WrittenCase } from '../written-case.ts'
import { fill } from './helpers/filled-session.ts'

export const rewinding: WrittenCase[] = [
  {
    id: 'rewinding.1/cut-and-returned',
    clause: 'rewinding.1',
    level: 'snapshots',
    needs: ['versions', 'bytes', 'codes'],
    title: 'rewinding cuts after a seq and returns what it cut',
    async run({ store }) {
      await fill(store)
      const before = await store.getEntries('s')
      const { removed } = await store.rewind('s', { to: 2 })
      same(removed, before.slice(2).map(withoutExtras))
      same(await store.getHistory('s'), turns(2))
      await store.addMessages('s', turns(1, 30))
      same(texts(await store.getHistory('s')), ['turn 1', 'turn 2', 'turn 30'])
      same((await store.rewind('s', { to: 6 })).removed, [])
      await assert.rejects(store.rewind('s', { to: 4 }), { code: 'SEQ_NOT_FOUND', seq: 4 })
      await assert.rejects(store.rewind('s', { to: 99 }), { code: 'SEQ_NOT_FOUND' })
      assert.equal((await store.rewind('s', { to: 0 })).removed.length, 3)
      same(await store.getEntries('s'), [])
      const rules = { role: 'system' as const, content: 'rules', metadata: { user: 'Wang' } }
      await store.addMessages('t', [rules, ...turns(1500)])
      await store.saveSnapshot('t', { id: 'later' })
      let all: readonly Entry[] = await store.getEntries('t')
      for (const to of [1400, 3, 1]) {
        same((await store.rewind('t', { to })).removed, all.slice(to).map(withoutExtras))
        same(await store.getHistory('t'), [rules, ...turns(to - 1)])
        all = all.slice(0, to)
      }
      same(await store.getHistory('t', { at: 'later' }), [rules, ...turns(1500)])
    },
  },
  {
    id: 'rewinding.1/path-that-does-not-ascend',
    clause: 'rewinding.1',
    level: 'snapshots',
    needs: ['versions'],
    title: 'on a path that does not ascend, rewinding cuts by the path, not by the seq',
    async run({ store }) {
      await store.addMessages('s', turns(6))
      await store.compact('s', { keep: 3, summarize: () => 'sum' })
      same((await store.getHistory('s')).seqs, [7, 4, 5, 6])
      const { removed } = await store.rewind('s', { to: 4 })
      same(
        removed.map(({ seq }) => seq),
        [5, 6],
      )
      same((await store.getHistory('s')).seqs, [7, 4])
      await store.rewind('s', { to: 7 })
      same(texts(await store.getHistory('s')), ['sum'])
    },
  },
]
