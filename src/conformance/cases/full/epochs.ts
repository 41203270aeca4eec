import assert from 'node:assert/strict'
import { same } from '../helpers/same.ts'
import { turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'
import { beginForWrites, everyWrite } from './helpers/every-write.ts'

export const epochs: WrittenCase[] = [
  {
    id: 'versions.2/turn-from-before-rollback',
    clause: 'versions.2',
    level: 'full',
    needs: ['versions', 'codes'],
    title: 'a turn that began before a rollback is rejected',
    async run({ store }) {
      await store.addMessages('s', turns(2))
      const snapshot = await store.saveSnapshot('s')
      const { epoch } = await store.getHistory('s')
      await store.rollbackToSnapshot('s', snapshot.id)
      await assert.rejects(store.addMessages('s', turns(1), { ifEpoch: epoch }), {
        code: 'VERSION_CONFLICT',
        subject: 'epoch',
        expected: epoch,
      })
      assert.equal((await store.getHistory('s')).length, 2)
    },
  },
  {
    id: 'versions.2/every-write-after-cuts',
    clause: 'versions.2',
    level: 'full',
    needs: ['versions', 'codes'],
    title: 'a write of any kind that began before a rollback, a clear or a rewind is rejected',
    async run({ store }) {
      for (const change of ['rollbackToSnapshot', 'clear', 'rewind']) {
        await beginForWrites(store, change)
        const { epoch } = await store.addMessages(change, turns(2, 7))
        await everyWrite[change]?.(store, change, {})
        const before = await store.getEntries(change)
        const snapshots = await store.listSnapshots(change)
        for (const [name, write] of Object.entries(everyWrite)) {
          const about = `${name} after ${change}`
          await assert.rejects(
            write(store, change, { ifEpoch: epoch }),
            { code: 'VERSION_CONFLICT', subject: 'epoch', expected: epoch, actual: before.epoch },
            about,
          )
        }
        const after = await store.getEntries(change)
        same(after, before, change)
        assert.equal(after.version, before.version, change)
        same(await store.listSnapshots(change), snapshots, change)
      }
    },
  },
  {
    id: 'versions.3/appends-never-conflict',
    clause: 'versions.3',
    level: 'full',
    needs: ['versions', 'codes'],
    title: 'ifEpoch never conflicts with appends, not even with the first turn',
    async run({ store, again }) {
      const other = await again()
      const unborn = await store.getHistory('s')
      assert.equal(unborn.epoch, null)
      const appendAtOnce = (count: number, ifEpoch?: string | null) =>
        Promise.all(
          Array.from({ length: count }, (_, writer) =>
            (writer % 2 === 0 ? store : other).addMessages('s', turns(1, writer), { ifEpoch }),
          ),
        )
      await appendAtOnce(10, unborn.epoch)
      const { epoch } = await store.getHistory('s')
      await Promise.all([
        appendAtOnce(40, epoch),
        store.recordToolCall('s', { id: 'c', name: 'n' }, { ifEpoch: epoch }),
        other.addSummary('s', { text: 't' }, { ifEpoch: epoch }),
      ])
      assert.equal((await store.getHistory('s')).length, 50)
      await store.saveSnapshot('s', { ifEpoch: epoch })
      assert.equal((await store.addMessages('s', turns(1), { ifEpoch: epoch })).epoch, epoch)
    },
  },
  {
    id: 'versions.3/trims-and-compactions-continue-it',
    clause: 'versions.3',
    level: 'full',
    needs: ['versions', 'codes'],
    title: 'an answer started before a trim or a compaction is kept',
    async run({ store }) {
      for (const cut of ['trim', 'compact']) {
        await beginForWrites(store, cut)
        const { epoch, version } = await store.getHistory(cut)
        for (const [name, write] of Object.entries(everyWrite)) {
          if (['rollbackToSnapshot', 'deleteSnapshot', 'rewind', 'clear'].includes(name)) continue
          const result = await everyWrite[cut]?.(store, cut, { ifEpoch: epoch })
          same(result?.epoch, epoch, cut)
          same((await write(store, cut, { ifEpoch: epoch }))?.epoch, epoch, `${name} after ${cut}`)
        }
        same((await store.sessionInfo(cut))?.epoch, epoch)
        await assert.rejects(store.addMessages(cut, turns(1), { ifVersion: version }), { code: 'VERSION_CONFLICT' })
        await store.clear(cut, { ifEpoch: epoch })
        await assert.rejects(store.addMessages(cut, turns(1), { ifEpoch: epoch }), { code: 'VERSION_CONFLICT' })
      }
    },
  },
  {
    id: 'versions.7/nothing-taken-back-yet',
    clause: 'versions.7',
    level: 'full',
    needs: ['versions', 'codes'],
    title: 'ifEpoch: null holds until something is taken back',
    async run({ store }) {
      for (const change of ['rollbackToSnapshot', 'clear', 'rewind']) {
        await store.addMessages(change, turns(1), { ifEpoch: null })
        await beginForWrites(store, change)
        for (const write of ['trim', 'compact', 'addMessages', 'saveSnapshot', 'trim']) {
          await everyWrite[write]?.(store, change, { ifEpoch: null })
        }
        if (change === 'rewind') await store.rewind(change, { to: 0, ifEpoch: null })
        else await everyWrite[change]?.(store, change, { ifEpoch: null })
        const before = await store.getEntries(change)
        const late = store.addMessages(change, turns(1), { ifEpoch: null })
        await assert.rejects(late, { code: 'VERSION_CONFLICT', subject: 'epoch', expected: null })
        same(await store.getEntries(change), before, change)
        await store.deleteSession(change)
        await store.addMessages(change, turns(1), { ifEpoch: null })
      }
    },
  },
]
