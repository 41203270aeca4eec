import assert from 'node:assert/strict'
import type { WriteOptions, Written } from '../../../core/types.ts'
import type { FullStore } from '../../case.ts'
import { same } from '../helpers/same.ts'
import { turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'
import { beginForWrites, everyWrite } from './helpers/every-write.ts'

const operationId = 'operation-1'

/** Writes that begin a session where there is none. */
const beginning: Record<string, (store: FullStore, session: string, options: WriteOptions) => Promise<Written>> = {
  addMessages: (store, session, options) => store.addMessages(session, turns(2), options),
  recordToolCall: (store, session, options) => store.recordToolCall(session, { id: 'c', name: 'n' }, options),
  addSummary: (store, session, options) => store.addSummary(session, { text: 't' }, options),
  addEntries: (store, session, options) =>
    store.addEntries(session, [{ kind: 'record', record: { type: 'r' } }], options),
  saveSnapshot: (store, session, options) => store.saveSnapshot(session, options),
  fork: (store, session, options) => store.fork('source', session, options),
}

export const operations: WrittenCase[] = [
  {
    id: 'operations.1/every-write-repeated',
    clause: 'operations.1',
    level: 'full',
    needs: ['operations'],
    title: 'repeating any write under its id, on any handle, returns the first result and changes nothing',
    async run({ store, again }) {
      const other = await again()
      const writes: typeof everyWrite = {
        ...everyWrite,
        trimNothing: (handle, session, options) => handle.trim(session, { maxEntries: 500, ...options }),
        slidingTtl: (handle, session, options) => handle.expire(session, { ttl: 3_600_000, ...options }),
        fork: (handle, session, options) => handle.fork(session, `fork of ${session}`, options),
      }
      const now = Date.now
      const fixed = now()
      try {
        Date.now = () => fixed
        for (const [name, write] of Object.entries(writes)) {
          await beginForWrites(store, name)
          const first = await write(store, name, { operationId })
          await store.addMessages(name, turns(4, 9))
          const info = await store.sessionInfo(name)
          for (const handle of [other, store]) {
            same(await write(handle, name, { operationId }), first, name)
            same(await handle.sessionInfo(name), info, name)
          }
        }
      } finally {
        Date.now = now
      }
    },
  },
  {
    id: 'operations.1/twice-at-once',
    clause: 'operations.1',
    level: 'full',
    needs: ['operations'],
    title: 'the same operation twice at once, on two handles, is applied once, and both get the same result',
    async run({ store, again }) {
      const other = await again()
      for (const [name, write] of Object.entries(everyWrite)) {
        await beginForWrites(store, name)
        await beginForWrites(store, `${name} alone`)
        const results = await Promise.all([store, other, store].map((handle) => write(handle, name, { operationId })))
        same(results, [results[0], results[0], results[0]], name)
        await write(store, `${name} alone`, { operationId })
        const content = async (session: string) => [
          (await store.getEntries(session)).map(({ at, ...entry }) => entry),
          (await store.listSnapshots(session)).map(({ entries, automatic }) => ({ entries, automatic })),
        ]
        same(await content(name), await content(`${name} alone`), name)
      }
    },
  },
  {
    id: 'operations.2/repeated-after-cuts',
    clause: 'operations.2',
    level: 'full',
    needs: ['operations', 'versions'],
    title: 'a repeated write returns the first result after a trim, a clear and a rollback',
    async run({ store }) {
      const writes = [
        () => store.addMessages('s', turns(4), { operationId: 'add' }),
        () => store.recordToolCall('s', { id: 'c', name: 'n' }, { operationId: 'record' }),
        () => store.addSummary('s', { text: 't' }, { operationId: 'sum' }),
        () => store.saveSnapshot('s', { id: 'saved', operationId: 'save' }),
      ]
      await store.saveSnapshot('s', { id: 'empty' })
      const first: Written[] = []
      for (const write of writes) first.push(await write())
      for (const change of [
        () => store.rollbackToSnapshot('s', 'saved'),
        () => store.trim('s', { maxEntries: 1 }),
        () => store.clear('s'),
        () => store.rollbackToSnapshot('s', 'empty'),
      ]) {
        await change()
        const before = await store.getEntries('s')
        const saved = await store.listSnapshots('s')
        for (const [index, write] of writes.entries()) same(await write(), first[index])
        same(await store.getEntries('s'), before)
        same(await store.listSnapshots('s'), saved)
        assert.equal((await store.getHistory('s')).version, before.version)
      }
    },
  },
  {
    id: 'operations.3/repeated-before-conditions',
    clause: 'operations.3',
    level: 'full',
    needs: ['operations', 'versions'],
    title: 'a repeated operation of any kind is recognized before its conditions are checked',
    async run({ store }) {
      for (const [name, write] of Object.entries(everyWrite)) {
        await beginForWrites(store, name)
        const info = await store.sessionInfo(name)
        const stale = [{ ifVersion: info?.version }, { ifEpoch: info?.epoch }, { ifVersion: null }]
        const first = await write(store, name, { operationId, ...stale[0], ...stale[1] })
        await store.rollbackToSnapshot(name, 'q')
        const after = await store.sessionInfo(name)
        for (const conditions of stale) same(await write(store, name, { operationId, ...conditions }), first, name)
        same(await store.sessionInfo(name), after, name)
      }
    },
  },
  {
    id: 'operations.5/256-operations-remembered',
    clause: 'operations.5',
    level: 'full',
    needs: ['operations'],
    title: '256 operations are remembered, whatever happens in between',
    async run({ store }) {
      const add = (index: number) => store.addMessages('s', turns(1, index), { operationId: `operation ${index}` })
      const results = []
      for (let index = 1; index <= 400; index++) results.push(await add(index))
      for (let index = 145; index <= 400; index++) same(await add(index), results[index - 1])
      assert.equal((await store.getHistory('s')).length, 400)
    },
  },
  {
    id: 'operations.6/no-return-from-deletion',
    clause: 'operations.6',
    level: 'full',
    needs: ['operations'],
    title: 'a retry does not bring back a deleted session, and does not write to its successor',
    async run({ store }) {
      let round = 1
      for (const [name, write] of Object.entries(beginning)) {
        for (const end of [() => store.deleteSession(name), () => store.deleteAllSessions()]) {
          await store.addMessages('source', turns(2))
          const options = { operationId: `${name} ${round++}` }
          const first = await write(store, name, options)
          await end()
          await store.addMessages('source', turns(2))
          same(await write(store, name, options), first, name)
          assert.equal(await store.sessionInfo(name), null, name)
          await store.addMessages(name, turns(1, 7))
          same(await write(store, name, options), first, name)
          assert.equal((await store.getEntries(name)).length, 1, name)
          same(await store.listSnapshots(name), [], name)
          await store.deleteSession(name)
        }
      }
    },
  },
  {
    id: 'operations.6/nor-one-that-expired',
    clause: 'operations.6',
    level: 'full',
    needs: ['operations'],
    title: 'a retry does not bring back an expired session, swept or not',
    async run({ store }) {
      await store.addMessages('source', turns(2))
      for (const [name, write] of Object.entries(beginning)) {
        for (const isSwept of [false, true]) {
          const session = `${name} ${isSwept}`
          const first = await write(store, session, { operationId })
          await store.expire(session, { at: 1 })
          if (isSwept) await store.sweep()
          same(await write(store, session, { operationId }), first, session)
          assert.equal(await store.sessionInfo(session), null, session)
          await store.addMessages(session, turns(1, 7))
          same(await write(store, session, { operationId }), first, session)
          assert.equal((await store.getEntries(session)).length, 1, session)
          same(await store.listSnapshots(session), [], session)
        }
      }
    },
  },
  {
    id: 'operations.7/rewind-repeated-after-sweep',
    clause: 'operations.7',
    level: 'full',
    needs: ['operations', 'codes'],
    title: 'repeating a rewind after a sweep or a deletion fails with RESULT_GONE',
    async run({ store }) {
      await store.addMessages('s', turns(5))
      const first = await store.rewind('s', { to: 2, operationId })
      same(await store.rewind('s', { to: 2, operationId }), first)
      await store.sweep()
      await assert.rejects(store.rewind('s', { to: 2, operationId }), {
        code: 'RESULT_GONE',
        session: 's',
        operationId,
      })
      await store.deleteSession('s')
      await assert.rejects(store.rewind('s', { to: 2, operationId }), {
        code: 'RESULT_GONE',
        session: 's',
        operationId,
      })
      assert.equal(await store.sessionInfo('s'), null)
      await store.addMessages('s', turns(5, 50))
      await assert.rejects(store.rewind('s', { to: 2, operationId }), {
        code: 'RESULT_GONE',
        session: 's',
        operationId,
      })
      same(await store.getHistory('s'), turns(5, 50))
    },
  },
]
