import assert from 'node:assert/strict'
import { hostileIds } from '../helpers/hostile-ids.ts'
import { same } from '../helpers/same.ts'
import { turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

export const isolation: WrittenCase[] = [
  {
    id: 'isolation.1/hostile-ids',
    clause: 'isolation.1',
    level: 'full',
    title: 'sessions with hostile ids stay separate, and none reads another',
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
      for (const id of hostileIds.slice(0, 8)) {
        await store.clear(id)
        await store.rollbackToSnapshot(id, 'p')
        same(await store.getHistory(id), [{ role: 'user', content: id }], 'each has a snapshot of its own')
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
    id: 'isolation.2/ill-formed-ids',
    clause: 'isolation.2',
    level: 'full',
    needs: ['codes'],
    title: 'empty and malformed ids are rejected by every method',
    async run({ store }) {
      const refused = { name: 'TypeError', code: 'INVALID_ARGUMENT' }
      const calls: Record<string, (id: string) => Promise<unknown>> = {
        addMessages: (id) => store.addMessages(id, turns(1)),
        recordToolCall: (id) => store.recordToolCall(id, { id: 'c', name: 'n' }),
        addSummary: (id) => store.addSummary(id, { text: 'x' }),
        getHistory: (id) => store.getHistory(id),
        getEntries: (id) => store.getEntries(id),
        trim: (id) => store.trim(id, { maxEntries: 1 }),
        clear: (id) => store.clear(id),
        compact: (id) => store.compact(id, { keep: 1, summarize: () => 'x' }),
        saveSnapshot: (id) => store.saveSnapshot(id),
        listSnapshots: (id) => store.listSnapshots(id),
        rollbackToSnapshot: (id) => store.rollbackToSnapshot(id, 'p'),
        deleteSnapshot: (id) => store.deleteSnapshot(id, 'p'),
        rewind: (id) => store.rewind(id, { to: 0 }),
        recall: (id) => store.recall(id, [1]),
        sessionInfo: (id) => store.sessionInfo(id),
        expire: (id) => store.expire(id, { ttl: 1000 }),
        exportSession: (id) => store.exportSession(id),
        deleteSession: (id) => store.deleteSession(id),
        'fork to': (id) => store.fork('s', id),
        'fork from': (id) => store.fork(id, 's'),
      }
      for (const id of ['', '\ud800', 'a\udc00', undefined, null, 7, {}, ['a']] as string[]) {
        for (const [name, call] of Object.entries(calls)) {
          await assert.rejects(call(id), refused, `${name} of ${JSON.stringify(id)}`)
        }
        assert.throws(() => store.session(id), refused)
      }
      same((await store.listSessions()).sessions, [])
    },
  },
  {
    id: 'isolation.1/a-thousand-sessions',
    clause: 'isolation.1',
    level: 'full',
    title: 'more than a thousand sessions are all kept and stay separate',
    async run({ store }) {
      const ids = Array.from({ length: 1100 }, (_, index) => `user-${index}`)
      await Promise.all(ids.map((id) => store.addMessages(id, [{ role: 'user', content: id }])))
      const read = await Promise.all(ids.map((id) => store.getHistory(id)))
      same(
        read.map((history) => history.map(({ content }) => content)),
        ids.map((id) => [id]),
      )
    },
  },
  {
    id: 'isolation.4/page-by-page',
    clause: 'isolation.4',
    level: 'full',
    title: 'sessions are listed page by page, each once',
    async run({ store }) {
      const ids = Array.from({ length: 57 }, (_, index) => `session ${index}`)
      for (const id of ids) await store.addMessages(id, turns(1))
      for (const limit of [1, 10, 19, 56, 57, 58, 1000]) {
        const listed: string[] = []
        let cursor: string | null = null
        do {
          const page: Awaited<ReturnType<typeof store.listSessions>> = await store.listSessions({ cursor, limit })
          assert.ok(page.sessions.length <= limit, 'no page is longer than its limit')
          listed.push(...page.sessions.map(({ id }) => id))
          cursor = page.cursor
        } while (cursor !== null && listed.length <= ids.length)
        assert.equal(listed.length, ids.length, `sessions listed in pages of ${limit}`)
        same(new Set(listed), new Set(ids))
      }
      assert.equal((await store.listSessions()).sessions.length, ids.length)
    },
  },
]
