import assert from 'node:assert/strict'
import type { FullStore } from '../../case.ts'
import { same } from '../helpers/same.ts'
import { turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

const full = { level: 'full', needs: ['operations', 'versions', 'codes'] } as const
const operationId = 'operation-1'

export const operationResults: WrittenCase[] = [
  {
    ...full,
    id: 'operations.5/unnamed-in-between',
    clause: 'operations.5',
    title: 'the last 256 named operations are remembered, however many unnamed ones come in between',
    async run({ store }) {
      const add = (index: number) => store.addMessages('s', turns(1, index), { operationId: `operation ${index}` })
      const results = []
      for (let index = 1; index <= 256; index++) {
        results.push(await add(index))
        await store.addMessages('s', turns(1))
        if (index % 5 === 0) await store.trim('s', { maxEntries: 50 })
      }
      for (const [index, result] of results.entries()) same(await add(index + 1), result)
    },
  },
  {
    ...full,
    id: 'operations.8/what-it-added',
    clause: 'operations.8',
    title: 'the result of a named operation lists what it added, on any handle, even if that was cut since',
    async run({ store, again }) {
      const other = await again()
      await store.addMessages('s', turns(2))
      const added = await store.addMessages('s', turns(3, 7), { operationId })
      await store.addMessages('s', turns(1))
      await store.rewind('s', { to: 3 })
      for (const handle of [store, other]) {
        const result = await handle.operation('s', operationId)
        same(result, { ...added, seqs: [3, 4, 5] })
        same(
          result?.entries.map((entry) => entry.kind === 'message' && [entry.seq, entry.message]),
          turns(3, 7).map((message, index) => [index + 3, message]),
        )
        same(result?.entries[0]?.at, result?.at, 'the time of the operation is that of its entries')
      }
    },
  },
  {
    ...full,
    id: 'operations.8/every-kind',
    clause: 'operations.8',
    title: 'the result of any operation has exactly the entries it added to the session',
    async run({ store }) {
      await store.addMessages('s', turns(6))
      const added: Record<string, string[]> = {}
      const call = async (name: string, kinds: string[], write: () => Promise<unknown>) => {
        await write()
        added[name] = kinds
      }
      await call('record', ['toolCall'], () =>
        store.recordToolCall('s', { id: 'c', name: 'n' }, { operationId: 'record' }),
      )
      await call('sum', ['summary'], () => store.addSummary('s', { text: 't' }, { operationId: 'sum' }))
      await call('save', [], () => store.saveSnapshot('s', { id: 'saved', operationId: 'save' }))
      await call('compact', ['summary'], () =>
        store.compact('s', { keep: 4, summarize: () => 'sum', operationId: 'compact' }),
      )
      await call('rewind', [], () => store.rewind('s', { to: 5, operationId: 'rewind' }))
      await call('trim', [], () => store.trim('s', { maxEntries: 500, operationId: 'trim' }))
      await call('back', [], () => store.rollbackToSnapshot('s', 'saved', { operationId: 'back' }))
      await call('clear', [], () => store.clear('s', { operationId: 'clear' }))
      for (const [id, kinds] of Object.entries(added)) {
        const result = await store.operation('s', id)
        same(
          result?.entries.map(({ kind }) => kind),
          kinds,
          id,
        )
        same(result?.seqs.length, kinds.length, id)
      }
      await store.rollbackToSnapshot('s', 'saved')
      await store.fork('s', 'copy', { operationId })
      same((await store.operation('copy', operationId))?.entries.length, 8)
      const copy = await store.exportSession('copy')
      await store.deleteSession('copy')
      await store.importSession({ ...copy, id: 'imported' }, { operationId })
      same((await store.operation('imported', operationId))?.entries, [])
    },
  },
  {
    ...full,
    id: 'operations.8/none',
    clause: 'operations.8',
    title: 'an operation that never ran has no result, and asking for it changes nothing',
    async run({ store }) {
      assert.equal(await store.operation('s', operationId), null)
      assert.equal(await store.sessionInfo('s'), null)
      await store.addMessages('other', turns(1), { operationId })
      const { version } = await store.addMessages('s', turns(1))
      assert.equal(await store.operation('s', operationId), null)
      same((await store.getHistory('s')).version, version)
    },
  },
  {
    ...full,
    id: 'operations.9/gone',
    clause: 'operations.9',
    title: 'an operation fails with RESULT_GONE once its entries are swept or its session is deleted',
    async run({ store }) {
      const gone = { code: 'RESULT_GONE', operationId }
      await store.addMessages('s', turns(4), { operationId })
      await store.saveSnapshot('s', { operationId: 'save' })
      await store.rewind('s', { to: 2 })
      same((await store.operation('s', operationId))?.seqs, [1, 2, 3, 4])
      for (const { id } of await store.listSnapshots('s')) await store.deleteSnapshot('s', id)
      await store.sweep()
      await assert.rejects(store.operation('s', operationId), gone)
      same((await store.operation('s', 'save'))?.entries, [])
      await store.deleteSession('s')
      await assert.rejects(store.operation('s', operationId), gone)
      await assert.rejects(store.operation('s', 'save'), { code: 'RESULT_GONE' })
      await store.addMessages('s', turns(6))
      await assert.rejects(store.operation('s', operationId), gone)
    },
  },
  {
    ...full,
    id: 'operations.9/older-copy-imported',
    clause: 'operations.9',
    title: 'an operation of a deleted session never returns entries of an older copy imported since',
    async run({ store }) {
      const copy = await olderCopy(store)
      const first = await store.addMessages('s', turns(2, 30), { operationId })
      await replaceBy(store, copy)
      await assert.rejects(store.operation('s', operationId), { code: 'RESULT_GONE', operationId })
      same(await store.addMessages('s', turns(2, 30), { operationId }), first)
      same((await store.getHistory('s')).length, 14)
    },
  },
  {
    ...full,
    id: 'operations.7/older-copy-imported',
    clause: 'operations.7',
    title: 'repeating a rewind after an older copy was imported does not return entries of the copy',
    async run({ store }) {
      const copy = await olderCopy(store)
      await store.addMessages('s', turns(2, 30))
      const first = await store.rewind('s', { to: 4, operationId })
      same(await store.rewind('s', { to: 4, operationId }), first)
      await replaceBy(store, copy)
      await assert.rejects(store.rewind('s', { to: 4, operationId }), { code: 'RESULT_GONE', operationId })
      same((await store.getHistory('s')).length, 14)
    },
  },
]

async function olderCopy(store: FullStore) {
  await store.addMessages('s', turns(4))
  return store.exportSession('s')
}

/** The session continues from the copy, beyond the version and the seqs that it had. */
async function replaceBy(store: FullStore, copy: Awaited<ReturnType<typeof olderCopy>>): Promise<void> {
  await store.deleteSession('s')
  await store.importSession(copy)
  for (let index = 0; index < 5; index++) await store.addMessages('s', turns(2, 50 + 2 * index))
}
