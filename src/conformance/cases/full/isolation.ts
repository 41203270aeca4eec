import assert from 'node:assert/strict'
import type { Case } from '../../case.ts'
import { same } from '../../same.ts'
import { turns } from '../../samples.ts'
import { hostileIds } from '../hostile-ids.ts'

export const isolation: Case[] = [
  {
    id: 'isolation.1/sessions-with-hostile-ids-are-all-different',
    clause: 'isolation.1',
    level: 'full',
    needs: [
      'addMessages',
      'getHistory',
      'clear',
      'addSummary',
      'saveSnapshot',
      'listSnapshots',
      'recall',
      'listSessions',
      'deleteSession',
    ],
    title: 'sessions with hostile ids are all different, and none reads another',
    async run({ store }) {
      for (const [index, id] of hostileIds.entries()) {
        await store.addMessages(id, [{ role: 'user', content: id }])
        await store.saveSnapshot(id, { id: 'p', label: id })
        await store.addSummary(id, { text: id, embedding: [index + 1, 1] })
      }
      for (const id of hostileIds) {
        same(await store.getHistory(id), [{ role: 'user', content: id }])
        same(
          (await store.recall(id, [1, 1], { k: 100 })).map(({ summary }) => summary.text),
          [id],
        )
        same(
          (await store.listSnapshots(id)).map(({ label }) => label),
          [id],
        )
      }
      const listed = (await store.listSessions()).sessions.map(({ id }) => id)
      assert.equal(listed.length, hostileIds.length)
      same(new Set(listed), new Set(hostileIds))
      for (const [index, id] of hostileIds.entries()) {
        if (index % 3 === 0) await store.clear(id)
        if (index % 3 === 1) await store.deleteSession(id)
      }
      for (const [index, id] of hostileIds.entries()) {
        assert.equal((await store.getHistory(id)).length, index % 3 === 2 ? 1 : 0, JSON.stringify(id))
      }
    },
  },
  {
    id: 'isolation.2/empty-and-ill-formed-ids-are-refused-by-every',
    clause: 'isolation.2',
    level: 'full',
    needs: [
      'addMessages',
      'getHistory',
      'trim',
      'clear',
      'getEntries',
      'saveSnapshot',
      'fork',
      'listSessions',
      'deleteSession',
      'session',
      'codes',
    ],
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
      same((await store.listSessions()).sessions, [])
    },
  },
  {
    id: 'isolation.4/sessions-are-listed-page-by-page-each-once',
    clause: 'isolation.4',
    level: 'full',
    needs: ['addMessages', 'listSessions'],
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
      same(new Set(listed), new Set(ids))
    },
  },
]
