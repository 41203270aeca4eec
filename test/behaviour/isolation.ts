import assert from 'node:assert/strict'
import { type BehaviourCase, turns } from './case.ts'

const hostile = [
  'user',
  'user2',
  'USER',
  'user ',
  ' user',
  'user\0',
  'user:1',
  'user/1',
  'us%',
  'us_r',
  'user*',
  "'; DROP TABLE entries; --",
  '"quoted"',
  '{tag}',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'null',
  '0',
  '\n',
  '🐟🐟',
  'caf\u00e9',
  'cafe\u0301',
  'ﬀ',
  'x'.repeat(1000),
  `${'x'.repeat(999)}y`,
]

export const isolation: BehaviourCase[] = [
  {
    clause: 'isolation.1',
    title: 'sessions with hostile ids are all different, and none reads another',
    async run({ store }) {
      for (const [index, id] of hostile.entries()) {
        await store.addMessages(id, [{ role: 'user', content: id }])
        await store.saveSnapshot(id, { id: 'p', label: id })
        await store.addSummary(id, { text: id, embedding: [index + 1, 1] })
      }
      for (const id of hostile) {
        assert.deepEqual(await store.getHistory(id), [{ role: 'user', content: id }])
        assert.deepEqual(
          (await store.recall(id, [1, 1], { k: 100 })).map(({ summary }) => summary.text),
          [id],
        )
        assert.deepEqual(
          (await store.listSnapshots(id)).map(({ label }) => label),
          [id],
        )
      }
      const listed = (await store.listSessions()).sessions.map(({ id }) => id)
      assert.equal(listed.length, hostile.length)
      assert.deepEqual(new Set(listed), new Set(hostile))
      for (const [index, id] of hostile.entries()) {
        if (index % 3 === 0) await store.clear(id)
        if (index % 3 === 1) await store.deleteSession(id)
      }
      for (const [index, id] of hostile.entries()) {
        assert.equal((await store.getHistory(id)).length, index % 3 === 2 ? 1 : 0, JSON.stringify(id))
      }
    },
  },
  {
    clause: 'isolation.2',
    title: 'empty and ill-formed ids are refused by every method',
    async run({ store }) {
      const refused = { name: 'TypeError', code: 'INVALID_ARGUMENT' }
      for (const id of ['', '\ud800', 'a\udc00', undefined, null, 7, {}, ['a']] as string[]) {
        await assert.rejects(store.addMessages(id, turns(1)), refused)
        await assert.rejects(store.getHistory(id), refused)
        await assert.rejects(store.getEntries(id), refused)
        await assert.rejects(store.trim(id, { maxEntries: 1 }), refused)
        await assert.rejects(store.clear(id), refused)
        await assert.rejects(store.saveSnapshot(id), refused)
        await assert.rejects(store.deleteSession(id), refused)
        await assert.rejects(store.fork('s', id), refused)
        assert.throws(() => store.session(id), refused)
      }
      assert.deepEqual((await store.listSessions()).sessions, [])
    },
  },
  {
    clause: 'isolation.3',
    title: 'writers of 20 sessions at once do not mix',
    async run({ store }) {
      await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          store.addMessages(`s${index % 20}`, [{ role: 'user', content: `s${index % 20}` }]),
        ),
      )
      for (let session = 0; session < 20; session++) {
        const history = await store.getHistory(`s${session}`)
        assert.deepEqual(history.seqs, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
        assert.ok(history.every(({ content }) => content === `s${session}`))
      }
    },
  },
  {
    clause: 'isolation.4',
    title: 'sessions are listed page by page, each once',
    async run({ store }) {
      const ids = Array.from({ length: 57 }, (_, index) => `session ${index}`)
      for (const id of ids) await store.addMessages(id, turns(1))
      const listed: string[] = []
      let cursor: string | null = null
      do {
        const page: Awaited<ReturnType<typeof store.listSessions>> = await store.listSessions({ cursor, limit: 10 })
        assert.ok(page.sessions.length <= 10)
        listed.push(...page.sessions.map(({ id }) => id))
        cursor = page.cursor
      } while (cursor !== null)
      assert.equal(listed.length, ids.length)
      assert.deepEqual(new Set(listed), new Set(ids))
    },
  },
]
