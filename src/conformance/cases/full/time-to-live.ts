import assert from 'node:assert/strict'
import type { FullStore } from '../../case.ts'
import { fakeClock } from '../helpers/fake-clock.ts'
import { nextMoment } from '../helpers/next-moment.ts'
import { same } from '../helpers/same.ts'
import { turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'
import { endsThoughReopened } from './helpers/ends-though-reopened.ts'

const hour = 3_600_000

/** When a session expires, counted from its newest write. */
async function lifeOf(store: FullStore): Promise<number | null> {
  const info = await store.sessionInfo('s')
  assert.ok(info, 'the session is there')
  return info.expiresAt === null ? null : info.expiresAt - info.updatedAt
}

export const timeToLive: WrittenCase[] = [
  {
    id: 'ttl.1/every-write-and-no-read',
    clause: 'ttl.1',
    level: 'full',
    needs: ['ttl'],
    title: 'every kind of write sets the expiry to its time plus the ttl, and no read changes it',
    async run({ open }) {
      const store = await open({ ttl: hour })
      await store.addMessages('s', turns(4))
      await store.saveSnapshot('s', { id: 'p' })
      const writes: (() => Promise<unknown>)[] = [
        () => store.addMessages('s', turns(4)),
        () => store.recordToolCall('s', { id: 'c', name: 'n' }),
        () => store.addSummary('s', { text: 't', embedding: [1] }),
        () => store.saveSnapshot('s'),
        () => store.trim('s', { maxEntries: 5 }),
        () => store.compact('s', { keep: 1, summarize: () => 'sum' }),
        () => store.rollbackToSnapshot('s', 'p'),
        () => store.rewind('s', { to: 2 }),
        () => store.deleteSnapshot('s', 'p'),
        () => store.clear('s'),
        () => store.describe('s', { title: 't' }),
      ]
      for (const write of writes) {
        const before = await store.sessionInfo('s')
        await nextMoment(store)
        await store.getHistory('s')
        await store.getEntries('s')
        await store.listSnapshots('s')
        await store.recall('s', [1])
        await store.listSessions()
        await store.verify('s')
        await store.exportSession('s')
        same((await store.sessionInfo('s'))?.expiresAt, before?.expiresAt, 'reading does not touch the expiry')
        await write()
        assert.ok(((await store.sessionInfo('s'))?.expiresAt ?? 0) > (before?.expiresAt ?? 0), String(write))
        same(await lifeOf(store), hour)
      }
    },
  },
  {
    id: 'ttl.2/absent-in-every-operation',
    clause: 'ttl.2',
    level: 'full',
    needs: ['versions', 'codes'],
    title: 'expired means absent in every operation, swept or not',
    async run({ store }) {
      for (const sweep of [false, true]) {
        await store.addMessages('s', turns(3))
        await store.addSummary('s', { text: 'x', embedding: [1] })
        await store.saveSnapshot('s', { id: 'p' })
        await store.expire('s', { at: 1 })
        if (sweep)
          assert.ok(
            [0, 4].includes((await store.sweep()).entries),
            'sweep counts what was left of it, or the server left nothing',
          )
        same(await store.getHistory('s'), [])
        same(await store.getEntries('s'), [])
        same(await store.recall('s', [1]), [])
        same(await store.listSnapshots('s'), [])
        assert.equal(await store.sessionInfo('s'), null)
        same((await store.listSessions()).sessions, [])
        assert.equal(await store.expire('s', { ttl: 5000 }), null)
        assert.equal((await store.trim('s', { maxEntries: 1 })).version, null)
        await assert.rejects(store.rollbackToSnapshot('s', 'p'), { code: 'SNAPSHOT_NOT_FOUND' })
        await assert.rejects(store.fork('s', 't'), { code: 'SESSION_NOT_FOUND' })
        assert.equal(await store.deleteSession('s'), false)
        same((await store.verify()).damage, [], 'damage')
        await store.sweep()
      }
    },
  },
  {
    id: 'ttl.2/expires-though-reopened',
    clause: 'ttl.2',
    level: 'full',
    needs: ['ttl', 'persistent'],
    title: 'a session expires on time and not earlier, even if every handle was closed and the memory was reopened',
    async run({ open, again, close }) {
      await endsThoughReopened({ open, again, close }, 80)
    },
  },
  {
    id: 'ttl.3/nothing-of-the-old',
    clause: 'ttl.3',
    level: 'full',
    needs: ['versions'],
    title: 'a session that starts over after it expired has nothing of the old one',
    async run({ store }) {
      const old = await store.addMessages('s', turns(3))
      await store.saveSnapshot('s', { id: 'p' })
      await store.addSummary('s', { text: 'old', embedding: [1] })
      await store.expire('s', { at: 1 })
      const begun = await store.addMessages('s', turns(1, 9))
      same(begun.seqs, [1])
      assert.notEqual(begun.epoch, old.epoch)
      same(await store.getHistory('s'), turns(1, 9))
      same(await store.listSnapshots('s'), [])
      same(await store.recall('s', [1]), [])
      assert.equal((await store.sessionInfo('s'))?.expiresAt, null)
      same((await store.verify()).damage, [], 'damage')
    },
  },
  {
    id: 'ttl.4/a-moment-that-has-passed',
    clause: 'ttl.4',
    level: 'full',
    needs: ['versions'],
    title: 'expire accepts a time in the past, moments or years ago, and the session is expired at once',
    async run({ store }) {
      for (const at of [Date.now() - 1, Date.now() - hour, 1]) {
        await store.addMessages('s', turns(3))
        await store.addMessages('other', turns(1))
        same((await store.expire('s', { at: new Date(at) }))?.expiresAt, at)
        same(await store.getHistory('s'), [], `an end at ${at}`)
        assert.equal(await store.sessionInfo('s'), null)
        same((await store.addMessages('s', turns(1, 9))).seqs, [1])
        assert.equal((await store.sessionInfo('s'))?.expiresAt, null)
        await store.deleteSession('s')
      }
      same((await store.getHistory('other')).length, 3)
    },
  },
  {
    id: 'ttl.4/absolute-sliding-and-never',
    clause: 'ttl.4',
    level: 'full',
    needs: ['ttl'],
    title: 'an absolute expiry does not slide, the ttl of a session does, and never means never',
    async run({ open }) {
      const store = await open({ ttl: hour })
      await store.addMessages('s', turns(1))
      await store.addMessages('other', turns(1))
      const other = await store.sessionInfo('other')
      const expiresAt = async () => (await store.sessionInfo('s'))?.expiresAt
      const at = Date.now() + 50 * hour
      same((await store.expire('s', { at: new Date(at) }))?.expiresAt, at)
      await nextMoment(store)
      await store.addMessages('s', turns(1))
      same(await expiresAt(), at, 'an absolute end does not slide')
      const told = await store.expire('s', { ttl: 7 * hour })
      same(await lifeOf(store), 7 * hour)
      same(told?.expiresAt, await expiresAt(), 'what expire returns')
      await nextMoment(store)
      const before = await expiresAt()
      await store.clear('s')
      same(await lifeOf(store), 7 * hour, 'a ttl of its own slides')
      assert.ok(((await expiresAt()) ?? 0) > (before ?? 0), 'a ttl of its own slides')
      same((await store.expire('s', { never: true }))?.expiresAt, null)
      await store.addMessages('s', turns(2))
      same(await expiresAt(), null, 'never is never')
      same((await store.getHistory('s')).length, 2)
      same(await store.sessionInfo('other'), other, 'the expiry of one session is of no other')
    },
  },
  {
    id: 'ttl.5/impossible-ttl',
    clause: 'ttl.5',
    level: 'full',
    needs: ['codes', 'ttl'],
    title: 'a ttl that is zero, negative or not finite is rejected',
    async run({ store, open }) {
      await store.addMessages('s', turns(1))
      const refused = { name: 'TypeError', code: 'INVALID_ARGUMENT' }
      for (const ttl of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, '5', null]) {
        await assert.rejects(open({ ttl: ttl as number }), refused)
        await assert.rejects(store.expire('s', { ttl: ttl as number }), refused)
        await assert.rejects(store.expire('s', { at: ttl as number }), refused)
      }
      for (const ttl of [1e308, 8.64e15]) {
        await assert.rejects(open({ ttl }), refused)
        await assert.rejects(store.expire('s', { ttl }), refused)
      }
      for (const at of [1e16, new Date(0), new Date(-1), new Date(Number.NaN)]) {
        await assert.rejects(store.expire('s', { at }), refused)
      }
      await assert.rejects(store.expire('s', {} as never), refused)
      await assert.rejects(store.expire('s', { ttl: 5, at: 5 } as never), refused)
      assert.equal((await store.sessionInfo('s'))?.expiresAt, null)
    },
  },
  {
    id: 'ttl.6/clock-steps-back-and-forth',
    clause: 'ttl.6',
    level: 'full',
    needs: ['ttl'],
    title: 'a clock that jumps back and forth never moves the expiry back, and the session stays',
    async run({ open }) {
      const store = await open({ ttl: 2 * hour })
      const real = Date.now()
      const clock = fakeClock()
      try {
        let expiresAt = 0
        for (const [index, step] of [0, -5, -1, 0, 1.5, -20, 0.5, 1.4].entries()) {
          clock.set(real + step * hour)
          await store.addMessages('s', turns(1, index + 1))
          clock.set(real + (step > 0 ? step * hour : 0))
          same(await store.getHistory('s'), turns(index + 1), `after a step of ${step} hours`)
          const info = await store.sessionInfo('s')
          assert.ok((info?.expiresAt ?? 0) >= expiresAt, `a step of ${step} hours moved the expiry back`)
          expiresAt = info?.expiresAt ?? 0
        }
      } finally {
        clock.restore()
      }
    },
  },
  {
    id: 'ttl.6/expiry-beyond-the-ttl',
    clause: 'ttl.6',
    level: 'full',
    needs: ['ttl'],
    title: 'a write never shortens an expiry later than the ttl; only a new ttl and expire do',
    async run({ open }) {
      const store = await open({ ttl: hour })
      const ends = async () => (await store.sessionInfo('s'))?.expiresAt ?? 0
      await store.addMessages('s', turns(1))
      const begin = async (head: { ttl?: number; ownTtl?: boolean }) => {
        const copy = await store.exportSession('s')
        const expiresAt = copy.head.updatedAt + 9 * hour
        await store.deleteSession('s')
        await store.importSession({ ...copy, head: { ...copy.head, expiresAt, ...head } })
        return expiresAt
      }
      for (const ownTtl of [false, true]) {
        const expiresAt = await begin({ ttl: hour, ownTtl })
        const writes: (() => Promise<unknown>)[] = [
          () => store.addMessages('s', turns(1)),
          () => store.addMessages('s', turns(3)),
          () => store.addMessages('s', turns(1), { operationId: `o ${ownTtl}` }),
          () => store.addSummary('s', { text: 't', embedding: [1] }),
          () => store.saveSnapshot('s'),
          () => store.clear('s'),
        ]
        for (const write of writes) {
          await write()
          same(await ends(), expiresAt, `${write} leaves the expiry where it was`)
        }
        await store.expire('s', { ttl: hour })
        assert.ok((await ends()) < expiresAt, 'expire moves it')
      }
      for (const add of [
        () => store.addMessages('s', turns(1)),
        () => store.addSummary('s', { text: 't', embedding: [1] }),
      ]) {
        const expiresAt = await begin({ ttl: 3 * hour, ownTtl: false })
        await add()
        assert.ok((await ends()) < expiresAt, 'another time to live moves it')
        same(await lifeOf(store), hour)
      }
    },
  },
]
