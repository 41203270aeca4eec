import assert from 'node:assert/strict'
import { hostileIds } from '../helpers/hostile-ids.ts'
import { same } from '../helpers/same.ts'
import { turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

const details = { owner: 'ann', title: 'A trip', metadata: { model: 'm', tags: ['a', { b: null }], pinned: false } }
const nothing = { owner: null, title: null, metadata: null }

export const owners: WrittenCase[] = [
  {
    id: 'owners.1/every-write-that-begins',
    clause: 'owners.1',
    level: 'full',
    needs: ['owners'],
    title: 'any write that creates a session sets owner, title and metadata, and later writes ignore them',
    async run({ store, again }) {
      type Options = { owner?: string; title?: string; metadata?: Record<string, unknown> }
      const writes: Record<string, (session: string, options: Options) => Promise<unknown>> = {
        addMessages: (session, options) => store.addMessages(session, turns(2), options),
        recordToolCall: (session, options) => store.recordToolCall(session, { id: 'c', name: 'n' }, options),
        addSummary: (session, options) => store.addSummary(session, { text: 't' }, options),
        saveSnapshot: (session, options) => store.saveSnapshot(session, options),
      }
      const other = await again()
      for (const [name, write] of Object.entries(writes)) {
        await write(name, details)
        same(await other.sessionInfo(name), details, `a session that ${name} begins`)
        for (const later of Object.values(writes)) await later(name, { owner: 'bob', title: 'Another' })
        same(await store.sessionInfo(name), details, 'they are ignored if the session exists')
        await write(`plain ${name}`, {})
        await write(`plain ${name}`, { owner: 'bob', metadata: { late: true } })
        same(await other.sessionInfo(`plain ${name}`), nothing, 'also if it was begun without them')
        await store.deleteSession(name)
        await write(name, { title: 'Alone' })
        same(await other.sessionInfo(name), { ...nothing, title: 'Alone' }, 'a session begun again has none of the old')
      }
      await store.addMessages('empty', [], details)
      assert.equal(await store.sessionInfo('empty'), null, 'adding nothing begins no session')
    },
  },
  {
    id: 'owners.2/the-parts-that-are-given',
    clause: 'owners.2',
    level: 'full',
    needs: ['owners', 'versions', 'codes'],
    title:
      'describe replaces the given fields, null removes one, the rest stay; the version changes, the epoch does not',
    async run({ store }) {
      const begun = await store.addMessages('s', turns(3), details)
      const steps = [
        { title: 'Another' },
        { owner: 'bob' },
        { metadata: { entirely: 'new' } },
        { title: null, owner: 'carol' },
        { metadata: null, title: '' },
        { owner: null },
        details,
      ]
      let expected: Record<string, unknown> = details
      let { version } = begun
      for (const step of steps) {
        const written = await store.describe('s', { ...step, ifVersion: version })
        expected = { ...expected, ...step }
        same(await store.sessionInfo('s'), { ...expected, version: written.version }, JSON.stringify(step))
        assert.notEqual(written.version, version, 'the version changes')
        assert.equal(written.epoch, begun.epoch, 'the epoch does not')
        version = written.version
      }
      await assert.rejects(store.describe('s', { title: 'late', ifVersion: begun.version }), {
        code: 'VERSION_CONFLICT',
      })
      await store.addMessages('s', turns(1, 4), { ifEpoch: begun.epoch })
      same(await store.getHistory('s'), turns(4), 'the conversation is what it was')
      same(await store.sessionInfo('s'), details)
    },
  },
  {
    id: 'owners.2/no-session',
    clause: 'owners.2',
    level: 'full',
    needs: ['owners', 'codes'],
    title: 'describing a missing or deleted session is rejected and does not create it',
    async run({ store }) {
      await store.addMessages('deleted', turns(1), details)
      await store.deleteSession('deleted')
      await store.addMessages('expired', turns(1), details)
      await store.expire('expired', { at: 1 })
      for (const session of ['never', 'deleted', 'expired']) {
        await assert.rejects(store.describe(session, { title: 'x' }), { code: 'SESSION_NOT_FOUND' })
        assert.equal(await store.sessionInfo(session), null)
      }
      await store.addMessages('s', turns(1), details)
      for (const wrong of [{}, { owner: '' }, { owner: '\ud800' }, { title: 5 }, { subject: 'x' }]) {
        await assert.rejects(store.describe('s', wrong as never), { name: 'TypeError', code: 'INVALID_ARGUMENT' })
      }
      same(await store.sessionInfo('s'), details)
    },
  },
  {
    id: 'owners.3/no-change-of-the-path-touches-them',
    clause: 'owners.3',
    level: 'full',
    needs: ['owners'],
    title: 'rollback, rewind, trim, compact and clear leave owner, title and metadata as they are',
    async run({ store }) {
      await store.addMessages('s', turns(6), { owner: 'before', title: 'Before' })
      await store.saveSnapshot('s', { id: 'p' })
      await store.describe('s', details)
      const changes: Record<string, () => Promise<unknown>> = {
        rewind: () => store.rewind('s', { to: 5 }),
        trim: () => store.trim('s', { maxEntries: 4 }),
        compact: () => store.compact('s', { keep: 2, summarize: () => 'sum' }),
        rollback: () => store.rollbackToSnapshot('s', 'p'),
        clear: () => store.clear('s'),
        deleteSnapshot: () => store.deleteSnapshot('s', 'p'),
        sweep: () => store.sweep('s'),
      }
      for (const [name, change] of Object.entries(changes)) {
        await change()
        same(await store.sessionInfo('s'), details, name)
      }
    },
  },
  {
    id: 'owners.3/taken-along',
    clause: 'owners.3',
    level: 'full',
    needs: ['owners'],
    title: 'a fork or an import copies owner, title and metadata, and later changes stay separate',
    async run({ store, open }) {
      await store.addMessages('short', turns(3), details)
      await store.saveSnapshot('short', { id: 'p' })
      await store.addMessages('long', turns(1500), details)
      await store.addMessages('plain', turns(1))
      const other = await open()
      for (const [session, expected] of Object.entries({ short: details, long: details, plain: nothing })) {
        await store.fork(session, `fork of ${session}`)
        same(await store.sessionInfo(`fork of ${session}`), expected, `a fork of ${session}`)
        await other.importSession(await store.exportSession(session))
        same(await other.sessionInfo(session), expected, `an import of ${session}`)
        await other.describe(session, { owner: 'bob' })
      }
      await store.fork('short', 'at', { at: 'p' })
      same(await store.sessionInfo('at'), details, 'a fork of a snapshot')
      await store.describe('at', { owner: 'bob', metadata: null })
      same(await store.sessionInfo('short'), details, 'a fork is described on its own')
      const listed = (await store.listSessions({ owner: 'ann' })).sessions.map(({ id }) => id)
      same(new Set(listed), new Set(['fork of long', 'fork of short', 'long', 'short']))
    },
  },
  {
    id: 'owners.6/metadata-as-given',
    clause: 'owners.6',
    level: 'full',
    needs: ['owners', 'codes'],
    title: 'a title is any text and metadata any JSON object, kept in key order and copied; anything else is rejected',
    async run({ store }) {
      const texts = ['', ' ', 'NUL \0 in it', 'lone \ud800', '🐟', 'a'.repeat(16_384)]
      const values: Record<string, unknown>[] = [
        {},
        { z: 1, a: { y: [1, 2], b: { '': null } }, m: 'x' },
        { '\0': '\ud800', '🐟': -1.5e-7, yes: true },
        JSON.parse('{"__proto__":{"a":1},"constructor":2}'),
        { text: 'é'.repeat(8186) },
      ]
      await store.addMessages('s', turns(1))
      for (const title of texts) {
        await store.describe('s', { title })
        same((await store.sessionInfo('s'))?.title, title)
      }
      for (const metadata of values) {
        const given = structuredClone(metadata)
        const describing = store.describe('s', { metadata: given })
        given['changed'] = true
        await describing
        for (const read of [await store.sessionInfo('s'), (await store.listSessions()).sessions[0]]) {
          assert.equal(JSON.stringify(read?.metadata), JSON.stringify(metadata))
          Reflect.set(read?.metadata ?? {}, 'changed', true)
        }
      }
      await store.describe('s', { metadata: { kept: 1, missing: undefined } })
      const cycle: Record<string, unknown> = {}
      cycle['self'] = { cycle }
      const refused: [unknown, RegExp][] = [
        [{ a: [1, { b: Number.NaN }] }, /metadata\.a\[1\]\.b/],
        [{ when: new Date() }, /metadata\.when/],
        [{ big: 1n }, /metadata\.big/],
        [{ bytes: new Uint8Array(2) }, /metadata\.bytes/],
        [{ list: [undefined] }, /metadata\.list/],
        [cycle, /metadata\.self/],
        [[], /metadata/],
        ['text', /metadata/],
        [{ text: 'é'.repeat(8187) }, /metadata/],
      ]
      for (const [metadata, path] of refused) {
        const options = { metadata: metadata as Record<string, unknown> }
        for (const write of [store.describe('s', options), store.addMessages('new', turns(1), options)]) {
          await assert.rejects(write, (error: { code?: unknown; path?: unknown }) => {
            assert.equal(error.code, 'INVALID_ENTRY')
            assert.match(`${error.path}`, path)
            return true
          })
        }
      }
      const tooLong = { code: 'INVALID_ENTRY', path: 'options.title' }
      await assert.rejects(store.describe('s', { title: 'a'.repeat(16_385) }), tooLong)
      await assert.rejects(store.addMessages('new', turns(1), { title: 'é'.repeat(8193) }), tooLong)
      assert.equal(JSON.stringify((await store.sessionInfo('s'))?.metadata), '{"kept":1}')
      assert.equal(await store.sessionInfo('new'), null)
    },
  },
  {
    id: 'owners.4/owners-that-look-alike',
    clause: 'owners.4',
    level: 'full',
    needs: ['owners'],
    title: 'an owner is any text, and owners that look alike stay separate',
    async run({ store, again }) {
      const signed = await Promise.all(
        hostileIds.map((owner, index) => store.addMessages(`of ${index}`, turns(1), { owner })),
      )
      assert.equal(signed.length, hostileIds.length)
      await store.addMessages('user', turns(1))
      const other = await again()
      for (const [index, owner] of hostileIds.entries()) {
        const { sessions, cursor, damaged } = await other.listSessions({ owner })
        same([sessions.length, sessions[0]?.id], [1, `of ${index}`], `the sessions of ${JSON.stringify(owner)}`)
        same([sessions[0]?.owner, cursor, damaged], [owner, null, []])
      }
      same((await other.listSessions({ owner: 'nobody' })).sessions, [])
    },
  },
]
