import assert from 'node:assert/strict'
import type { SessionCopy } from '../../../core/backend.ts'
import type { Case, FullStore } from '../../case.ts'
import { same } from '../../same.ts'
import { texts, turns } from '../../samples.ts'

/** A session with a bit of everything: rollbacks, a compaction, summaries, bytes, snapshots of both kinds, and entries that nobody reads. */
async function fill(store: FullStore, session = 's'): Promise<void> {
  await store.addMessages(session, turns(9))
  await store.recordToolCall(session, { id: 'c', name: 'n', result: { bytes: new Uint8Array([255, 0, 254]) } })
  await store.addSummary(session, { text: 'sum', embedding: Float32Array.of(0.1, -0, 3e-45) })
  await store.saveSnapshot(session, { id: 'first', label: 'lone \ud800 and \0' })
  await store.addMessages(session, turns(2, 20))
  await store.rollbackToSnapshot(session, 'first')
  await store.addMessages(session, turns(3, 30))
  await store.compact(session, { keep: 2, summarise: () => ({ text: 'compacted', embedding: [1, 0, 0] }) })
  await store.saveSnapshot(session, { id: 'second' })
  await store.addMessages(session, turns(2, 40))
  await store.rewind(session, { to: (await store.getHistory(session)).seqs.at(-2) ?? 0 })
  await store.addMessages(session, [{ role: 'user', content: 'bytes', data: new Uint8Array([1, 2, 3]) }])
  await store.expire(session, { ttl: 1_000_000 })
}

/** What `fill` calls, and what it writes. */
const toFill: Case['needs'] = [
  'addMessages',
  'getHistory',
  'recordToolCall',
  'addSummary',
  'compact',
  'saveSnapshot',
  'rollbackToSnapshot',
  'rewind',
  'expire',
  'versions',
  'bytes',
]

async function look(store: FullStore, session: string) {
  const snapshots = await store.listSnapshots(session)
  const then: unknown[] = []
  for (const { id } of snapshots) then.push(await store.getEntries(session, { at: id }))
  return {
    info: await store.sessionInfo(session),
    entries: await store.getEntries(session),
    history: await store.getHistory(session),
    recalled: await store.recall(session, [1, 0, 0]),
    snapshots,
    then,
  }
}

type Damage = (copy: SessionCopy & { entries: SessionCopy['entries'][number][] }) => unknown

