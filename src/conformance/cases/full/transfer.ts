import assert from 'node:assert/strict'
import { encodeEntry } from '../../../core/encode-entry.ts'
import { same } from '../helpers/same.ts'
import { texts, turns } from '../helpers/samples.ts'
import { longCopy } from '../helpers/watch-whole.ts'
import type { WrittenCase } from '../written-case.ts'
import { fill, look } from './helpers/rich-session.ts'

export const transfer: WrittenCase[] = [
  {
    id: 'transfer.1/copy-holds-all',
    clause: 'transfer.1',
    level: 'full',
    needs: ['versions', 'bytes'],
    title: 'a copy has everything that can be read, in order, and shares nothing with the store',
    async run({ store }) {
      await fill(store)
      const before = await look(store, 's')
      const copy = await store.exportSession('s')
      const read = new Set([...before.entries, ...(before.then.flat() as { seq: number }[])].map(({ seq }) => seq))
      same(
        copy.entries.map(({ seq }) => seq),
        [...read].sort((a, b) => a - b),
      )
      assert.equal(copy.id, 's')
      assert.equal(copy.snapshots.length, before.snapshots.length)
      same(
        copy.snapshots.map(({ id, label, automatic, at }) => ({ id, label, automatic, at })),
        before.snapshots.map(({ id, label, automatic, at }) => ({ id, label, automatic, at })),
      )
      const { createdAt, updatedAt, ttl, expiresAt } = copy.head
      same(before.info, { createdAt, updatedAt, ttl, expiresAt })
      for (const entry of copy.entries) Reflect.set(entry, 'body', '')
      for (const { bytes } of copy.entries) bytes?.fill(0)
      for (const { path } of copy.epochs) Reflect.set(path, 'length', 0)
      same(await look(store, 's'), before)
    },
  },
  {
    id: 'transfer.1/copy-of-one-moment',
    clause: 'transfer.1',
    level: 'full',
    title: 'a copy shows a single moment, whatever is written, cut and swept meanwhile',
    async run({ store }) {
      await store.addMessages('s', turns(2500))
      const writing = (async () => {
        for (let round = 0; round < 10; round++) {
          await store.addMessages('s', turns(100))
          const { id } = await store.saveSnapshot('s')
          await store.trim('s', { maxEntries: 1500 })
          await store.deleteSnapshot('s', id)
          await store.sweep('s')
        }
      })()
      for (let round = 0; round < 5; round++) {
        const copy = await store.exportSession('s')
        await store.importSession({ ...copy, id: `copy ${round}` })
        same((await store.verify(`copy ${round}`)).damage, [], 'damage')
      }
      await writing
    },
  },
  {
    id: 'transfer.2/reads-and-exports-the-same',
    clause: 'transfer.2',
    level: 'full',
    needs: ['versions', 'bytes'],
    title: 'an imported session reads the same everywhere and exports the same',
    async run({ store, open }) {
      await fill(store)
      const other = await open()
      const before = await look(store, 's')
      const copy = await store.exportSession('s')
      const imported = await other.importSession(copy)
      same([imported.version, imported.epoch], [before.info?.version, before.info?.epoch])
      assert.equal(imported.entries, copy.entries.length)
      for (const { bytes } of copy.entries) bytes?.fill(0)
      same(await look(other, 's'), before)
      same(await other.exportSession('s'), await store.exportSession('s'))
      same((await other.verify()).damage, [], 'damage')
    },
  },
  {
    id: 'transfer.2/goes-on-where-it-stood',
    clause: 'transfer.2',
    level: 'full',
    needs: ['versions', 'bytes'],
    title: 'an imported session continues where the other one stopped',
    async run({ store, open }) {
      await fill(store)
      const other = await open()
      await other.importSession(await store.exportSession('s'))
      const version = (await store.sessionInfo('s'))?.version
      const [here, there] = await Promise.all(
        [store, other].map(async (one) => {
          const { seqs } = await one.addMessages('s', turns(1, 90), { ifVersion: version })
          await one.rollbackToSnapshot('s', 'first')
          await one.addMessages('s', turns(1, 91))
          await one.rollbackToSnapshot('s', 'second')
          await one.sweep()
          return { seqs, texts: texts(await one.getHistory('s')), seen: (await one.getHistory('s')).seqs }
        }),
      )
      same(there, here)
      same((await other.verify()).damage, [], 'damage')
    },
  },
  {
    id: 'transfer.2/empty-cleared-snapshots-alone',
    clause: 'transfer.2',
    level: 'full',
    needs: ['versions'],
    title: 'empty sessions, cleared sessions and sessions with only snapshots can be imported',
    async run({ store, open }) {
      await store.saveSnapshot('empty')
      await store.addMessages('cleared', turns(3))
      await store.clear('cleared')
      await store.addMessages('kept', turns(3))
      await store.saveSnapshot('kept', { id: 'k' })
      await store.clear('kept')
      const other = await open()
      for (const id of ['empty', 'cleared', 'kept']) {
        await other.importSession(await store.exportSession(id))
        same(await look(other, id), await look(store, id))
      }
      same((await other.addMessages('cleared', turns(1))).seqs, [4])
      same(await other.getHistory('kept', { at: 'k' }), turns(3))
    },
  },
  {
    id: 'transfer.2/same-import-again',
    clause: 'transfer.2',
    level: 'full',
    needs: ['operations', 'bytes', 'codes'],
    title: 'repeating an import under its operation id changes nothing',
    async run({ store, open }) {
      await fill(store)
      await store.addMessages('long', turns(longCopy))
      const other = await open()
      for (const id of ['s', 'long']) {
        const copy = await store.exportSession(id)
        const first = await other.importSession(copy, { operationId: 'move' })
        await other.addMessages(id, turns(1))
        same(await other.importSession(copy, { operationId: 'move' }), first)
        const cut = { ...copy, entries: copy.entries.slice(0, -1) }
        await assert.rejects(other.importSession(cut, { operationId: 'move' }), { code: 'INVALID_ENTRY' })
        const changed = { ...copy, head: { ...copy.head, createdAt: copy.head.createdAt - 1 } }
        await assert.rejects(other.importSession(changed, { operationId: 'move' }), { code: 'OPERATION_CONFLICT' })
        const said = encodeEntry('message', { role: 'user', content: 'something else' }, 'message')
        const entries = copy.entries.map((entry, index) => (index === 0 ? { ...entry, ...said } : entry))
        const otherwise = other.importSession({ ...copy, entries }, { operationId: 'move' })
        await assert.rejects(otherwise, { code: 'OPERATION_CONFLICT' })
        await other.deleteSession(id)
        same(await other.importSession(copy, { operationId: 'move' }), first)
        assert.equal(await other.sessionInfo(id), null)
      }
    },
  },
  {
    id: 'transfer.3/import-over-existing',
    clause: 'transfer.3',
    level: 'full',
    needs: ['versions', 'bytes', 'codes'],
    title: 'importing an existing session is rejected and changes nothing',
    async run({ store, open }) {
      await fill(store)
      const copy = await store.exportSession('s')
      await assert.rejects(store.importSession(copy), { code: 'SESSION_EXISTS', session: 's' })
      const other = await open()
      const { version } = await other.addMessages('s', turns(1))
      await assert.rejects(other.importSession(copy), { code: 'SESSION_EXISTS' })
      assert.equal((await other.getHistory('s')).version, version)
      same(texts(await other.getHistory('s')), ['turn 1'])
      const empty = await open()
      await empty.saveSnapshot('s', { id: 'of nothing' })
      await assert.rejects(empty.importSession(copy), { code: 'SESSION_EXISTS' })
      same(await empty.getHistory('s', { at: 'of nothing' }), [])
      same(await empty.getHistory('s'), [])
      const target = await open()
      const results = await Promise.allSettled([target.importSession(copy), target.importSession(copy)])
      same(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
      same(await target.exportSession('s'), copy)
    },
  },
  {
    id: 'transfer.5/no-session-to-export',
    clause: 'transfer.5',
    level: 'full',
    needs: ['codes'],
    title: 'exporting a missing or expired session fails',
    async run({ store }) {
      await assert.rejects(store.exportSession('s'), { code: 'SESSION_NOT_FOUND', session: 's' })
      await store.addMessages('s', turns(1))
      await store.expire('s', { at: 1 })
      await assert.rejects(store.exportSession('s'), { code: 'SESSION_NOT_FOUND' })
      await assert.rejects(store.exportSession(''), TypeError)
      same((await store.listSessions()).sessions, [])
    },
  },
  {
    id: 'transfer.2/largest-numbers',
    clause: 'transfer.2',
    level: 'full',
    needs: ['versions'],
    title: 'a session with the largest possible counts and times continues like any other',
    async run({ store }) {
      const most = 2 ** 52
      const lastMoment = 8.64e15
      await store.addMessages('small', turns(2))
      const { head, ...copy } = await store.exportSession('small')
      const large = {
        ...head,
        ...{ counter: most, end: most, epoch: most, ttl: lastMoment / 2, ownTtl: true, expiresAt: lastMoment },
      }
      const path = [[1, 2] as const, [most + 1, null] as const]
      await store.importSession({
        ...copy,
        id: 's',
        head: large,
        epochs: [{ number: most, path, cause: null, at: null }],
      })
      same((await store.addMessages('s', turns(2, 3))).seqs, [most + 1, most + 2])
      await store.saveSnapshot('s', { id: 'p' })
      await store.addSummary('s', { text: 'sum', embedding: [1, 0] })
      await store.addMessages('s', turns(1, 5))
      same(await store.getHistory('s'), turns(5))
      same((await store.recall('s', [1, 0])).length, 1)
      await store.trim('s', { maxEntries: 2 })
      await store.rollbackToSnapshot('s', 'p')
      same(await store.getHistory('s'), turns(4))
      await store.sweep('s')
      same((await store.verify('s')).damage, [])
      same((await store.sessionInfo('s'))?.expiresAt, lastMoment)
      for (const end of [{ ttl: lastMoment / 2 }, { at: lastMoment }]) {
        await store.expire('s', end)
        await store.addMessages('s', turns(1))
        const { expiresAt } = (await store.sessionInfo('s')) ?? {}
        assert.ok((expiresAt ?? 0) >= lastMoment / 2, `it expires at ${expiresAt}`)
      }
      const { counter } = (await store.exportSession('s')).head
      assert.ok(counter > most, `the counter of the version is ${counter}, and was ${most}`)
    },
  },
]
