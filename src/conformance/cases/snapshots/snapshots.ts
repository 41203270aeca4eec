import assert from 'node:assert/strict'
import type { ChatMessage, Entry } from '../../../core/entries.ts'
import type { Case, FullStore } from '../../case.ts'
import { same } from '../../same.ts'
import { texts, toolResult, turns } from '../../samples.ts'

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
      assert.ok((await ids(store, true)).includes(oldest), 'the one rolled back to was dropped')
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
      'listSnapshots',
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
    needs: ['addMessages', 'getHistory', 'saveSnapshot', 'listSnapshots', 'rollbackToSnapshot', 'codes'],
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
    id: 'snapshots.8/a-rollback-loses-none-of-the-turns-that-others',
    clause: 'snapshots.8',
    level: 'snapshots',
    needs: ['addMessages', 'getHistory', 'saveSnapshot', 'rollbackToSnapshot', 'versions'],
    title: 'a rollback loses none of the turns that others add at the same time',
    async run({ store, again }) {
      const other = await again()
      await store.addMessages('s', turns(4))
      const { id } = await store.saveSnapshot('s')
      const adding = Array.from({ length: 8 }, async (_, writer) => {
        const seqs: number[] = []
        const handle = writer % 2 === 0 ? store : other
        for (let turn = 0; turn < 20; turn++) seqs.push(...(await handle.addMessages('s', turns(1, 100 + turn))).seqs)
        return seqs
      })
      const states: string[] = []
      for (let round = 0; round < 4; round++) states.push((await store.rollbackToSnapshot('s', id)).leftBehind)
      const added = (await Promise.all(adding)).flat()
      const now = (await store.getHistory('s')).seqs
      const seen = [now]
      for (const at of states) seen.push((await store.getHistory('s', { at })).seqs)
      for (const seqs of seen) same(seqs.slice(0, 4), [1, 2, 3, 4])
      const read = seen.flatMap((seqs) => seqs.slice(4)).sort((a, b) => a - b)
      same(
        read,
        added.sort((a, b) => a - b),
      )
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
      'saveSnapshot',
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
      const rules = { role: 'system' as const, content: 'rules', metadata: { user: 'Wang' } }
      await store.addMessages('t', [rules, ...turns(1500)])
      await store.saveSnapshot('t', { id: 'later' })
      let all: readonly Entry[] = await store.getEntries('t')
      for (const to of [1400, 3, 1]) {
        same((await store.rewind('t', { to })).removed, all.slice(to))
        same(await store.getHistory('t'), [rules, ...turns(to - 1)])
        all = all.slice(0, to)
      }
      same(await store.getHistory('t', { at: 'later' }), [rules, ...turns(1500)])
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
      assert.equal((await store.fork('s', 'sibling')).entries, 7)
      same(
        (await store.getEntries('then')).map(({ seq }) => seq),
        [1, 2, 3, 4, 5],
      )
      same(await content('now'), await content('s'))
      same(await content('then'), atSnapshot)
      const own = texts(await store.getHistory('s'))
      await store.addMessages('now', turns(1, 90))
      await store.clear('then')
      await store.addMessages('s', [...turns(1, 91), toolResult('c')])
      await store.recordToolCall('s', { id: 'late', name: 'n' })
      await store.addSummary('s', { text: 'late' })
      same(texts(await store.getHistory('now')), [...own, 'turn 90'])
      same(texts(await store.getHistory('s')), [...own, 'turn 91', 'result of c'])
      same(texts(await store.getHistory('sibling')), own)
      same(await content('s', at), atSnapshot)
      same(await store.listSnapshots('now'), [])
      same(await store.listSnapshots('then'), [])
      await store.deleteSession('s')
      assert.equal((await store.getEntries('now')).length, 8)
      assert.equal((await store.getEntries('sibling')).length, 7)
    },
  },
  {
    id: 'forking.2/a-fork-into-a-session-that-exists-is-refused',
    clause: 'forking.2',
    level: 'snapshots',
    needs: ['addMessages', 'getHistory', 'clear', 'saveSnapshot', 'fork', 'sessionInfo', 'versions', 'codes'],
    title: 'a fork into a session that exists is refused and changes nothing',
    async run({ store }) {
      await store.addMessages('s', turns(3))
      const { version } = await store.addMessages('t', turns(1, 9))
      await assert.rejects(store.fork('s', 't'), { code: 'SESSION_EXISTS', session: 't' })
      await assert.rejects(store.fork('s', 's'), { code: 'SESSION_EXISTS' })
      assert.equal((await store.getHistory('t')).version, version)
      same(texts(await store.getHistory('t')), ['turn 9'])
      await store.addMessages('cleared', turns(2))
      await store.clear('cleared')
      await store.saveSnapshot('empty')
      for (const target of ['cleared', 'empty']) {
        const before = await store.sessionInfo(target)
        await assert.rejects(store.fork('s', target), { code: 'SESSION_EXISTS', session: target })
        same(await store.sessionInfo(target), before)
      }
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
      'sessionInfo',
      'verify',
      'sweep',
      'codes',
    ],
    title: 'an id that is deleted and saved again under a reader or a rollback is never half of each',
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
