import assert from 'node:assert/strict'
import { same } from '../helpers/same.ts'
import { texts, turns } from '../helpers/samples.ts'
import { longCopy, oneWins, watchWhole } from '../helpers/watch-whole.ts'
import type { WrittenCase } from '../written-case.ts'

export const longImports: WrittenCase[] = [
  {
    id: 'transfer.6/long-import-is-whole',
    clause: 'transfer.6',
    level: 'full',
    title: 'a long import is visible completely or not at all to concurrent readers and writers',
    async run({ store, open, again }) {
      await store.addMessages('s', turns(longCopy))
      await store.saveSnapshot('s', { id: 'all' })
      await store.trim('s', { maxEntries: 2000 })
      const copy = await store.exportSession('s')
      const other = await open()
      const looking = await again(other)
      const { entries } = await watchWhole(looking, 's', 2000, other.importSession(copy))
      assert.equal(entries, longCopy)
      same(await other.exportSession('s'), copy)
      same(texts(await looking.getHistory('s', { at: 'all' })), texts(turns(longCopy)))
      same((await looking.listSnapshots('s')).length, 1)
      same((await other.addMessages('s', turns(1))).seqs, [longCopy + 1])
    },
  },
  {
    id: 'transfer.6/one-of-two-imports',
    clause: 'transfer.6',
    level: 'full',
    needs: ['codes'],
    title: 'of two long imports of the same session, one wins, and nothing of the other is left',
    async run({ store, open, again }) {
      const sources = [turns(longCopy), turns(longCopy - 500, 10_001)]
      await store.addMessages('0', sources[0] ?? [])
      await store.addMessages('1', sources[1] ?? [])
      const copies = await Promise.all(['0', '1'].map(async (id) => ({ ...(await store.exportSession(id)), id: 's' })))
      const one = await open()
      const other = await again(one)
      const stores = [one, other]
      const winner = await oneWins(copies.map((copy, index) => (stores[index] ?? one).importSession(copy)))
      same(texts(await one.getHistory('s')), texts(sources[winner] ?? []))
      const { ok, entries } = await one.verify()
      same([ok, entries], [true, sources[winner]?.length])
    },
  },
  {
    id: 'transfer.6/damaged-at-its-end',
    clause: 'transfer.6',
    level: 'full',
    needs: ['codes'],
    title: 'a long copy with a damaged end is rejected and leaves nothing',
    async run({ store, open }) {
      await store.addMessages('s', turns(longCopy))
      const copy = await store.exportSession('s')
      const last = copy.entries.at(-1) ?? assert.fail('there are no entries')
      const other = await open()
      const damaged = { ...copy, entries: [...copy.entries.slice(0, -1), { ...last, body: '{' }] }
      await assert.rejects(other.importSession(damaged), {
        code: 'INVALID_ENTRY',
        path: `copy.entries[${longCopy - 1}]`,
      })
      await assert.rejects(other.importSession({ ...copy, entries: copy.entries.slice(0, -1) }), {
        code: 'INVALID_ENTRY',
      })
      same((await other.listSessions()).sessions, [])
      same(await other.verify(), { ok: true, sessions: 0, entries: 0, damage: [] })
      await other.importSession(copy)
      assert.equal((await other.getHistory('s')).length, longCopy)
    },
  },
]
