import assert from 'node:assert/strict'
import type { Case, FullStore } from '../../case.ts'
import { same } from '../../same.ts'
import { texts, turns } from '../../samples.ts'

async function fill(store: FullStore): Promise<void> {
  await store.addMessages('s', turns(3))
  await store.recordToolCall('s', { id: 'c', name: 'n', result: { bytes: new Uint8Array([255, 0, 254]) } })
  await store.addSummary('s', { text: 'sum', embedding: Float32Array.of(0.1, -0, 3e-45) })
}

const ids = async (store: FullStore, automatic = false) =>
  (await store.listSnapshots('s')).filter((snapshot) => snapshot.automatic === automatic).map(({ id }) => id)

export const snapshots: Case[] = [
  {
    id: 'snapshots.1/a-rollback-brings-the-exact-state-back-summaries-and',
    clause: 'snapshots.1',
    level: 'snapshots',
    needs: [
      'addMessages',
      'trim',
      'clear',
      'recordToolCall',
      'addSummary',
      'getEntries',
      'compact',
      'saveSnapshot',
      'rollbackToSnapshot',
      'rewind',
      'sweep',
      'bytes',
    ],
    title: 'a rollback brings the exact state back, summaries and tool calls included',
    async run({ store }) {
      await fill(store)
      const before = await store.getEntries('s')
      const { id } = await store.saveSnapshot('s', { label: 'before' })
      for (const change of [
        () => store.addMessages('s', turns(5, 100)),
        () => store.trim('s', { maxEntries: 1 }),
        () => store.clear('s'),
        () => store.compact('s', { keep: 0, summarise: () => 'x' }),
        () => store.rewind('s', { to: 1 }),
        () => store.sweep(),
      ]) {
        await change()
        await store.rollbackToSnapshot('s', id)
        same(await store.getEntries('s'), before)
      }
    },
  },
  {
    id: 'snapshots.2/every-saved-snapshot-survives-every-rollback-earlier-and-later',
    clause: 'snapshots.2',
    level: 'snapshots',
    needs: ['addMessages', 'getEntries', 'saveSnapshot', 'listSnapshots', 'rollbackToSnapshot', 'sweep'],
    title: 'every saved snapshot survives every rollback, earlier and later ones',
    async run({ store }) {
      const saved: { id: string; entries: unknown[] }[] = []
      for (let round = 0; round < 12; round++) {
        await store.addMessages('s', turns(2, round * 2 + 1))
        const { id } = await store.saveSnapshot('s', { label: `round ${round}` })
        saved.push({ id, entries: await store.getEntries('s') })
      }
      const order = [5, 0, 11, 3, 3, 8, 1, 10, 2, 7, 4, 9, 6]
      for (const target of order) {
        await store.rollbackToSnapshot('s', saved[target]?.id ?? '')
        same(await store.getEntries('s'), saved[target]?.entries)
        await store.addMessages('s', turns(1, 500 + target))
        same(
          await ids(store),
          saved.map(({ id }) => id),
        )
      }
      await store.sweep()
      for (const { id, entries } of saved) same(await store.getEntries('s', { at: id }), entries)
    },
  },
  {
    id: 'snapshots.3/the-state-left-behind-is-kept-and-a-rollback',
    clause: 'snapshots.3',
    level: 'snapshots',
    needs: [
      'addMessages',
      'recordToolCall',
      'addSummary',
      'getEntries',
      'saveSnapshot',
      'listSnapshots',
      'rollbackToSnapshot',
      'bytes',
    ],
    title: 'the state left behind is kept, and a rollback can be rolled back',
    async run({ store }) {
      await fill(store)
      const { id } = await store.saveSnapshot('s')
      await store.addMessages('s', turns(4, 50))
      const left = await store.getEntries('s')
      const { leftBehind } = await store.rollbackToSnapshot('s', id)
      same(await ids(store, true), [leftBehind])
      await store.addMessages('s', turns(1, 60))
      await store.rollbackToSnapshot('s', leftBehind)
      same(await store.getEntries('s'), left)
    },
  },
  {
    id: 'snapshots.3/the-newest-ten-automatic-snapshots-stay-never-dropping-the',
    clause: 'snapshots.3',
    level: 'snapshots',
    needs: [
      'addMessages',
      'recordToolCall',
      'addSummary',
      'getEntries',
      'saveSnapshot',
      'listSnapshots',
      'rollbackToSnapshot',
      'bytes',
    ],
    title: 'the newest ten automatic snapshots stay, never dropping the one rolled back to',
    async run({ store }) {
      await fill(store)
      const { id } = await store.saveSnapshot('s')
      const left: string[] = []
      for (let round = 0; round < 15; round++) {
        await store.addMessages('s', turns(1, round))
        left.push((await store.rollbackToSnapshot('s', id)).leftBehind)
      }
      same(await ids(store, true), left.slice(-10))
      const oldest = left[5] ?? ''
      const expected = await store.getEntries('s', { at: oldest })
      for (let round = 0; round < 12; round++) {
        await store.rollbackToSnapshot('s', oldest)
        same(await store.getEntries('s'), expected)
      }
      assert.ok((await ids(store, true)).includes(oldest))
      same(await ids(store), [id])
    },
  },
  {
    id: 'snapshots.4/unknown-and-foreign-snapshot-ids-are-refused-and-change',
    clause: 'snapshots.4',
    level: 'snapshots',
    needs: [
      'addMessages',
      'recordToolCall',
      'addSummary',
      'getEntries',
      'saveSnapshot',
      'rollbackToSnapshot',
      'deleteSnapshot',
      'fork',
      'sessionInfo',
      'versions',
      'bytes',
      'codes',
    ],
    title: 'unknown and foreign snapshot ids are refused and change nothing',
    async run({ store }) {
      await fill(store)
      await store.addMessages('other', turns(1))
      const { id: foreign } = await store.saveSnapshot('other')
      const before = await store.getEntries('s')
      for (const id of ['nope', foreign, '__proto__', "' OR 1=1 --", '%', 'constructor']) {
        const refused = { code: 'SNAPSHOT_NOT_FOUND', session: 's', snapshotId: id }
        await assert.rejects(store.rollbackToSnapshot('s', id), refused)
        await assert.rejects(store.deleteSnapshot('s', id), refused)
        await assert.rejects(store.fork('s', 't', { at: id }), refused)
      }
      await assert.rejects(store.rollbackToSnapshot('unknown', foreign), { code: 'SNAPSHOT_NOT_FOUND' })
      await assert.rejects(store.deleteSnapshot('unknown', foreign), { code: 'SNAPSHOT_NOT_FOUND' })
      const after = await store.getEntries('s')
      same(after, before)
      assert.equal(after.version, before.version)
      assert.equal(await store.sessionInfo('unknown'), null)
    },
  },
  {
    id: 'snapshots.5/snapshots-of-an-empty-a-cleared-a-trimmed-and',
    clause: 'snapshots.5',
    level: 'snapshots',
    needs: [
      'addMessages',
      'trim',
      'clear',
      'getEntries',
      'compact',
      'saveSnapshot',
      'listSnapshots',
      'rollbackToSnapshot',
    ],
    title: 'snapshots of an empty, a cleared, a trimmed and a compacted session',
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
      await store.compact('s', { keep: 2, summarise: () => 'sum' })
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
    id: 'snapshots.6/ids-and-labels-are-any-text-and-a-taken',
    clause: 'snapshots.6',
    level: 'snapshots',
    needs: ['addMessages', 'saveSnapshot', 'listSnapshots', 'rollbackToSnapshot', 'codes'],
    title: 'ids and labels are any text, and a taken id is refused',
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
    },
  },
  {
    id: 'snapshots.7/a-deleted-snapshot-is-gone-and-takes-nothing-else',
    clause: 'snapshots.7',
    level: 'snapshots',
    needs: [
      'addMessages',
      'clear',
      'recordToolCall',
      'addSummary',
      'getEntries',
      'saveSnapshot',
      'listSnapshots',
      'rollbackToSnapshot',
      'deleteSnapshot',
      'sweep',
      'bytes',
      'codes',
    ],
    title: 'a deleted snapshot is gone and takes nothing else along',
    async run({ store }) {
      await fill(store)
      const first = await store.saveSnapshot('s')
      const second = await store.saveSnapshot('s')
      const before = await store.getEntries('s')
      await store.clear('s')
      await store.deleteSnapshot('s', first.id)
      await store.sweep()
      same(await ids(store), [second.id])
      await assert.rejects(store.rollbackToSnapshot('s', first.id), { code: 'SNAPSHOT_NOT_FOUND' })
      await store.rollbackToSnapshot('s', second.id)
      same(await store.getEntries('s'), before)
    },
  },
  {
    id: 'snapshots.8/a-rollback-loses-none-of-the-turns-that-others',
    clause: 'snapshots.8',
    level: 'snapshots',
    needs: ['addMessages', 'getHistory', 'saveSnapshot', 'rollbackToSnapshot', 'versions'],
    title: 'a rollback loses none of the turns that others add at the same time',
    async run({ store }) {
      await store.addMessages('s', turns(4))
      const { id } = await store.saveSnapshot('s')
      const adding = Array.from({ length: 30 }, (_, writer) => store.addMessages('s', turns(1, 100 + writer)))
      const { leftBehind } = await store.rollbackToSnapshot('s', id)
      const added = (await Promise.all(adding)).flatMap(({ seqs }) => seqs)
      const now = (await store.getHistory('s')).seqs
      const left = (await store.getHistory('s', { at: leftBehind })).seqs
      same(now.slice(0, 4), [1, 2, 3, 4])
      for (const seq of added) assert.notEqual(now.includes(seq), left.includes(seq))
    },
  },
  {
    id: 'rewinding.1/rewinding-cuts-behind-a-seq-and-returns-what-it',
    clause: 'rewinding.1',
    level: 'snapshots',
    needs: [
      'addMessages',
      'getHistory',
      'recordToolCall',
      'addSummary',
      'getEntries',
      'rewind',
      'versions',
      'bytes',
      'codes',
    ],
    title: 'rewinding cuts behind a seq and returns what it cut',
    async run({ store }) {
      await fill(store)
      const before = await store.getEntries('s')
      const { removed } = await store.rewind('s', { to: 2 })
      same(removed, before.slice(2))
      same(await store.getHistory('s'), turns(2))
      await store.addMessages('s', turns(1, 30))
      same(texts(await store.getHistory('s')), ['turn 1', 'turn 2', 'turn 30'])
      same((await store.rewind('s', { to: 6 })).removed, [])
      await assert.rejects(store.rewind('s', { to: 4 }), { code: 'SEQ_NOT_FOUND', seq: 4 })
      await assert.rejects(store.rewind('s', { to: 99 }), { code: 'SEQ_NOT_FOUND' })
      assert.equal((await store.rewind('s', { to: 0 })).removed.length, 3)
      same(await store.getEntries('s'), [])
    },
  },
  {
    id: 'rewinding.1/along-a-path-that-does-not-ascend-it-cuts',
    clause: 'rewinding.1',
    level: 'snapshots',
    needs: ['addMessages', 'getHistory', 'compact', 'rewind', 'versions'],
    title: 'along a path that does not ascend it cuts by the path, not by the number',
    async run({ store }) {
      await store.addMessages('s', turns(6))
      await store.compact('s', { keep: 3, summarise: () => 'sum' })
      same((await store.getHistory('s')).seqs, [7, 4, 5, 6])
      const { removed } = await store.rewind('s', { to: 4 })
      same(
        removed.map(({ seq }) => seq),
        [5, 6],
      )
      same((await store.getHistory('s')).seqs, [7, 4])
      await store.rewind('s', { to: 7 })
      same(texts(await store.getHistory('s')), ['sum'])
    },
  },
  {
    id: 'forking.1/a-fork-is-a-copy-that-goes-its-own',
    clause: 'forking.1',
    level: 'snapshots',
    needs: [
      'addMessages',
      'getHistory',
      'clear',
      'recordToolCall',
      'addSummary',
      'getEntries',
      'saveSnapshot',
      'listSnapshots',
      'fork',
      'deleteSession',
      'versions',
      'bytes',
    ],
    title: 'a fork is a copy that goes its own way',
    async run({ store }) {
      await fill(store)
      const content = async (id: string, at?: string) =>
        (await store.getEntries(id, { at })).map(({ seq, at: time, ...entry }) => entry)
      const { id: at } = await store.saveSnapshot('s')
      const atSnapshot = await content('s')
      await store.addMessages('s', turns(2, 40))
      assert.equal((await store.fork('s', 'now')).entries, 7)
      assert.equal((await store.fork('s', 'then', { at })).entries, 5)
      same(await content('now'), await content('s'))
      same(await content('then'), atSnapshot)
      await store.addMessages('now', turns(1, 90))
      await store.clear('then')
      await store.addMessages('s', turns(1, 91))
      same(texts(await store.getHistory('now')).slice(-1), ['turn 90'])
      same(texts(await store.getHistory('s')).slice(-1), ['turn 91'])
      same(await store.listSnapshots('now'), [])
      await store.deleteSession('s')
      assert.equal((await store.getEntries('now')).length, 8)
    },
  },
  {
    id: 'forking.2/a-fork-into-a-session-that-exists-is-refused',
    clause: 'forking.2',
    level: 'snapshots',
    needs: ['addMessages', 'getHistory', 'fork', 'versions', 'codes'],
    title: 'a fork into a session that exists is refused and changes nothing',
    async run({ store }) {
      await store.addMessages('s', turns(3))
      const { version } = await store.addMessages('t', turns(1, 9))
      await assert.rejects(store.fork('s', 't'), { code: 'SESSION_EXISTS', session: 't' })
      await assert.rejects(store.fork('s', 's'), { code: 'SESSION_EXISTS' })
      assert.equal((await store.getHistory('t')).version, version)
      const results = await Promise.allSettled([store.fork('s', 'u'), store.fork('s', 'u')])
      same(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
      same(await store.getHistory('u'), turns(3))
    },
  },
  {
    id: 'snapshots.7/an-id-that-is-deleted-and-saved-again-under',
    clause: 'snapshots.7',
    level: 'snapshots',
    needs: [
      'addMessages',
      'getHistory',
      'clear',
      'saveSnapshot',
      'rollbackToSnapshot',
      'deleteSnapshot',
      'verify',
      'sweep',
      'codes',
    ],
    title: 'an id that is deleted and saved again under a reader or a rollback is never half of each',
    async run({ store }) {
      await store.addMessages('s', turns(2500))
      await store.saveSnapshot('s', { id: 'p' })
      let working = true
      const renewing = (async () => {
        for (let round = 0; round < 5; round++) {
          await store.deleteSnapshot('s', 'p')
          await store.clear('s')
          await store.sweep('s')
          await store.addMessages('s', turns(1500 + round))
          await store.saveSnapshot('s', { id: 'p' })
        }
        working = false
      })()
      while (working) {
        for (const call of [
          () => store.getHistory('s', { at: 'p' }),
          () => store.rollbackToSnapshot('s', 'p').then(() => store.getHistory('s')),
        ]) {
          await call().catch((error) => assert.equal(error.code, 'SNAPSHOT_NOT_FOUND'))
        }
      }
      await renewing
      same((await store.verify()).damage, [])
    },
  },
]
