import assert from 'node:assert/strict'
import type { ChatMessage } from '../../../core/entries.ts'
import type { FullStore } from '../../case.ts'
import { same } from '../helpers/same.ts'
import { turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'
import { fill } from './helpers/filled-session.ts'

const ids = async (store: FullStore, automatic = false) =>
  (await store.listSnapshots('s')).filter((snapshot) => snapshot.automatic === automatic).map(({ id }) => id)

export const snapshots: WrittenCase[] = [
  {
    id: 'snapshots.4/unknown-and-foreign-ids',
    clause: 'snapshots.4',
    level: 'snapshots',
    needs: ['versions', 'bytes', 'codes'],
    title: 'unknown and foreign snapshot ids are rejected and change nothing',
    async run({ store }) {
      await fill(store)
      await store.addMessages('other', turns(1))
      const { id: foreign } = await store.saveSnapshot('other')
      const { id: deleted } = await store.saveSnapshot('s', { id: 'deleted' })
      await store.saveSnapshot('s', { id: 'Kept' })
      await store.deleteSnapshot('s', deleted)
      const before = await store.getEntries('s')
      for (const id of [
        'nope',
        foreign,
        deleted,
        'kept',
        'Kept ',
        'Kep',
        ' ',
        '__proto__',
        "' OR 1=1 --",
        '%',
        'constructor',
      ]) {
        const refused = { code: 'SNAPSHOT_NOT_FOUND', session: 's', snapshotId: id }
        await assert.rejects(store.rollbackToSnapshot('s', id), refused)
        await assert.rejects(store.deleteSnapshot('s', id), refused)
        await assert.rejects(store.fork('s', 't', { at: id }), refused)
        await assert.rejects(store.getEntries('s', { at: id }), refused)
      }
      await assert.rejects(store.rollbackToSnapshot('unknown', foreign), { code: 'SNAPSHOT_NOT_FOUND' })
      await assert.rejects(store.deleteSnapshot('unknown', foreign), { code: 'SNAPSHOT_NOT_FOUND' })
      const after = await store.getEntries('s')
      same(after, before)
      assert.equal(after.version, before.version)
      same(await ids(store), ['Kept'])
      assert.equal((await store.getEntries('other', { at: foreign })).length, 1)
      assert.equal(await store.sessionInfo('unknown'), null)
      assert.equal(await store.sessionInfo('t'), null)
    },
  },
  {
    id: 'snapshots.5/empty-cleared-trimmed-compacted',
    clause: 'snapshots.5',
    level: 'snapshots',
    title: 'snapshots of empty, cleared, trimmed and compacted sessions can be rolled back to',
    async run({ store }) {
      const states: { id: string; entries: unknown[] }[] = []
      const save = async () => {
        const { id } = await store.saveSnapshot('s')
        states.push({ id, entries: await store.getEntries('s') })
      }
      await save()
      await store.addMessages('s', turns(9))
      await save()
      await store.trim('s', { maxEntries: 5 })
      await save()
      await store.compact('s', { keep: 2, summarize: () => 'sum' })
      await save()
      await store.clear('s')
      await save()
      for (const { id, entries } of [...states, ...states.toReversed()]) {
        await store.rollbackToSnapshot('s', id)
        same(await store.getEntries('s'), entries)
      }
      same(
        (await store.listSnapshots('s')).filter(({ automatic }) => !automatic).map(({ entries }) => entries),
        [0, 9, 5, 3, 0],
      )
    },
  },
  {
    id: 'snapshots.6/any-text-and-taken-ids',
    clause: 'snapshots.6',
    level: 'snapshots',
    needs: ['codes'],
    title: 'ids and labels can be any text, and a taken id is rejected',
    async run({ store }) {
      await store.addMessages('s', turns(1))
      const labels = ['', "l'abel", 'null', 'a\0b', '\ud800', '🐟', 'x'.repeat(5000)]
      for (const [index, label] of labels.entries()) {
        const id = `${label.toWellFormed()}#${index}\0'"%_/:{}`
        assert.equal((await store.saveSnapshot('s', { id, label })).id, id)
        await store.rollbackToSnapshot('s', id)
        const listed = (await store.listSnapshots('s')).find((snapshot) => snapshot.id === id)
        assert.equal(listed?.label, label)
        await assert.rejects(store.saveSnapshot('s', { id }), { code: 'SNAPSHOT_EXISTS', snapshotId: id })
      }
      assert.equal((await store.saveSnapshot('s')).label, null)
      assert.equal((await store.saveSnapshot('t', { id: '#0\0\'"%_/:{}' })).automatic, false)
      const near = ['a', 'A', 'a ', ' a', 'ä', 'a\u0308', '1', '01', '1.0', '__proto__', 'constructor']
      for (const [index, id] of near.entries()) {
        await store.addMessages('s', turns(1, index))
        await store.addMessages('t', turns(2, index))
        for (const session of ['s', 't']) await store.saveSnapshot(session, { id, label: `${session} ${index}` })
      }
      for (const session of ['s', 't']) {
        const listed = (await store.listSnapshots(session)).filter(({ id }) => near.includes(id))
        const perTurn = session === 's' ? 1 : 2
        same(
          listed.map(({ id, label, entries }) => ({ id, label, entries })),
          near.map((id, index) => ({ id, label: `${session} ${index}`, entries: 2 + perTurn * index })),
        )
        for (const [index, id] of near.entries()) {
          await store.rollbackToSnapshot(session, id)
          assert.equal((await store.getHistory(session)).length, 2 + perTurn * index)
        }
      }
    },
  },
  {
    id: 'snapshots.7/deleted-takes-nothing-along',
    clause: 'snapshots.7',
    level: 'snapshots',
    needs: ['bytes', 'codes'],
    title: 'deleting a snapshot removes nothing else',
    async run({ store }) {
      await fill(store)
      const first = await store.saveSnapshot('s')
      const second = await store.saveSnapshot('s')
      const before = await store.getEntries('s')
      await store.addMessages('s', turns(2, 4))
      const third = await store.saveSnapshot('s')
      const later = await store.getEntries('s')
      await store.clear('s')
      for (const deleted of [first, third]) {
        await store.deleteSnapshot('s', deleted.id)
        await store.sweep()
        await assert.rejects(store.rollbackToSnapshot('s', deleted.id), { code: 'SNAPSHOT_NOT_FOUND' })
        same(await ids(store), deleted === first ? [second.id, third.id] : [second.id])
        if (deleted === first) same(await store.getEntries('s', { at: third.id }), later)
      }
      await store.rollbackToSnapshot('s', second.id)
      same(await store.getEntries('s'), before)
      await store.deleteSnapshot('s', second.id)
      same(await store.getEntries('s'), before)
    },
  },
  {
    id: 'snapshots.7/deleted-and-saved-again',
    clause: 'snapshots.7',
    level: 'snapshots',
    needs: ['codes'],
    title: 'a snapshot that is deleted and saved again during a read or a rollback is never a mix of both',
    async run({ store, again }) {
      const generation = (round: number) => turns(1100 + round, 10_000 * round + 1)
      const whole = (history: readonly ChatMessage[]) => {
        const [first] = history
        const round = Math.floor(Number(String(first?.content).slice(5)) / 10_000)
        same(history, generation(round), 'one generation, whole')
      }
      await store.addMessages('s', generation(9))
      await store.saveSnapshot('s', { id: 'p' })
      const other = await again()
      for (let round = 0; round < 4; round++) {
        const reading: Promise<readonly ChatMessage[] | null>[] = []
        const rolling: Promise<unknown>[] = []
        const orNotFound = (error: { code?: unknown }) => {
          assert.equal(error.code, 'SNAPSHOT_NOT_FOUND')
          return null
        }
        for (const step of [
          () => store.deleteSnapshot('s', 'p'),
          () => store.clear('s'),
          () => store.sweep('s'),
          () => store.addMessages('s', generation(round)),
          () => store.saveSnapshot('s', { id: 'p' }),
        ]) {
          reading.push(store.getHistory('s', { at: 'p' }).catch(orNotFound))
          rolling.push(other.rollbackToSnapshot('s', 'p').catch(orNotFound))
          for (let head = 0; head < round; head++) await store.sessionInfo('s')
          await step()
        }
        await Promise.all(rolling)
        for (const history of await Promise.all(reading)) if (history !== null) whole(history)
        whole(await store.getHistory('s', { at: 'p' }))
      }
      await store.rollbackToSnapshot('s', 'p')
      whole(await store.getHistory('s'))
      same((await store.verify()).damage, [])
    },
  },
]
