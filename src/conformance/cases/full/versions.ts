import assert from 'node:assert/strict'
import { same } from '../helpers/same.ts'
import { texts, turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'
import { beginForWrites, everyWrite } from './helpers/every-write.ts'

export const versions: WrittenCase[] = [
  {
    id: 'versions.1/one-of-many-wins',
    clause: 'versions.1',
    level: 'full',
    needs: ['versions', 'codes'],
    title: 'of many writers on one version, exactly one wins, and the others change nothing',
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
    id: 'versions.1/every-write-renews-it',
    clause: 'versions.1',
    level: 'full',
    needs: ['versions', 'codes'],
    title: 'every write renews the version, and every write takes ifVersion',
    async run({ store }) {
      for (const [name, write] of Object.entries(everyWrite)) {
        const { version: stale } = await store.addMessages(name, turns(1, 99))
        await beginForWrites(store, name)
        const before = await store.getEntries(name)
        const conflict = { code: 'VERSION_CONFLICT', expected: stale, actual: before.version }
        await assert.rejects(write(store, name, { ifVersion: stale }), conflict, name)
        const after = await store.getEntries(name)
        same(after, before, name)
        assert.equal(after.version, before.version, name)
        assert.equal((await store.listSnapshots(name)).length, 2, name)
        const written = await write(store, name, { ifVersion: before.version })
        assert.equal((await store.sessionInfo(name))?.version, written?.version, name)
        await assert.rejects(
          store.addMessages(name, turns(1), { ifVersion: before.version }),
          { code: 'VERSION_CONFLICT', actual: written?.version },
          name,
        )
      }
    },
  },
  {
    id: 'versions.1/every-write-against-appends',
    clause: 'versions.1',
    level: 'full',
    needs: ['versions', 'codes'],
    title: 'when any write races appends on the same version, on two handles, exactly one wins',
    async run({ store, again }) {
      const other = await again()
      for (const [name, write] of Object.entries(everyWrite)) {
        for (let head = 0; head < 4; head++) {
          const session = `${name} ${head}`
          await beginForWrites(store, session)
          const ifVersion = (await store.sessionInfo(session))?.version
          const writing = Promise.allSettled([write(other, session, { ifVersion })])
          for (let step = 0; step < head; step++) await store.sessionInfo(session)
          const appending = Promise.allSettled([
            store.addMessages(session, turns(1, 7), { ifVersion }),
            other.addMessages(session, turns(1, 8), { ifVersion }),
          ])
          const results = [...(await writing), ...(await appending)]
          const winners = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value?.version] : []))
          same(winners, [(await store.sessionInfo(session))?.version], session)
        }
      }
    },
  },
  {
    id: 'versions.4/tokens-never-match-again',
    clause: 'versions.4',
    level: 'full',
    needs: ['versions', 'codes'],
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
    id: 'versions.5/null-means-no-session',
    clause: 'versions.5',
    level: 'full',
    needs: ['versions', 'codes'],
    title: 'ifVersion null applies only if there is no session; an empty session is one',
    async run({ store }) {
      const ifVersion = null
      const results = await Promise.allSettled(
        Array.from({ length: 10 }, (_, writer) => store.addMessages('s', turns(1, writer), { ifVersion })),
      )
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
      assert.equal((await store.getHistory('s')).length, 1)
      await store.addMessages('cleared', turns(2))
      await store.clear('cleared')
      await store.saveSnapshot('empty', { ifVersion })
      for (const session of ['s', 'cleared', 'empty']) {
        const version = (await store.sessionInfo(session))?.version
        const conflict = { code: 'VERSION_CONFLICT', expected: null, actual: version }
        await assert.rejects(store.addMessages(session, turns(1, 2), { ifVersion }), conflict, session)
        await assert.rejects(store.recordToolCall(session, { id: 'c', name: 'n' }, { ifVersion }), conflict, session)
        await assert.rejects(store.addSummary(session, { text: 't' }, { ifVersion }), conflict, session)
        await assert.rejects(store.saveSnapshot(session, { ifVersion }), conflict, session)
        assert.equal((await store.sessionInfo(session))?.version, version, session)
      }
      await store.deleteSession('s')
      await store.addMessages('s', turns(1, 5), { ifVersion })
      same(texts(await store.getHistory('s')), ['turn 5'])
    },
  },
  {
    id: 'versions.6/what-was-seen-is-gone',
    clause: 'versions.6',
    level: 'full',
    needs: ['versions', 'codes'],
    title: 'atLeast reports that what was seen is gone, even if there is more in its place',
    async run({ store, open }) {
      for (const end of [() => store.deleteSession('s'), () => store.expire('s', { at: 1 })]) {
        const { version: older } = await store.addMessages('s', turns(2))
        const { version: atLeast } = await store.addMessages('s', turns(2))
        for (const version of [older, atLeast]) {
          assert.equal((await store.getHistory('s', { atLeast: version })).length, 4)
          assert.equal((await store.getEntries('s', { atLeast: version })).length, 4)
          same(await store.recall('s', [1], { atLeast: version }), [])
        }
        const lost = { code: 'MEMORY_LOST', session: 's' }
        const refuse = async (more: { at?: string }) => {
          await assert.rejects(store.getHistory('s', { atLeast, ...more }), lost)
          await assert.rejects(store.getHistory('s', { atLeast, last: 1, ...more }), lost)
          await assert.rejects(store.getEntries('s', { atLeast, ...more }), lost)
          await assert.rejects(store.recall('s', [1], { atLeast, ...more }), lost)
        }
        await end()
        await refuse({})
        await store.addMessages('s', turns(1))
        await refuse({})
        await store.addMessages('s', turns(1))
        await refuse({})
        for (let turn = 0; turn < 3; turn++) await store.addMessages('s', turns(1))
        await store.saveSnapshot('s', { id: 'p' })
        await refuse({})
        await refuse({ at: 'p' })
        assert.equal((await store.getHistory('s', { atLeast: null })).length, 5)
        await store.deleteSession('s')
      }
      const { version: seen } = await store.addMessages('copied', turns(2))
      const copy = await store.exportSession('copied')
      const { version: atLeast } = await store.addMessages('copied', turns(1, 3))
      const other = await open()
      await other.importSession(copy)
      const gone = { code: 'MEMORY_LOST', session: 'copied' }
      await assert.rejects(other.getHistory('copied', { atLeast }), gone)
      await other.addMessages('copied', turns(1, 3))
      await assert.rejects(other.getHistory('copied', { atLeast }), gone, 'another write came in its place')
      same(await other.getHistory('copied', { atLeast: seen }), turns(3))
    },
  },
  {
    id: 'versions.8/fork-and-delete-at-version',
    clause: 'versions.8',
    level: 'full',
    needs: ['versions', 'edits', 'codes'],
    title: 'a fork or a deletion with ifVersion applies to exactly that state',
    async run({ store }) {
      const { version: old } = await store.addMessages('s', turns(1))
      const { version } = await store.addMessages('s', turns(1, 2))
      const conflict = { code: 'VERSION_CONFLICT', expected: old, actual: version }
      await assert.rejects(store.fork('s', 't', { ifVersion: old }), conflict)
      await assert.rejects(store.deleteSession('s', { ifVersion: old }), conflict)
      await assert.rejects(store.deleteSession('s', { ifVersion: null }), { code: 'VERSION_CONFLICT' })
      assert.equal(await store.sessionInfo('t'), null)
      same(await store.getHistory('s'), turns(2))
      assert.equal((await store.fork('s', 't', { ifVersion: version })).entries, 2)
      assert.equal(await store.deleteSession('s', { ifVersion: version }), true)
      assert.equal(await store.sessionInfo('s'), null)
      await assert.rejects(store.deleteSession('s', { ifVersion: version }), { code: 'VERSION_CONFLICT' })
      assert.equal(await store.deleteSession('s', { ifVersion: null }), false)
      same(await store.getHistory('t'), turns(2))
      const invalid = { name: 'TypeError', code: 'INVALID_ARGUMENT' }
      await assert.rejects(store.deleteSession('t', { ifEpoch: 'x' } as never), invalid)
    },
  },
  {
    id: 'versions.9/nothing-to-do',
    clause: 'versions.9',
    level: 'full',
    needs: ['versions', 'operations'],
    title: 'a call that has nothing to do keeps the version, unless its operation is named',
    async run({ store }) {
      const idle: Readonly<Record<string, (options: { operationId?: string }) => Promise<{ version: unknown }>>> = {
        trim: (options) => store.trim('s', { maxEntries: 3, ...options }),
        clear: (options) => store.clear('cleared', options),
        compact: (options) => store.compact('s', { keep: 3, summarize: () => assert.fail('called'), ...options }),
        rewind: (options) => store.rewind('s', { to: 3, ...options }),
      }
      await store.addMessages('s', turns(3))
      await store.addMessages('cleared', turns(1))
      await store.clear('cleared')
      const versions = () => Promise.all(['s', 'cleared'].map(async (id) => (await store.sessionInfo(id))?.version))
      for (const [name, call] of Object.entries(idle)) {
        const before = await versions()
        const { version } = await call({})
        same(await versions(), before, `the versions after a ${name} that has nothing to do`)
        assert.ok(before.includes(version as never), `${name} returned another version`)
        const first = await call({ operationId: name })
        same(await call({ operationId: name }), first, `a ${name} that is repeated`)
      }
      same(await store.getHistory('s'), turns(3))
    },
  },
]
