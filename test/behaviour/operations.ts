import assert from 'node:assert/strict'
import type { MemoryStore } from 'unforget'
import { type BehaviourCase, texts, turns } from './case.ts'

const operationId = 'operation-1'

export const operations: BehaviourCase[] = [
  {
    clause: 'operations.1',
    title: 'every write repeated under its id returns the first result and changes nothing',
    async run({ open }) {
      const writes: Record<string, (store: MemoryStore) => Promise<unknown>> = {
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
          assert.deepEqual(await write(store), first, name)
          assert.deepEqual(await store.sessionInfo('s'), info, name)
        } finally {
          Date.now = now
        }
      }
    },
  },
  {
    clause: 'operations.2',
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
        assert.deepEqual(await store.addMessages('s', turns(4), { operationId }), first)
        assert.deepEqual(texts(await store.getHistory('s')), before)
      }
    },
  },
  {
    clause: 'operations.3',
    title: 'a repeated operation is looked at before its conditions',
    async run({ store }) {
      const { version, epoch } = await store.addMessages('s', turns(1))
      const first = await store.addMessages('s', turns(1), { operationId, ifVersion: version, ifEpoch: epoch })
      await store.clear('s')
      assert.deepEqual(
        await store.addMessages('s', turns(1), { operationId, ifVersion: version, ifEpoch: epoch }),
        first,
      )
      const trimmed = await store.trim('s', {
        maxEntries: 1,
        operationId: 'trim',
        ifVersion: (await store.sessionInfo('s'))?.version,
      })
      await store.addMessages('s', turns(3))
      assert.deepEqual(await store.trim('s', { maxEntries: 1, operationId: 'trim', ifVersion: 'stale' }), trimmed)
    },
  },
  {
    clause: 'operations.4',
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
      assert.deepEqual(await store.getHistory('s'), before)
      assert.equal((await store.getHistory('s')).version, before.version)
      assert.deepEqual((await store.addMessages('other', turns(2), { operationId })).seqs, [1, 2])
    },
  },
  {
    clause: 'operations.4',
    title: 'bytes are part of the content',
    async run({ store }) {
      const message = (byte: number) => [{ role: 'user' as const, content: 'x', data: new Uint8Array([byte]) }]
      const first = await store.addMessages('s', message(1), { operationId })
      assert.deepEqual(await store.addMessages('s', message(1), { operationId }), first)
      await assert.rejects(store.addMessages('s', message(2), { operationId }), { code: 'OPERATION_CONFLICT' })
    },
  },
  {
    clause: 'operations.5',
    title: '256 operations are remembered, whatever comes between',
    async run({ store }) {
      const add = (index: number) => store.addMessages('s', turns(1, index), { operationId: `operation ${index}` })
      const results = []
      for (let index = 1; index <= 400; index++) results.push(await add(index))
      for (let index = 145; index <= 400; index++) assert.deepEqual(await add(index), results[index - 1])
      assert.equal((await store.getHistory('s')).length, 400)
    },
  },
  {
    clause: 'operations.6',
    title: 'a retry does not bring a deleted session back',
    async run({ store }) {
      const first = await store.addMessages('s', turns(2), { operationId })
      await store.deleteSession('s')
      assert.deepEqual(await store.addMessages('s', turns(2), { operationId }), first)
      assert.equal(await store.sessionInfo('s'), null)
      await store.addMessages('s', turns(1, 7))
      await store.addMessages('s', turns(2), { operationId })
      assert.deepEqual(texts(await store.getHistory('s')), ['turn 7'])
    },
  },
  {
    clause: 'operations.6',
    title: 'nor one that expired',
    async run({ store }) {
      const first = await store.addMessages('s', turns(2), { operationId })
      await store.expire('s', { at: 1 })
      assert.deepEqual(await store.addMessages('s', turns(2), { operationId }), first)
      assert.equal(await store.sessionInfo('s'), null)
      await store.sweep()
      assert.deepEqual(await store.addMessages('s', turns(2), { operationId }), first)
      assert.equal(await store.sessionInfo('s'), null)
    },
  },
  {
    clause: 'operations.1',
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
        assert.deepEqual(second, first)
      }
      assert.equal((await store.listSnapshots('s')).length, 3)
    },
  },
  {
    clause: 'operations.4',
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
    clause: 'operations.7',
    title: 'a rewind repeated after a sweep or a deletion says so',
    async run({ store }) {
      await store.addMessages('s', turns(5))
      const first = await store.rewind('s', { to: 2, operationId })
      assert.deepEqual(await store.rewind('s', { to: 2, operationId }), first)
      await store.sweep()
      await assert.rejects(store.rewind('s', { to: 2, operationId }), { code: 'RESULT_GONE', operationId })
      await store.deleteSession('s')
      await assert.rejects(store.rewind('s', { to: 2, operationId }), { code: 'RESULT_GONE', operationId })
      assert.equal(await store.sessionInfo('s'), null)
      await store.addMessages('s', turns(5, 50))
      await assert.rejects(store.rewind('s', { to: 2, operationId }), { code: 'RESULT_GONE', operationId })
      assert.deepEqual(await store.getHistory('s'), turns(5, 50))
    },
  },
]
