import assert from 'node:assert/strict'
import type { Case } from '../../case.ts'
import { same } from '../../same.ts'
import { texts, turns } from '../../samples.ts'

export const versions: Case[] = [
  {
    id: 'versions.1/of-many-writers-on-one-version-exactly-one-wins',
    clause: 'versions.1',
    level: 'full',
    needs: ['addMessages', 'getHistory', 'sessionInfo', 'versions', 'codes'],
    title: 'of many writers on one version exactly one wins, the others have changed nothing',
    async run({ store }) {
      const { version } = await store.addMessages('s', turns(1))
      const results = await Promise.allSettled(
        Array.from({ length: 20 }, (_, writer) =>
          store.addMessages('s', [{ role: 'user', content: `writer ${writer}` }], { ifVersion: version }),
        ),
      )
      const winners = results.filter(({ status }) => status === 'fulfilled')
      assert.equal(winners.length, 1)
      const now = (await store.sessionInfo('s'))?.version
      for (const result of results) {
        if (result.status === 'fulfilled') continue
        assert.equal(result.reason.code, 'VERSION_CONFLICT')
        assert.equal(result.reason.expected, version)
        assert.equal(result.reason.actual, now)
      }
      assert.equal((await store.getHistory('s')).length, 2)
    },
  },
  {
    id: 'versions.1/every-write-renews-the-version-and-every-write-takes',
    clause: 'versions.1',
    level: 'full',
    needs: [
      'addMessages',
      'trim',
      'clear',
      'recordToolCall',
      'addSummary',
      'getEntries',
      'compact',
      'saveSnapshot',
      'listSnapshots',
      'rollbackToSnapshot',
      'deleteSnapshot',
      'rewind',
      'expire',
      'versions',
      'codes',
    ],
    title: 'every write renews the version, and every write takes ifVersion',
    async run({ store }) {
      const { version: stale } = await store.addMessages('s', turns(6))
      await store.saveSnapshot('s', { id: 'p' })
      const before = await store.getEntries('s')
      const conflict = { code: 'VERSION_CONFLICT', expected: stale, actual: before.version }
      const ifVersion = stale
      await assert.rejects(store.trim('s', { maxEntries: 1, ifVersion }), conflict)
      await assert.rejects(store.clear('s', { ifVersion }), conflict)
      await assert.rejects(store.compact('s', { keep: 1, summarise: () => 'x', ifVersion }), conflict)
      await assert.rejects(store.saveSnapshot('s', { ifVersion }), conflict)
      await assert.rejects(store.rollbackToSnapshot('s', 'p', { ifVersion }), conflict)
      await assert.rejects(store.deleteSnapshot('s', 'p', { ifVersion }), conflict)
      await assert.rejects(store.rewind('s', { to: 1, ifVersion }), conflict)
      await assert.rejects(store.expire('s', { ttl: 1000, ifVersion }), conflict)
      await assert.rejects(store.addSummary('s', { text: 'x' }, { ifVersion }), conflict)
      await assert.rejects(store.recordToolCall('s', { id: 'x', name: 'y' }, { ifVersion }), conflict)
      const after = await store.getEntries('s')
      same(after, before)
      assert.equal(after.version, before.version)
      assert.equal((await store.listSnapshots('s')).length, 1)
    },
  },
  {
    id: 'versions.2/a-turn-that-began-before-a-rollback-is-refused',
    clause: 'versions.2',
    level: 'full',
    needs: ['addMessages', 'getHistory', 'saveSnapshot', 'rollbackToSnapshot', 'versions', 'codes'],
    title: 'a turn that began before a rollback is refused',
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
    id: 'versions.2/so-is-one-that-began-before-a-trim-a',
    clause: 'versions.2',
    level: 'full',
    needs: ['addMessages', 'trim', 'clear', 'getEntries', 'compact', 'rewind', 'versions', 'codes'],
    title: 'so is one that began before a trim, a clear, a rewind or a compaction',
    async run({ store }) {
      for (const change of [
        () => store.trim('s', { maxEntries: 3 }),
        () => store.compact('s', { keep: 1, summarise: () => 'sum' }),
        () => store.rewind('s', { to: 0 }),
        () => store.addMessages('s', turns(1)).then(() => store.clear('s')),
      ]) {
        const { epoch } = await store.addMessages('s', turns(4))
        await change()
        const before = await store.getEntries('s')
        await assert.rejects(store.addMessages('s', turns(1), { ifEpoch: epoch }), { code: 'VERSION_CONFLICT' })
        await assert.rejects(store.clear('s', { ifEpoch: epoch }), { code: 'VERSION_CONFLICT' })
        same(await store.getEntries('s'), before)
      }
    },
  },
  {
    id: 'versions.3/ifepoch-never-conflicts-with-those-who-append-the-first',
    clause: 'versions.3',
    level: 'full',
    needs: ['addMessages', 'getHistory', 'clear', 'saveSnapshot', 'versions', 'codes'],
    title: 'ifEpoch never conflicts with those who append, the first turn included',
    async run({ store }) {
      const unborn = await store.getHistory('s')
      assert.equal(unborn.epoch, null)
      await Promise.all(
        Array.from({ length: 10 }, (_, writer) => store.addMessages('s', turns(1, writer), { ifEpoch: unborn.epoch })),
      )
      const { epoch } = await store.getHistory('s')
      await Promise.all(
        Array.from({ length: 40 }, (_, writer) => store.addMessages('s', turns(1, writer), { ifEpoch: epoch })),
      )
      assert.equal((await store.getHistory('s')).length, 50)
      await store.saveSnapshot('s', { ifEpoch: epoch })
      await store.clear('s')
      await assert.rejects(store.addMessages('s', turns(1), { ifEpoch: null }), { code: 'VERSION_CONFLICT' })
    },
  },
  {
    id: 'versions.4/a-token-from-before-a-deletion-or-an-expiry',
    clause: 'versions.4',
    level: 'full',
    needs: [
      'addMessages',
      'getHistory',
      'sessionInfo',
      'deleteSession',
      'deleteAllSessions',
      'expire',
      'versions',
      'codes',
    ],
    title: 'a token from before a deletion or an expiry never matches again',
    async run({ store }) {
      const end = {
        deletion: () => store.deleteSession('s'),
        expiry: () => store.expire('s', { at: 1 }),
        'deletion of all': () => store.deleteAllSessions(),
      }
      for (const [name, finish] of Object.entries(end)) {
        const old = await store.addMessages('s', turns(3))
        await finish()
        const ifVersion = old.version
        const ifEpoch = old.epoch
        await assert.rejects(
          store.addMessages('s', turns(1), { ifVersion }),
          { code: 'VERSION_CONFLICT', actual: null },
          name,
        )
        await assert.rejects(
          store.addMessages('s', turns(1), { ifEpoch }),
          { code: 'VERSION_CONFLICT', actual: null },
          name,
        )
        assert.equal(await store.sessionInfo('s'), null, name)
        await store.addMessages('s', turns(3))
        await assert.rejects(store.addMessages('s', turns(1), { ifVersion }), { code: 'VERSION_CONFLICT' }, name)
        await assert.rejects(store.addMessages('s', turns(1), { ifEpoch }), { code: 'VERSION_CONFLICT' }, name)
        assert.equal((await store.getHistory('s')).length, 3)
        await store.deleteSession('s')
      }
    },
  },
  {
    id: 'versions.5/ifversion-null-applies-only-where-there-is-no-session',
    clause: 'versions.5',
    level: 'full',
    needs: ['addMessages', 'getHistory', 'versions', 'codes'],
    title: 'ifVersion null applies only where there is no session',
    async run({ store }) {
      await store.addMessages('s', turns(1), { ifVersion: null })
      await assert.rejects(store.addMessages('s', turns(1, 2), { ifVersion: null }), {
        code: 'VERSION_CONFLICT',
        expected: null,
      })
      same(texts(await store.getHistory('s')), ['turn 1'])
    },
  },
  {
    id: 'versions.6/atleast-tells-when-what-was-seen-is-gone',
    clause: 'versions.6',
    level: 'full',
    needs: ['addMessages', 'getHistory', 'getEntries', 'recall', 'deleteSession', 'versions', 'codes'],
    title: 'atLeast tells when what was seen is gone',
    async run({ store }) {
      const { version: older } = await store.addMessages('s', turns(2))
      const { version } = await store.addMessages('s', turns(2))
      const atLeast = version
      assert.equal((await store.getHistory('s', { atLeast: older })).length, 4)
      assert.equal((await store.getHistory('s', { atLeast })).length, 4)
      assert.equal((await store.getEntries('s', { atLeast })).length, 4)
      await store.deleteSession('s')
      const lost = { code: 'MEMORY_LOST', session: 's' }
      await assert.rejects(store.getHistory('s', { atLeast }), lost)
      await assert.rejects(store.getEntries('s', { atLeast }), lost)
      await assert.rejects(store.recall('s', [1], { atLeast }), lost)
      for (let turn = 0; turn < 5; turn++) await store.addMessages('s', turns(1))
      await assert.rejects(store.getHistory('s', { atLeast }), lost)
      assert.equal((await store.getHistory('s', { atLeast: null })).length, 5)
    },
  },
]
