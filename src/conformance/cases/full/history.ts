import assert from 'node:assert/strict'
import { same } from '../helpers/same.ts'
import { texts, turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

export const history: WrittenCase[] = [
  {
    id: 'history.2/exactly-the-newest',
    clause: 'history.2',
    level: 'full',
    needs: ['windows'],
    title: 'last n returns exactly the newest n in order, and none for 0',
    async run({ store }) {
      await store.addMessages('s', turns(1300))
      for (const last of [1, 2, 10, 50, 99, 100, 101, 256, 500, 999, 1000, 1001, 1299, 1300, 1301, 5000]) {
        same(await store.getHistory('s', { last }), turns(1300).slice(-last), `last ${last}`)
      }
      same(await store.getHistory('s', { last: 0 }), [])
      same(await store.getEntries('s', { last: 0 }), [])
    },
  },
  {
    id: 'history.2/turns-between-tool-calls',
    clause: 'history.2',
    level: 'full',
    needs: ['windows'],
    title: 'last n counts turns, however many tool calls are recorded in between',
    async run({ store }) {
      for (let turn = 1; turn <= 5; turn++) {
        await store.addMessages('s', turns(1, turn))
        for (let call = 0; call < 60; call++) await store.recordToolCall('s', { id: `${turn}.${call}`, name: 'tool' })
      }
      same(await store.getHistory('s', { last: 3 }), turns(3, 3))
      assert.equal((await store.getEntries('s', { last: 61 })).length, 61)
      const calls = await store.getEntries('s', { last: 70, kinds: ['toolCall'] })
      assert.equal(calls.length, 70)
      assert.ok(
        calls.every(({ kind }) => kind === 'toolCall'),
        'an entry of another kind than the one asked for',
      )
      assert.equal((await store.getEntries('s', { kinds: [] })).length, 0)
    },
  },
  {
    id: 'history.3/messages-and-everything',
    clause: 'history.3',
    level: 'full',
    needs: ['versions'],
    title: 'getHistory returns the messages, getEntries returns everything',
    async run({ store }) {
      await store.addMessages('s', turns(1))
      const lookup = { id: 'c', name: 'lookup', arguments: { q: 1 }, result: [1, 2], startedAt: 5, endedAt: 6 }
      await store.recordToolCall('s', structuredClone(lookup))
      await store.addSummary('s', { text: 'by hand', covers: [[1, 1]] })
      same(await store.getHistory('s'), turns(1))
      const entries = await store.getEntries('s')
      same(
        entries.map(({ kind, seq }) => [kind, seq]),
        [
          ['message', 1],
          ['toolCall', 2],
          ['summary', 3],
        ],
      )
      const [, call, summary] = entries
      same(call?.kind === 'toolCall' && call.toolCall, lookup)
      same(summary?.kind === 'summary' && summary.summary, { text: 'by hand', covers: [[1, 1]] })
      same(await store.getEntries('s', { kinds: ['summary', 'message'] }), [entries[0], entries[2]])
    },
  },
  {
    id: 'history.4/read-without-rolling-back',
    clause: 'history.4',
    level: 'full',
    needs: ['versions', 'windows', 'codes'],
    title: 'a snapshot can be read without rolling back',
    async run({ store }) {
      await store.addMessages('s', turns(3))
      await store.addSummary('s', { text: 'x', embedding: [1, 0] })
      const { id: at } = await store.saveSnapshot('s')
      await store.clear('s')
      const { version } = await store.addMessages('s', turns(2, 10))
      same(await store.getHistory('s', { at }), turns(3))
      same(await store.getHistory('s', { at, last: 1 }), turns(1, 3))
      same(await store.getHistory('s', { at, maxEntries: 2 }), turns(2, 2))
      assert.equal((await store.getEntries('s', { at })).length, 4)
      assert.equal((await store.recall('s', [1, 0], { at })).length, 1)
      assert.equal((await store.recall('s', [1, 0])).length, 0)
      same(await store.getHistory('s'), turns(2, 10))
      assert.equal((await store.sessionInfo('s'))?.version, version)
      await assert.rejects(store.getHistory('s', { at: 'nope' }), { code: 'SNAPSHOT_NOT_FOUND', snapshotId: 'nope' })
      await assert.rejects(store.getEntries('unknown', { at }), { code: 'SNAPSHOT_NOT_FOUND' })
    },
  },
  {
    id: 'history.5/reading-creates-nothing',
    clause: 'history.5',
    level: 'full',
    needs: ['versions', 'windows', 'codes'],
    title: 'an unknown session reads as empty, and reading does not create it',
    async run({ store }) {
      const history = await store.getHistory('s')
      same([...history, history.version, history.epoch], [null, null])
      same(await store.getEntries('s'), [])
      same(await store.getHistory('s', { maxEntries: 3, keepSystem: true }), [])
      same(await store.recall('s', [1, 2]), [])
      same(await store.listSnapshots('s'), [])
      assert.equal(await store.sessionInfo('s'), null)
      assert.equal(await store.deleteSession('s'), false)
      assert.equal(await store.expire('s', { ttl: 1000 }), null)
      same(await store.trim('s', { maxEntries: 1 }), {
        version: null,
        epoch: null,
        removed: 0,
        overBudget: false,
      })
      same(await store.clear('s'), { version: null, epoch: null })
      same((await store.verify('s')).damage, [], 'damage')
      await assert.rejects(store.fork('s', 't'), { code: 'SESSION_NOT_FOUND' })
      await assert.rejects(store.rewind('s', { to: 1 }), { code: 'SEQ_NOT_FOUND' })
      same((await store.listSessions()).sessions, [])
    },
  },
  {
    id: 'history.6/read-with-its-version',
    clause: 'history.6',
    level: 'full',
    needs: ['versions', 'windows'],
    title: 'a read returns the version and epoch for conditional writes',
    async run({ store }) {
      const added = await store.addMessages('s', turns(3))
      const read = await store.getHistory('s')
      assert.equal(read.version, added.version)
      assert.equal(read.epoch, added.epoch)
      same(read.seqs, [1, 2, 3])
      same(Object.keys(read), ['0', '1', '2'])
      await store.addMessages('s', turns(1, 4), { ifVersion: read.version, ifEpoch: read.epoch })
      const later = await store.getHistory('s')
      const parts = [await store.getHistory('s', { last: 1 }), await store.getHistory('s', { maxEntries: 2 })]
      same([later.seqs, ...parts.map(({ seqs }) => seqs)], [[1, 2, 3, 4], [4], [3, 4]])
      const renewed = await store.addMessages('s', turns(1, 5))
      for (const part of parts) same([part.version, part.epoch], [later.version, later.epoch])
      same((await store.getHistory('s')).version, renewed.version, 'the version is that of the newest write')
      same(texts(await store.session('s').getHistory({ last: 1 })), ['turn 5'])
    },
  },
  {
    id: 'history.7/wrong-options',
    clause: 'history.7',
    level: 'full',
    needs: ['operations', 'windows', 'codes'],
    title: 'unknown and invalid options are rejected',
    async run({ store }) {
      const invalid = { name: 'TypeError', code: 'INVALID_ARGUMENT' }
      const refused: unknown[] = [
        { last: -1 },
        { last: 1.5 },
        { last: Number.NaN },
        { maxEntries: 0 },
        { maxTokens: 5 },
        { countTokens: () => 1 },
        { last: 1, maxEntries: 1 },
        { limit: 3 },
        { at: '' },
        { keepSystem: true },
        null,
      ]
      for (const options of refused) await assert.rejects(store.getHistory('s', options as never), invalid)
      await assert.rejects(store.getEntries('s', { kinds: ['nonsense'] as never }), invalid)
      await assert.rejects(store.trim('s', {}), invalid)
      await assert.rejects(store.trim('s', undefined as never), invalid)
      await assert.rejects(store.compact('s', { keep: 1 } as never), invalid)
      await assert.rejects(store.rewind('s', { to: -1 }), invalid)
      await assert.rejects(store.addMessages('s', turns(1), { operationId: '' }), invalid)
      await assert.rejects(store.rollbackToSnapshot('s', 7 as never), invalid)
      await assert.rejects(store.recall('s', [] as never), invalid)
      await assert.rejects(store.recall('s', [1], { k: 0 }), invalid)
      await assert.rejects(store.listSessions({ limit: 0 }), invalid)
      assert.equal(await store.sessionInfo('s'), null)
    },
  },
]