const damages: [string, Damage][] = [
  ['an entry is missing', ({ entries }) => entries.splice(3, 1)],
  ['the first entry is missing', ({ entries }) => entries.shift()],
  ['the last entry is missing', ({ entries }) => entries.pop()],
  ['every entry is missing', ({ entries }) => entries.splice(0)],
  [
    'an entry that only a snapshot reads is missing',
    ({ entries }) =>
      entries.splice(
        entries.findIndex(({ body }) => body.includes('turn 20')),
        1,
      ),
  ],
  ['entries are out of order', ({ entries }) => entries.push(...entries.splice(3, 1))],
  ['an entry is none', ({ entries }) => entries.splice(3, 1, null as never)],
  ['an entry has no time', ({ entries }) => Object.assign(entries[3] as object, { at: undefined })],
  ['an entry comes twice', ({ entries }) => entries.splice(3, 0, entries[3] as never)],
  [
    'there is an entry that nothing reads',
    ({ entries, head }) => entries.push({ ...(entries[0] as (typeof entries)[number]), seq: head.end + 1 }),
  ],
  ['a body is cut short', ({ entries }) => Object.assign(entries[2] as object, { body: '{"role":' })],
  ['an entry has a format of the future', ({ entries }) => Object.assign(entries[2] as object, { format: 99 })],
  ['an entry has an unknown kind', ({ entries }) => Object.assign(entries[2] as object, { kind: 'dream' })],
  ['bytes are cut short', ({ entries }) => Object.assign(entries[9] as object, { bytes: new Uint8Array(3) })],
  [
    'bytes of an embedding are cut short',
    ({ entries }) => {
      const summary = entries.find(({ kind }) => kind === 'summary') as { bytes: Uint8Array }
      Object.assign(summary, { bytes: summary.bytes.subarray(0, -1) })
    },
  ],
  ['a seq is none', ({ entries }) => Object.assign(entries[0] as object, { seq: 0.5 })],
  ['a path is missing', ({ epochs }) => (epochs as unknown[]).pop()],
  ['the path of a snapshot is missing', ({ epochs }) => (epochs as unknown[]).shift()],
  [
    'a path overlaps itself',
    ({ epochs }) =>
      Object.assign(epochs[0] as object, {
        path: [
          [1, 5],
          [4, null],
        ],
      }),
  ],
  ['a path is closed', ({ epochs }) => Object.assign(epochs[0] as object, { path: [[1, 5]] })],
  [
    'a path has no end',
    ({ epochs }) =>
      Object.assign(epochs[0] as object, {
        path: [
          [1, 1e12],
          [1e12 + 1, null],
        ],
      }),
  ],
  ['the log has no end', ({ head }) => Object.assign(head, { end: 1e15 })],
  ['a snapshot id comes twice', ({ snapshots }) => Object.assign(snapshots[1] as object, { id: 'first' })],
  [
    'a snapshot lies beyond the end',
    ({ snapshots, head }) => Object.assign(snapshots[0] as object, { end: head.end + 1 }),
  ],
  ['a snapshot has a label that is no text', ({ snapshots }) => Object.assign(snapshots[1] as object, { label: 7 })],
  ['the time to live is negative', ({ head }) => Object.assign(head, { ttl: -1 })],
  ['a field of the head is missing', ({ head }) => Object.assign(head, { counter: undefined })],
  ['the snapshots are missing', (copy) => Object.assign(copy, { snapshots: undefined })],
  ['the nonce is none', ({ head }) => Object.assign(head, { nonce: 'a.b' })],
  ['there is a field too many', (copy) => Object.assign(copy, { extra: 1 })],
  ['the id is empty', (copy) => Object.assign(copy, { id: '' })],
]

