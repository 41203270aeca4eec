import assert from 'node:assert/strict'
import type { Case, FullStore } from '../../case.ts'
import { same } from '../../same.ts'
import { texts, turns } from '../../samples.ts'

const operationId = 'operation-1'

export const operations: Case[] = [
  {
    id: 'operations.1/every-write-repeated-under-its-id-returns-the-first',
    clause: 'operations.1',
    level: 'full',
    needs: [
      'addMessages',
      'trim',
      'clear',
      'recordToolCall',
      'addSummary',
      'compact',
      'saveSnapshot',
      'rollbackToSnapshot',
      'deleteSnapshot',
      'rewind',
      'fork',
      'sessionInfo',
      'expire',
      'operations',
    ],
    title: 'every write repeated under its id returns the first result and changes nothing',
    async run({ open }) {
      const writes: Record<string, (store: FullStore) => Promise<unknown>> = {
        addMessages: (store) => store.addMessages('s', turns(2), { operationId }),
        recordToolCall: (store) => store.recordToolCall('s', { id: 'c', name: 'n' }, { operationId }),
        addSummary: (store) => store.addSummary('s', { text: 't', embedding: [1, 2] }, { operationId }),
        trim: (store) => store.trim('s', { maxEntries: 2, operationId }),
        trimNothing: (store) => store.trim('s', { maxEntries: 500, operationId }),
        clear: (store) => store.clear('s', { operationId }),
        compact: (store) => store.compact('s', { keep: 1, summarise: () => 'sum', operationId }),
        saveSnapshot: (store) => store.saveSnapshot('s', { label: 'l', operationId }),
        rollbackToSnapshot: (store) => store.rollbackToSnapshot('s', 'first', { operationId }),
        deleteSnapshot: (store) => store.deleteSnapshot('s', 'first', { operationId }),
        rewind: (store) => store.rewind('s', { to: 2, operationId }),
        expire: (store) => store.expire('s', { at: Date.now() + 3_600_000, operationId }),
        fork: (store) => store.fork('s', 'other', { operationId }),
      }
      for (const [name, write] of Object.entries(writes)) {
        const store = await open()
        const now = Date.now
        const fixed = now()
        try {
          Date.now = () => fixed
          await store.addMessages('s', turns(5))
          await store.saveSnapshot('s', { id: 'first' })
          await store.addMessages('s', turns(3, 6))
          const first = await write(store)
          await store.addMessages('s', turns(4, 9))
          const info = await store.sessionInfo('s')
          same(await write(store), first, name)
          same(await store.sessionInfo('s'), info, name)
        } finally {
          Date.now = now
        }
      }
    },
  },
  {
    id: 'operations.2/a-repeated-add-returns-the-first-seqs-after-a',
    clause: 'operations.2',
    level: 'full',
    needs: [
      'addMessages',
      'getHistory',
      'trim',
      'clear',
      'saveSnapshot',
      'rollbackToSnapshot',
      'operations',
      'versions',
    ],
    title: 'a repeated add returns the first seqs after a trim, a clear and a rollback',
    async run({ store }) {
      await store.saveSnapshot('s', { id: 'empty' })
      const first = await store.addMessages('s', turns(4), { operationId })
      for (const change of [
        () => store.trim('s', { maxEntries: 1 }),
        () => store.clear('s'),
        () => store.rollbackToSnapshot('s', 'empty'),
      ]) {
        await change()
        const before = texts(await store.getHistory('s'))
        same(await store.addMessages('s', turns(4), { operationId }), first)
        same(texts(await store.getHistory('s')), before)
      }
    },
  },
  {
    id: 'operations.3/a-repeated-operation-is-looked-at-before-its-conditions',
    clause: 'operations.3',
    level: 'full',
    needs: ['addMessages', 'trim', 'clear', 'sessionInfo', 'operations', 'versions'],
    title: 'a repeated operation is looked at before its conditions',
    async run({ store }) {
      const { version, epoch } = await store.addMessages('s', turns(1))
      const first = await store.addMessages('s', turns(1), { operationId, ifVersion: version, ifEpoch: epoch })
      await store.clear('s')
      same(await store.addMessages('s', turns(1), { operationId, ifVersion: version, ifEpoch: epoch }), first)
      const trimmed = await store.trim('s', {
        maxEntries: 1,
        operationId: 'trim',
        ifVersion: (await store.sessionInfo('s'))?.version,
      })
      await store.addMessages('s', turns(3))
      same(await store.trim('s', { maxEntries: 1, operationId: 'trim', ifVersion: 'stale' }), trimmed)
    },
  },
  {
    id: 'operations.4/the-same-id-with-other-content-is-a-conflict',
    clause: 'operations.4',
    level: 'full',
    needs: [
      'addMessages',
      'getHistory',
      'trim',
      'clear',
      'addSummary',
      'saveSnapshot',
      'operations',
      'versions',
      'codes',
    ],
    title: 'the same id with other content is a conflict and changes nothing',
    async run({ store }) {
      await store.addMessages('s', turns(3), { operationId })
      const before = await store.getHistory('s')
      const conflict = { code: 'OPERATION_CONFLICT', operationId }
      await assert.rejects(store.addMessages('s', turns(2), { operationId }), conflict)
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
    id: 'operations.4/bytes-are-part-of-the-content',
    clause: 'operations.4',
    level: 'full',
    needs: ['addMessages', 'operations', 'bytes', 'codes'],
    title: 'bytes are part of the content',
    async run({ store }) {
      const message = (byte: number) => [{ role: 'user' as const, content: 'x', data: new Uint8Array([byte]) }]
      const first = await store.addMessages('s', message(1), { operationId })
      same(await store.addMessages('s', message(1), { operationId }), first)
      await assert.rejects(store.addMessages('s', message(2), { operationId }), { code: 'OPERATION_CONFLICT' })
    },
  },
  {
    id: 'operations.5/256-operations-are-remembered-whatever-comes-between',
    clause: 'operations.5',
    level: 'full',
    needs: ['addMessages', 'getHistory', 'operations'],
    title: '256 operations are remembered, whatever comes between',
    async run({ store }) {
      const add = (index: number) => store.addMessages('s', turns(1, index), { operationId: `operation ${index}` })
      const results = []
      for (let index = 1; index <= 400; index++) results.push(await add(index))
      for (let index = 145; index <= 400; index++) same(await add(index), results[index - 1])
      assert.equal((await store.getHistory('s')).length, 400)
    },
  },
  {
    id: 'operations.6/a-retry-does-not-bring-a-deleted-session-back',
    clause: 'operations.6',
    level: 'full',
    needs: ['addMessages', 'getHistory', 'sessionInfo', 'deleteSession', 'operations'],
    title: 'a retry does not bring a deleted session back',
    async run({ store }) {
      const first = await store.addMessages('s', turns(2), { operationId })
      await store.deleteSession('s')
      same(await store.addMessages('s', turns(2), { operationId }), first)
      assert.equal(await store.sessionInfo('s'), null)
      await store.addMessages('s', turns(1, 7))
      await store.addMessages('s', turns(2), { operationId })
      same(texts(await store.getHistory('s')), ['turn 7'])
    },
  },
  {
    id: 'operations.6/nor-one-that-expired',
    clause: 'operations.6',
    level: 'full',
    needs: ['addMessages', 'sessionInfo', 'expire', 'sweep', 'operations'],
    title: 'nor one that expired',
    async run({ store }) {
      const first = await store.addMessages('s', turns(2), { operationId })
      await store.expire('s', { at: 1 })
      same(await store.addMessages('s', turns(2), { operationId }), first)
      assert.equal(await store.sessionInfo('s'), null)
      await store.sweep()
      same(await store.addMessages('s', turns(2), { operationId }), first)
      assert.equal(await store.sessionInfo('s'), null)
    },
  },
  {
    id: 'operations.1/the-same-operation-twice-at-once-is-applied-once',
    clause: 'operations.1',
    level: 'full',
    needs: [
      'addMessages',
      'trim',
      'compact',
      'saveSnapshot',
      'listSnapshots',
      'rollbackToSnapshot',
      'rewind',
      'operations',
    ],
    title: 'the same operation twice at once is applied once, and both get the same result',
    async run({ store }) {
      await store.addMessages('s', turns(8))
      await store.saveSnapshot('s', { id: 'p' })
      const writes: (() => Promise<unknown>)[] = [
        () => store.addMessages('s', turns(2), { operationId: 'add' }),
        () => store.saveSnapshot('s', { operationId: 'save' }),
        () => store.rollbackToSnapshot('s', 'p', { operationId: 'roll back' }),
        () => store.trim('s', { maxEntries: 5, operationId: 'trim' }),
        () => store.rewind('s', { to: 6, operationId: 'rewind' }),
        () => store.compact('s', { keep: 1, summarise: () => 'sum', operationId: 'compact' }),
      ]
      for (const write of writes) {
        const [first, second] = await Promise.all([write(), write()])
        same(second, first)
      }
      assert.equal((await store.listSnapshots('s')).length, 3)
    },
  },
  {
    id: 'operations.4/that-holds-for-an-operation-of-a-session-that',
    clause: 'operations.4',
    level: 'full',
    needs: [
      'addMessages',
      'trim',
      'compact',
      'saveSnapshot',
      'rewind',
      'sessionInfo',
      'deleteSession',
      'expire',
      'sweep',
      'operations',
      'codes',
    ],
    title: 'that holds for an operation of a session that was deleted or has expired',
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
        await assert.rejects(store.compact('s', { keep: 0, summarise: () => 'x', operationId }), conflict)
        assert.equal(await store.sessionInfo('s'), null)
        await store.addMessages('s', turns(1))
        await assert.rejects(store.trim('s', { maxEntries: 1, operationId }), conflict)
        await store.deleteSession('s')
      }
    },
  },
  {
    id: 'operations.7/a-rewind-repeated-after-a-sweep-or-a-deletion',
    clause: 'operations.7',
    level: 'full',
    needs: ['addMessages', 'getHistory', 'rewind', 'sessionInfo', 'deleteSession', 'sweep', 'operations', 'codes'],
    title: 'a rewind repeated after a sweep or a deletion says so',
    async run({ store }) {
      await store.addMessages('s', turns(5))
      const first = await store.rewind('s', { to: 2, operationId })
      same(await store.rewind('s', { to: 2, operationId }), first)
      await store.sweep()
      await assert.rejects(store.rewind('s', { to: 2, operationId }), { code: 'RESULT_GONE', operationId })
      await store.deleteSession('s')
      await assert.rejects(store.rewind('s', { to: 2, operationId }), { code: 'RESULT_GONE', operationId })
      assert.equal(await store.sessionInfo('s'), null)
      await store.addMessages('s', turns(5, 50))
      await assert.rejects(store.rewind('s', { to: 2, operationId }), { code: 'RESULT_GONE', operationId })
      same(await store.getHistory('s'), turns(5, 50))
    },
  },
]
