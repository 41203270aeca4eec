import assert from 'node:assert/strict'
import { same } from '../helpers/same.ts'
import { texts, turns } from '../helpers/samples.ts'
import { longCopy, oneWins, watchWhole } from '../helpers/watch-whole.ts'
import type { WrittenCase } from '../written-case.ts'

export const longForks: WrittenCase[] = [
  {
    id: 'forking.3/long-fork-is-whole',
    clause: 'forking.3',
    level: 'snapshots',
    title: 'a long fork is visible completely or not at all to concurrent readers and writers',
    async run({ store, again }) {
      await store.addMessages('s', turns(longCopy))
      const other = await again()
      const { entries } = await watchWhole(other, 'fork', longCopy, store.fork('s', 'fork'))
      assert.equal(entries, longCopy)
      same(texts(await other.getHistory('fork')), texts(turns(longCopy)))
      const seqs = (await other.getEntries('fork')).map(({ seq }) => seq)
      assert.ok(
        seqs.every((seq, index) => seq === index + 1),
        'it is numbered from 1',
      )
      same((await store.addMessages('fork', turns(1))).seqs, [longCopy + 1])
    },
  },
  {
    id: 'forking.3/one-of-two-forks',
    clause: 'forking.3',
    level: 'snapshots',
    needs: ['codes'],
    title: 'of two long forks into the same session, one wins, and nothing of the other is left',
    async run({ store, again }) {
      const sources = [turns(longCopy), turns(longCopy - 500, 10_001)]
      await store.addMessages('0', sources[0] ?? [])
      await store.addMessages('1', sources[1] ?? [])
      const other = await again()
      const winner = await oneWins([store.fork('0', 'fork'), other.fork('1', 'fork')])
      same(texts(await store.getHistory('fork')), texts(sources[winner] ?? []))
      same((await store.listSessions()).sessions.length, 3)
      const { ok, entries } = await store.verify()
      same([ok, entries], [true, 2 * longCopy - 500 + (sources[winner]?.length ?? 0)])
    },
  },
  {
    id: 'forking.3/same-fork-again',
    clause: 'forking.3',
    level: 'snapshots',
    needs: ['operations', 'versions', 'codes'],
    title: 'a long fork repeated under its operation id, even concurrently, is made once',
    async run({ store, again }) {
      await store.addMessages('s', turns(longCopy))
      const other = await again()
      const [first, second] = await Promise.all([
        store.fork('s', 'fork', { operationId: 'once' }),
        other.fork('s', 'fork', { operationId: 'once' }),
      ])
      same(second, first)
      await store.addMessages('s', turns(1))
      await store.addMessages('fork', turns(1))
      same(await other.fork('s', 'fork', { operationId: 'once' }), first)
      assert.equal((await store.getHistory('fork')).length, longCopy + 1)
      await store.addMessages('t', turns(1))
      await assert.rejects(store.fork('t', 'fork', { operationId: 'once' }), { code: 'OPERATION_CONFLICT' })
      await store.deleteSession('s')
      same(await store.fork('s', 'fork', { operationId: 'once' }), first, 'its source is gone by then')
    },
  },
]
