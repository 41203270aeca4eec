import assert from 'node:assert/strict'
import type { Case } from '../../case.ts'
import { same } from '../../same.ts'
import { turns } from '../../samples.ts'

export const lifeCycle: Case[] = [
  {
    id: 'closing.1/after-close-every-call-rejects-with-its-own-code',
    clause: 'closing.1',
    level: 'full',
    needs: [
      'addMessages',
      'getHistory',
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
      'fork',
      'recall',
      'sessionInfo',
      'listSessions',
      'clearAll',
      'deleteSession',
      'deleteAllSessions',
      'expire',
      'exportSession',
      'importSession',
      'verify',
      'sweep',
      'stats',
      'health',
      'session',
      'close',
      'codes',
    ],
    title: 'after close every call rejects with its own code',
    async run({ open }) {
      const store = await open()
      const session = store.session('s')
      await store.addMessages('s', turns(1))
      await store.close()
      const closed = { code: 'STORE_CLOSED' }
      const calls = [
        store.addMessages('s', turns(1)),
        store.recordToolCall('s', { id: 'c', name: 'n' }),
        store.addSummary('s', { text: 'x' }),
        store.getHistory('s'),
        store.getEntries('s'),
        store.trim('s', { maxEntries: 1 }),
        store.clear('s'),
        store.clearAll(),
        store.compact('s', { keep: 1, summarise: () => 'x' }),
        store.saveSnapshot('s'),
        store.listSnapshots('s'),
        store.rollbackToSnapshot('s', 'p'),
        store.deleteSnapshot('s', 'p'),
        store.rewind('s', { to: 0 }),
        store.fork('s', 't'),
        store.recall('s', [1]),
        store.sessionInfo('s'),
        store.listSessions(),
        store.deleteSession('s'),
        store.deleteAllSessions(),
        store.expire('s', { ttl: 1 }),
        store.verify(),
        store.sweep(),
        store.stats(),
        store.exportSession('s'),
        store.importSession({} as never),
        store.health(),
        session.getHistory(),
      ]
      for (const call of calls) await assert.rejects(call, closed)
    },
  },
  {
    id: 'closing.2/close-waits-for-what-was-under-way-and-closing',
    clause: 'closing.2',
    level: 'full',
    needs: ['addMessages', 'compact', 'close', 'versions'],
    title: 'close waits for what was under way, and closing twice is fine',
    async run({ open }) {
      const store = await open()
      await store.addMessages('s', turns(6))
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      const adding = Array.from({ length: 30 }, () => store.addMessages('s', turns(2)))
      const compacting = store.compact('s', { keep: 1, summarise: () => released.then(() => 'sum') })
      const closing = [store.close(), store.close()]
      release()
      assert.equal((await Promise.all(adding)).length, 30)
      assert.notEqual((await compacting).seq, null)
      await Promise.all(closing)
      await store.close()
    },
  },
  {
    id: 'closing.3/await-using-closes',
    clause: 'closing.3',
    level: 'full',
    needs: ['addMessages', 'getHistory', 'codes'],
    title: 'await using closes',
    async run({ open }) {
      let outside: Awaited<ReturnType<typeof open>>
      {
        await using store = await open()
        outside = store
        await store.addMessages('s', turns(1))
      }
      await assert.rejects(outside.getHistory('s'), { code: 'STORE_CLOSED' })
    },
  },
  {
    id: 'sweeping.1/sweeping-removes-what-nobody-reads-and-nothing-else',
    clause: 'sweeping.1',
    level: 'full',
    needs: [
      'addMessages',
      'getHistory',
      'trim',
      'clear',
      'getEntries',
      'saveSnapshot',
      'listSnapshots',
      'rollbackToSnapshot',
      'deleteSnapshot',
      'verify',
      'sweep',
      'codes',
    ],
    title: 'sweeping removes what nobody reads and nothing else',
    async run({ store }) {
      await store.addMessages('s', turns(2500))
      const { id } = await store.saveSnapshot('s')
      await store.clear('s')
      await store.addMessages('s', turns(10))
      const kept = await store.getEntries('s')
      assert.equal((await store.sweep()).entries, 0)
      assert.equal((await store.getHistory('s', { at: id })).length, 2500)
      await store.rollbackToSnapshot('s', id)
      const { leftBehind } = await store.rollbackToSnapshot('s', id)
      await store.trim('s', { maxEntries: 5 })
      for (const { id: snapshot } of await store.listSnapshots('s')) await store.deleteSnapshot('s', snapshot)
      const rest = await store.sweep()
      same(rest.damaged, [])
      same(await store.getHistory('s'), turns(5, 2496))
      assert.equal((await store.sweep()).entries, 0)
      assert.equal((await store.verify()).entries, 5)
      assert.equal(kept.length, 10)
      await assert.rejects(store.getHistory('s', { at: leftBehind }), { code: 'SNAPSHOT_NOT_FOUND' })
    },
  },
  {
    id: 'sweeping.1/readers-writers-rollbacks-and-sweeps-at-once-agree',
    clause: 'sweeping.1',
    level: 'full',
    needs: [
      'addMessages',
      'getHistory',
      'trim',
      'clear',
      'saveSnapshot',
      'rollbackToSnapshot',
      'verify',
      'sweep',
      'versions',
    ],
    title: 'readers, writers, rollbacks and sweeps at once agree',
    async run({ store }) {
      await store.addMessages('s', turns(50))
      const { id } = await store.saveSnapshot('s')
      let working = true
      const sweeping = (async () => {
        while (working) await store.sweep()
      })()
      const reading = (async () => {
        while (working) {
          const history = await store.getHistory('s')
          assert.equal(new Set(history.seqs).size, history.length)
          assert.equal((await store.getHistory('s', { at: id })).length, 50)
        }
      })()
      for (let round = 0; round < 12; round++) {
        await store.addMessages('s', turns(20))
        if (round % 3 === 0) await store.clear('s')
        if (round % 3 === 1) await store.trim('s', { maxEntries: 5 })
        if (round % 3 === 2) await store.rollbackToSnapshot('s', id)
      }
      working = false
      await Promise.all([sweeping, reading])
      assert.equal((await store.verify()).ok, true)
    },
  },
  {
    id: 'sweeping.2/stats-counts-what-there-is-and-what-a-sweep',
    clause: 'sweeping.2',
    level: 'full',
    needs: ['addMessages', 'clear', 'saveSnapshot', 'sessionInfo', 'expire', 'sweep', 'stats', 'versions', 'bytes'],
    title: 'stats counts what there is and what a sweep would remove',
    async run({ store }) {
      same(await store.stats(), {
        sessions: 0,
        snapshots: 0,
        entries: 0,
        bytes: 0,
        sweepable: { entries: 0, bytes: 0 },
        damaged: [],
      })
      await store.addMessages('s', [{ role: 'user', content: 'ü', data: new Uint8Array(100) }])
      await store.saveSnapshot('s')
      const { bytes } = await store.stats()
      await store.addMessages('s', turns(2500))
      await store.clear('s')
      await store.addMessages('t', turns(3))
      await store.addMessages('expired', turns(4))
      await store.expire('expired', { at: 1 })
      const version = (await store.sessionInfo('s'))?.version
      const before = await store.stats()
      same([before.sessions, before.snapshots, before.entries], [2, 1, 4])
      assert.ok(bytes > 100)
      assert.ok(before.bytes > bytes)
      assert.ok(before.sweepable.entries >= 4 && before.sweepable.bytes > before.sweepable.entries)
      same(await store.stats(), before)
      assert.equal((await store.sweep()).entries, before.sweepable.entries)
      same(await store.stats(), { ...before, sweepable: { entries: 0, bytes: 0 } })
      assert.equal((await store.sessionInfo('s'))?.version, version)
    },
  },
  {
    id: 'sweeping.3/verify-and-sweep-tell-how-far-they-are-and',
    clause: 'sweeping.3',
    level: 'full',
    needs: ['addMessages', 'clear', 'verify', 'sweep', 'stats', 'codes'],
    title: 'verify and sweep tell how far they are and end where the listener throws',
    async run({ store }) {
      for (const id of ['a', 'b', 'c']) await store.addMessages(id, turns(2))
      await store.addMessages('c', turns(2500))
      await store.clear('c')
      const free = (await store.stats()).sweepable.entries
      for (const [call, entries] of [
        [store.verify.bind(store), 4],
        [store.sweep.bind(store), free],
      ] as const) {
        const heard: { sessions: number; entries: number }[] = []
        await call(undefined, { onProgress: (progress) => heard.push(progress) })
        same(heard.at(-1), { sessions: 3, entries })
        same(
          heard,
          heard.toSorted((a, b) => a.sessions - b.sessions || a.entries - b.entries),
        )
      }
      const stop = new Error('stop')
      const onProgress = () => {
        throw stop
      }
      await assert.rejects(store.verify(undefined, { onProgress }), (error) => error === stop)
      await assert.rejects(store.sweep('a', { onProgress }), (error) => error === stop)
      await assert.rejects(store.verify('a', { onprogress: () => {} } as never), TypeError)
    },
  },
  {
    id: 'health.1/health-says-what-is-there',
    clause: 'health.1',
    level: 'full',
    needs: ['health'],
    title: 'health says what is there',
    async run({ store }) {
      const health = await store.health()
      assert.equal(health.ok, true)
      assert.equal(typeof health.backend, 'string')
      assert.ok(health.warnings.every((warning) => warning.length > 0))
    },
  },
]