export const transfer: Case[] = [
  {
    id: 'transfer.1/a-copy-holds-what-is-read-in-order-and',
    clause: 'transfer.1',
    level: 'full',
    needs: [
      'addMessages',
      'getHistory',
      'recordToolCall',
      'addSummary',
      'getEntries',
      'compact',
      'saveSnapshot',
      'listSnapshots',
      'rollbackToSnapshot',
      'rewind',
      'recall',
      'sessionInfo',
      'expire',
      'exportSession',
      'versions',
      'bytes',
    ],
    title: "a copy holds what is read, in order, and is nobody else's",
    async run({ store }) {
      await fill(store)
      const before = await look(store, 's')
      const copy = await store.exportSession('s')
      const read = new Set([...before.entries, ...(before.then.flat() as { seq: number }[])].map(({ seq }) => seq))
      same(
        copy.entries.map(({ seq }) => seq),
        [...read].sort((a, b) => a - b),
      )
      assert.equal(copy.id, 's')
      assert.equal(copy.snapshots.length, before.snapshots.length)
      same(
        copy.snapshots.map(({ id, label, automatic, at }) => ({ id, label, automatic, at })),
        before.snapshots.map(({ entries, ...snapshot }) => snapshot),
      )
      const { createdAt, updatedAt, ttl, expiresAt } = copy.head
      same(before.info, { createdAt, updatedAt, ttl, expiresAt })
      for (const entry of copy.entries) Reflect.set(entry, 'body', '')
      for (const { bytes } of copy.entries) bytes?.fill(0)
      for (const { path } of copy.epochs) Reflect.set(path, 'length', 0)
      same(await look(store, 's'), before)
    },
  },
  {
    id: 'transfer.1/a-copy-is-of-one-moment-whatever-is-written',
    clause: 'transfer.1',
    level: 'full',
    needs: [
      'addMessages',
      'trim',
      'saveSnapshot',
      'deleteSnapshot',
      'exportSession',
      'importSession',
      'verify',
      'sweep',
    ],
    title: 'a copy is of one moment, whatever is written, cut and swept meanwhile',
    async run({ store }) {
      await store.addMessages('s', turns(2500))
      const writing = (async () => {
        for (let round = 0; round < 10; round++) {
          await store.addMessages('s', turns(100))
          const { id } = await store.saveSnapshot('s')
          await store.trim('s', { maxEntries: 1500 })
          await store.deleteSnapshot('s', id)
          await store.sweep('s')
        }
      })()
      for (let round = 0; round < 5; round++) {
        const copy = await store.exportSession('s')
        await store.importSession({ ...copy, id: `copy ${round}` })
        assert.equal((await store.verify(`copy ${round}`)).ok, true)
      }
      await writing
    },
  },
  {
    id: 'transfer.2/an-imported-session-reads-the-same-everywhere-and-exports',
    clause: 'transfer.2',
    level: 'full',
    needs: [
      'addMessages',
      'getHistory',
      'recordToolCall',
      'addSummary',
      'getEntries',
      'compact',
      'saveSnapshot',
      'listSnapshots',
      'rollbackToSnapshot',
      'rewind',
      'recall',
      'sessionInfo',
      'expire',
      'exportSession',
      'importSession',
      'verify',
      'versions',
      'bytes',
    ],
    title: 'an imported session reads the same everywhere and exports the same',
    async run({ store, open }) {
      await fill(store)
      const other = await open()
      const before = await look(store, 's')
      const copy = await store.exportSession('s')
      const imported = await other.importSession(copy)
      same([imported.version, imported.epoch], [before.info?.version, before.info?.epoch])
      assert.equal(imported.entries, copy.entries.length)
      for (const { bytes } of copy.entries) bytes?.fill(0)
      same(await look(other, 's'), before)
      same(await other.exportSession('s'), await store.exportSession('s'))
      assert.equal((await other.verify()).ok, true)
    },
  },
  {
    id: 'transfer.2/an-imported-session-goes-on-where-the-other-stood',
    clause: 'transfer.2',
    level: 'full',
    needs: [
      'addMessages',
      'getHistory',
      'recordToolCall',
      'addSummary',
      'compact',
      'saveSnapshot',
      'rollbackToSnapshot',
      'rewind',
      'sessionInfo',
      'expire',
      'exportSession',
      'importSession',
      'verify',
      'sweep',
      'versions',
      'bytes',
    ],
    title: 'an imported session goes on where the other stood',
    async run({ store, open }) {
      await fill(store)
      const other = await open()
      await other.importSession(await store.exportSession('s'))
      const version = (await store.sessionInfo('s'))?.version
      const [here, there] = await Promise.all(
        [store, other].map(async (one) => {
          const { seqs } = await one.addMessages('s', turns(1, 90), { ifVersion: version })
          await one.rollbackToSnapshot('s', 'first')
          await one.addMessages('s', turns(1, 91))
          await one.rollbackToSnapshot('s', 'second')
          await one.sweep()
          return { seqs, texts: texts(await one.getHistory('s')), seen: (await one.getHistory('s')).seqs }
        }),
      )
      same(there, here)
      assert.equal((await other.verify()).ok, true)
    },
  },
  {
    id: 'transfer.2/an-empty-a-cleared-and-a-session-with-snapshots',
    clause: 'transfer.2',
    level: 'full',
    needs: [
      'addMessages',
      'getHistory',
      'clear',
      'getEntries',
      'saveSnapshot',
      'listSnapshots',
      'recall',
      'sessionInfo',
      'exportSession',
      'importSession',
      'versions',
    ],
    title: 'an empty, a cleared and a session with snapshots alone',
    async run({ store, open }) {
      await store.saveSnapshot('empty')
      await store.addMessages('cleared', turns(3))
      await store.clear('cleared')
      await store.addMessages('kept', turns(3))
      await store.saveSnapshot('kept', { id: 'k' })
      await store.clear('kept')
      const other = await open()
      for (const id of ['empty', 'cleared', 'kept']) {
        await other.importSession(await store.exportSession(id))
        same(await look(other, id), await look(store, id))
      }
      same((await other.addMessages('cleared', turns(1))).seqs, [4])
      same(await other.getHistory('kept', { at: 'k' }), turns(3))
    },
  },
  {
    id: 'transfer.2/the-same-import-again-by-its-operation-id-changes',
    clause: 'transfer.2',
    level: 'full',
    needs: [
      'addMessages',
      'getHistory',
      'recordToolCall',
      'addSummary',
      'compact',
      'saveSnapshot',
      'rollbackToSnapshot',
      'rewind',
      'sessionInfo',
      'deleteSession',
      'expire',
      'exportSession',
      'importSession',
      'operations',
      'bytes',
      'codes',
    ],
    title: 'the same import again, by its operation id, changes nothing',
    async run({ store, open }) {
      await fill(store)
      const copy = await store.exportSession('s')
      const other = await open()
      const first = await other.importSession(copy, { operationId: 'move' })
      await other.addMessages('s', turns(1))
      same(await other.importSession(copy, { operationId: 'move' }), first)
      await assert.rejects(
        other.importSession({ ...copy, entries: copy.entries.slice(0, -1) }, { operationId: 'move' }),
        {
          code: 'INVALID_ENTRY',
        },
      )
      const changed = { ...copy, head: { ...copy.head, createdAt: copy.head.createdAt - 1 } }
      await assert.rejects(other.importSession(changed, { operationId: 'move' }), { code: 'OPERATION_CONFLICT' })
      await other.deleteSession('s')
      same(await other.importSession(copy, { operationId: 'move' }), first)
      assert.equal(await other.sessionInfo('s'), null)
    },
  },
  {
    id: 'transfer.3/importing-a-session-that-exists-is-refused-and-changes',
    clause: 'transfer.3',
    level: 'full',
    needs: [
      'addMessages',
      'getHistory',
      'recordToolCall',
      'addSummary',
      'compact',
      'saveSnapshot',
      'rollbackToSnapshot',
      'rewind',
      'expire',
      'exportSession',
      'importSession',
      'versions',
      'bytes',
      'codes',
    ],
    title: 'importing a session that exists is refused and changes nothing',
    async run({ store, open }) {
      await fill(store)
      const copy = await store.exportSession('s')
      await assert.rejects(store.importSession(copy), { code: 'SESSION_EXISTS', session: 's' })
      const other = await open()
      const { version } = await other.addMessages('s', turns(1))
      await assert.rejects(other.importSession(copy), { code: 'SESSION_EXISTS' })
      assert.equal((await other.getHistory('s')).version, version)
      same(texts(await other.getHistory('s')), ['turn 1'])
      const empty = await open()
      await empty.saveSnapshot('s', { id: 'of nothing' })
      await assert.rejects(empty.importSession(copy), { code: 'SESSION_EXISTS' })
      same(await empty.getHistory('s', { at: 'of nothing' }), [])
      same(await empty.getHistory('s'), [])
      const target = await open()
      const results = await Promise.allSettled([target.importSession(copy), target.importSession(copy)])
      same(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
      same(await target.exportSession('s'), copy)
    },
  },
  ...damages.map(
    ([title, damage]): Case => ({
      id: `transfer.4/${title.replaceAll(' ', '-')}`,
      clause: 'transfer.4',
      level: 'full',
      needs: [...toFill, 'exportSession', 'importSession', 'listSessions', 'codes'],
      title: `a copy is refused if ${title}`,
      async run({ store, open }) {
        await fill(store)
        const copy = structuredClone(await store.exportSession('s'))
        damage(copy as Parameters<Damage>[0])
        const other = await open()
        await assert.rejects(other.importSession(copy), { code: 'INVALID_ENTRY', path: /^copy/ })
        same((await other.listSessions()).sessions, [])
      },
    }),
  ),
  {
    id: 'transfer.5/a-session-that-does-not-exist-or-has-expired',
    clause: 'transfer.5',
    level: 'full',
    needs: ['addMessages', 'listSessions', 'expire', 'exportSession', 'codes'],
    title: 'a session that does not exist or has expired is not exported',
    async run({ store }) {
      await assert.rejects(store.exportSession('s'), { code: 'SESSION_NOT_FOUND', session: 's' })
      await store.addMessages('s', turns(1))
      await store.expire('s', { at: 1 })
      await assert.rejects(store.exportSession('s'), { code: 'SESSION_NOT_FOUND' })
      await assert.rejects(store.exportSession(''), TypeError)
      same((await store.listSessions()).sessions, [])
    },
  },
]
