import assert from 'node:assert/strict'
import { type BehaviourCase, turns } from './case.ts'

/** Sets the clock that the store reads, for as long as `run` takes. */
async function withClock(run: (setClock: (time: number) => void) => Promise<void>): Promise<void> {
  const now = Date.now
  try {
    await run((time) => {
      Date.now = () => time
    })
  } finally {
    Date.now = now
  }
}

const start = 1_800_000_000_000

export const timeToLive: BehaviourCase[] = [
  {
    clause: 'ttl.1',
    title: "the store's ttl slides on every write, not on reads",
    async run({ open }) {
      const store = await open({ ttl: 1000 })
      await withClock(async (setClock) => {
        setClock(start)
        await store.addMessages('s', turns(1))
        setClock(start + 900)
        assert.equal((await store.getHistory('s')).length, 1)
        assert.equal((await store.sessionInfo('s'))?.expiresAt, start + 1000)
        await store.saveSnapshot('s', { id: 'p' })
        assert.equal((await store.sessionInfo('s'))?.expiresAt, start + 1900)
        setClock(start + 1899)
        assert.equal((await store.getHistory('s')).length, 1)
        setClock(start + 1900)
        assert.deepEqual(await store.getHistory('s'), [])
      })
    },
  },
  {
    clause: 'ttl.2',
    title: 'expired means absent in every operation, swept or not',
    async run({ open }) {
      for (const sweep of [false, true]) {
        const store = await open({ ttl: 1000 })
        await withClock(async (setClock) => {
          setClock(start)
          await store.addMessages('s', turns(3))
          await store.addSummary('s', { text: 'x', embedding: [1] })
          await store.saveSnapshot('s', { id: 'p' })
          setClock(start + 1000)
          if (sweep) assert.equal((await store.sweep()).entries, 4)
          assert.deepEqual(await store.getHistory('s'), [])
          assert.deepEqual(await store.getEntries('s'), [])
          assert.deepEqual(await store.recall('s', [1]), [])
          assert.deepEqual(await store.listSnapshots('s'), [])
          assert.equal(await store.sessionInfo('s'), null)
          assert.deepEqual((await store.listSessions()).sessions, [])
          assert.equal(await store.expire('s', { ttl: 5000 }), null)
          assert.equal((await store.trim('s', { maxEntries: 1 })).version, null)
          await assert.rejects(store.rollbackToSnapshot('s', 'p'), { code: 'SNAPSHOT_NOT_FOUND' })
          await assert.rejects(store.fork('s', 't'), { code: 'SESSION_NOT_FOUND' })
          assert.equal(await store.deleteSession('s'), false)
          assert.equal((await store.verify()).ok, true)
        })
      }
    },
  },
  {
    clause: 'ttl.3',
    title: 'a session begun again has nothing of the old one',
    async run({ store }) {
      const old = await store.addMessages('s', turns(3))
      await store.saveSnapshot('s', { id: 'p' })
      await store.addSummary('s', { text: 'old', embedding: [1] })
      await store.expire('s', { at: 1 })
      const begun = await store.addMessages('s', turns(1, 9))
      assert.deepEqual(begun.seqs, [1])
      assert.notEqual(begun.epoch, old.epoch)
      assert.deepEqual(await store.getHistory('s'), turns(1, 9))
      assert.deepEqual(await store.listSnapshots('s'), [])
      assert.deepEqual(await store.recall('s', [1]), [])
      assert.equal((await store.sessionInfo('s'))?.expiresAt, null)
      assert.equal((await store.verify()).ok, true)
    },
  },
  {
    clause: 'ttl.4',
    title: 'an absolute end does not slide, a ttl of its own does, never is never',
    async run({ open }) {
      const store = await open({ ttl: 1000 })
      await withClock(async (setClock) => {
        setClock(start)
        await store.addMessages('s', turns(1))
        const expiresAt = async () => (await store.sessionInfo('s'))?.expiresAt
        assert.equal((await store.expire('s', { at: new Date(start + 50_000) }))?.expiresAt, start + 50_000)
        setClock(start + 10_000)
        await store.addMessages('s', turns(1))
        assert.equal(await expiresAt(), start + 50_000)
        assert.equal((await store.expire('s', { ttl: 7000 }))?.expiresAt, start + 17_000)
        setClock(start + 11_000)
        await store.clear('s')
        assert.equal(await expiresAt(), start + 18_000)
        await store.addMessages('s', turns(1))
        assert.equal((await store.expire('s', { never: true }))?.expiresAt, null)
        setClock(start + 1e12)
        await store.addMessages('s', turns(1))
        assert.equal(await expiresAt(), null)
        assert.equal((await store.getHistory('s')).length, 2)
      })
    },
  },
  {
    clause: 'ttl.5',
    title: 'a ttl that is zero, negative or not finite is refused',
    async run({ store, open }) {
      await store.addMessages('s', turns(1))
      const refused = { name: 'TypeError', code: 'INVALID_ARGUMENT' }
      for (const ttl of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, '5', null]) {
        await assert.rejects(open({ ttl: ttl as number }), refused)
        await assert.rejects(store.expire('s', { ttl: ttl as number }), refused)
        await assert.rejects(store.expire('s', { at: ttl as number }), refused)
      }
      await assert.rejects(store.expire('s', {} as never), refused)
      await assert.rejects(store.expire('s', { ttl: 5, at: 5 } as never), refused)
      assert.equal((await store.sessionInfo('s'))?.expiresAt, null)
    },
  },
]
