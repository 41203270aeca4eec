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
        session.addMessages(turns(1)),
      ]
      for (const call of calls) await assert.rejects(call, closed)
    },
  },
  {
    id: 'closing.2/close-waits-for-what-was-under-way-and-closing',
    clause: 'closing.2',
    level: 'full',
    needs: ['addMessages', 'compact', 'sessionInfo', 'close', 'versions'],
    title: 'close waits for what was under way, and closing twice is fine',
    async run({ open, again }) {
      const store = await open()
      const other = await again(store)
      await store.addMessages('s', turns(6))
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      const adding = Array.from({ length: 30 }, () => store.addMessages('s', turns(2)))
      const compacting = store.compact('s', { keep: 1, summarise: () => released.then(() => 'sum') })
      const done: string[] = []
      const noteOf = (what: string) => () => done.push(what)
      const noting = [Promise.all(adding).then(noteOf('work')), compacting.then(noteOf('work'))]
      const closing = [store.close(), store.close()]
      noting.push(...closing.map((one) => one.then(noteOf('close'))))
      await other.sessionInfo('s')
      release()
      assert.equal((await Promise.all(adding)).length, 30)
      assert.notEqual((await compacting).seq, null)
      await Promise.all([...closing, ...noting])
      same(done, ['work', 'work', 'close', 'close'])
      await store.close()
      assert.equal((await other.sessionInfo('s'))?.version, (await compacting).version)
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
      await store.addMessages('other', turns(3))
      assert.equal((await store.sweep()).entries, 0)
      same(await store.getHistory('s', { at: id }), turns(2500))
      const { leftBehind: ten } = await store.rollbackToSnapshot('s', id)
      const { leftBehind } = await store.rollbackToSnapshot('s', id)
      assert.equal((await store.sweep('s')).entries, 0)
      same(await store.getEntries('s', { at: ten }), kept)
      same(await store.getHistory('s', { at: leftBehind }), turns(2500))
      same(await store.getHistory('s'), turns(2500))
      await store.trim('s', { maxEntries: 5 })
      for (const { id: snapshot } of await store.listSnapshots('s')) await store.deleteSnapshot('s', snapshot)
      const rest = await store.sweep()
      same(rest.damaged, [])
      same(await store.getHistory('s'), turns(5, 2496))
      assert.equal((await store.sweep()).entries, 0)
      assert.equal((await store.verify('s')).entries, 5)
      same(await store.getHistory('other'), turns(3))
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
      const writing = async () => {
        for (let round = 0; round < 12; round++) {
          await store.addMessages('s', turns(20))
          if (round % 3 === 0) await store.clear('s')
          if (round % 3 === 1) await store.trim('s', { maxEntries: 5 })
          if (round % 3 === 2) {
            const { leftBehind } = await store.rollbackToSnapshot('s', id)
            await store.rollbackToSnapshot('s', leftBehind)
          }
        }
      }
      await Promise.all([
        sweeping,
        reading,
        writing().finally(() => {
          working = false
        }),
      ])
      assert.equal((await store.verify()).ok, true)
    },
  },
  {
    id: 'sweeping.2/stats-counts-what-there-is-and-what-a-sweep',
    clause: 'sweeping.2',
    level: 'full',
    needs: [
      'addMessages',
      'clear',
      'recordToolCall',
      'saveSnapshot',
      'rollbackToSnapshot',
      'rewind',
      'sessionInfo',
      'expire',
      'sweep',
      'stats',
      'versions',
      'bytes',
    ],
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
      await store.recordToolCall('t', { id: 'c', name: 'n', result: 'ü'.repeat(1000) })
      await store.saveSnapshot('t', { id: 'p' })
      await store.addMessages('t', turns(2, 4))
      await store.rollbackToSnapshot('t', 'p')
      await store.addMessages('rewound', turns(5))
      await store.rewind('rewound', { to: 2 })
      await store.addMessages('expired', turns(4))
      await store.expire('expired', { at: 1 })
      const version = (await store.sessionInfo('s'))?.version
      const before = await store.stats()
      same([before.sessions, before.snapshots, before.entries], [3, 3, 9])
      assert.ok(bytes > 100, `${bytes} bytes where there are more than 100`)
      assert.ok(before.bytes > bytes + 2000, `${before.bytes} bytes where there are more than ${bytes + 2000}`)
      const { sweepable } = before
      assert.ok(sweepable.entries >= 7, `${sweepable.entries} sweepable entries where there are 7 or more`)
      assert.ok(sweepable.bytes > sweepable.entries, `${sweepable.bytes} bytes of ${sweepable.entries} entries`)
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
      for (const warning of health.warnings) assert.notEqual(warning, '')
    },
  },
]
