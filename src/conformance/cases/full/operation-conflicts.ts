import assert from 'node:assert/strict'
import { same } from '../helpers/same.ts'
import { turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'
import { beginForWrites } from './helpers/every-write.ts'
import { otherContents } from './helpers/other-contents.ts'

const operationId = 'operation-1'

export const operationConflicts: WrittenCase[] = [
  {
    id: 'operations.4/another-kind-of-write',
    clause: 'operations.4',
    level: 'full',
    needs: ['operations', 'versions', 'codes'],
    title: 'reusing an id for another kind of write is a conflict and changes nothing',
    async run({ store }) {
      await store.addMessages('s', turns(3), { operationId })
      const before = await store.getHistory('s')
      const conflict = { code: 'OPERATION_CONFLICT', operationId }
      await assert.rejects(store.recordToolCall('s', { id: 'c', name: 'n' }, { operationId }), conflict)
      await assert.rejects(store.addSummary('s', { text: 'x' }, { operationId }), conflict)
      await assert.rejects(store.trim('s', { maxEntries: 1, operationId }), conflict)
      await assert.rejects(store.clear('s', { operationId }), conflict)
      await assert.rejects(store.saveSnapshot('s', { operationId }), conflict)
      same(await store.getHistory('s'), before)
      assert.equal((await store.getHistory('s')).version, before.version)
      same((await store.addMessages('other', turns(2), { operationId })).seqs, [1, 2])
    },
  },
  {
    id: 'operations.4/last-letter-differs',
    clause: 'operations.4',
    level: 'full',
    needs: ['operations', 'bytes', 'codes'],
    title: 'any difference in the content is a conflict, even in the last letter',
    async run({ store }) {
      for (const [name, write] of otherContents) {
        await beginForWrites(store, name)
        const first = await write(store, name, false)
        const info = await store.sessionInfo(name)
        await assert.rejects(write(store, name, true), { code: 'OPERATION_CONFLICT', operationId }, name)
        same(await store.sessionInfo(name), info, name)
        same(await write(store, name, false), first, name)
      }
    },
  },
  {
    id: 'operations.4/other-bytes',
    clause: 'operations.4',
    level: 'full',
    needs: ['operations', 'bytes', 'codes'],
    title: 'bytes are part of the content',
    async run({ store }) {
      const message = (byte: number) => [{ role: 'user' as const, content: 'x', data: new Uint8Array([byte]) }]
      const first = await store.addMessages('s', message(1), { operationId })
      same(await store.addMessages('s', message(1), { operationId }), first)
      await assert.rejects(store.addMessages('s', message(2), { operationId }), { code: 'OPERATION_CONFLICT' })
    },
  },
  {
    id: 'operations.4/after-deletion-and-expiry',
    clause: 'operations.4',
    level: 'full',
    needs: ['operations', 'codes'],
    title: 'an id is still taken after its session was deleted or has expired',
    async run({ store }) {
      const end = [
        () => store.deleteSession('s'),
        async () => {
          await store.expire('s', { at: 1 })
          await store.sweep()
        },
      ]
      for (const finish of end) {
        await store.addMessages('s', turns(2), { operationId })
        await finish()
        const conflict = { code: 'OPERATION_CONFLICT', operationId }
        await assert.rejects(store.addMessages('s', turns(2, 5), { operationId }), conflict)
        await assert.rejects(store.saveSnapshot('s', { operationId }), conflict)
        await assert.rejects(store.rewind('s', { to: 0, operationId }), conflict)
        await assert.rejects(store.compact('s', { keep: 0, summarize: () => 'x', operationId }), conflict)
        assert.equal(await store.sessionInfo('s'), null)
        await store.addMessages('s', turns(1))
        await assert.rejects(store.trim('s', { maxEntries: 1, operationId }), conflict)
        await store.deleteSession('s')
      }
    },
  },
]
