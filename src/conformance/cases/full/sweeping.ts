import assert from 'node:assert/strict'
import { same } from '../helpers/same.ts'
import { turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

export const sweeping: WrittenCase[] = [
  {
    id: 'sweeping.1/only-what-nobody-reads',
    clause: 'sweeping.1',
    level: 'full',
    needs: ['codes'],
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
      for (let piece = 0; piece < 5; piece++) {
        const { seqs } = await store.addMessages('pieces', turns(200, 200 * piece + 1))
        await store.rewind('pieces', { to: seqs[9] ?? 0 })
      }
      same((await store.sweep('pieces')).entries, 5 * 190, 'what lies between pieces that stay')
      same((await store.stats()).sweepable.entries, 0)
      same((await store.getHistory('pieces')).length, 50)
    },
  },
  {
    id: 'sweeping.1/all-at-once-agree',
    clause: 'sweeping.1',
    level: 'full',
    needs: ['versions'],
    title: 'concurrent readers, writers, rollbacks and sweeps agree',
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
      same((await store.verify()).damage, [], 'damage')
    },
  },
  {
    id: 'sweeping.2/stats-before-a-sweep',
    clause: 'sweeping.2',
    level: 'full',
    needs: ['versions', 'bytes'],
    title: 'stats counts what exists and what a sweep would remove',
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
    id: 'sweeping.3/progress-is-told',
    clause: 'sweeping.3',
    level: 'full',
    needs: ['codes'],
    title: 'verify and sweep report their progress and stop if the listener throws',
    async run({ store }) {
      for (const id of ['a', 'b', 'c']) await store.addMessages(id, turns(2))
      await store.addMessages('b', turns(2500))
      await store.addMessages('c', turns(2500))
      await store.clear('c')
      const free = (await store.stats()).sweepable.entries
      for (const [call, entries] of [
        [store.verify.bind(store), 2504],
        [store.sweep.bind(store), free],
      ] as const) {
        const heard: { sessions: number; entries: number }[] = []
        await call(undefined, { onProgress: (progress) => heard.push(progress) })
        same(heard.at(-1), { sessions: 3, entries })
        same(
          heard,
          heard.toSorted((a, b) => a.sessions - b.sessions || a.entries - b.entries),
        )
        same(
          heard.map((progress) => progress.entries),
          heard.map((progress) => progress.entries).toSorted((a, b) => a - b),
          'the entries grow',
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
    id: 'sweeping.4/small-without-a-sweep',
    clause: 'sweeping.4',
    level: 'full',
    needs: ['versions'],
    title: 'a session that is trimmed or cleared as it grows leaves little for a sweep',
    async run({ store }) {
      const shrink: Readonly<Record<string, (session: string) => Promise<unknown>>> = {
        trim: (session) => store.trim(session, { maxEntries: 2 }),
        clear: (session) => store.clear(session),
        async deleteSnapshot(session) {
          const { snapshot } = await store.rewind(session, { to: 0, snapshot: true })
          await store.deleteSnapshot(session, snapshot?.id ?? '')
        },
      }
      for (const [name, go] of Object.entries(shrink)) {
        for (let round = 0; round < 12; round++) {
          await store.addMessages(name, turns(100))
          await go(name)
        }
        const { entries } = (await store.stats()).sweepable
        assert.ok(
          entries <= 200,
          `${entries} entries are left for a sweep after ${name}, where 100 were added at a time`,
        )
      }
    },
  },
]
