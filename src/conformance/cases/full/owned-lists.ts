import assert from 'node:assert/strict'
import type { SessionInfo } from '../../../core/types.ts'
import type { FullStore } from '../../case.ts'
import { nextMoment } from '../helpers/next-moment.ts'
import { same } from '../helpers/same.ts'
import { turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

/** Begins sessions one after the other, each at a later moment than the one before. */
async function begin(store: FullStore, owner: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await store.addMessages(id, turns(1), { owner, title: `title of ${id}` })
    await nextMoment(store)
  }
}

async function idsOf(store: FullStore, owner: string): Promise<string[]> {
  return (await store.listSessions({ owner })).sessions.map(({ id }) => id)
}

/** All pages of a list; `between` runs after each page but the last. */
async function pagesOf(
  store: FullStore,
  { owner, limit }: { owner: string; limit: number },
  between: (page: number) => Promise<unknown> = async () => {},
): Promise<string[][]> {
  const pages: string[][] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<FullStore['listSessions']>> = await store.listSessions({ owner, limit, cursor })
    pages.push(page.sessions.map(({ id }) => id))
    assert.ok(page.sessions.length <= limit, `a page has at most ${limit} sessions`)
    cursor = page.cursor
    if (cursor !== null) await between(pages.length)
  } while (cursor !== null)
  return pages
}

/** What a sidebar shows, without what a store may have added to it. */
function detailsOf({ id, version, epoch, entries, owner, title, metadata, createdAt, updatedAt }: SessionInfo) {
  return { id, version, epoch, entries, owner, title, metadata, createdAt, updatedAt }
}

const numbered = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name} ${index}`)

export const ownedLists: WrittenCase[] = [
  {
    id: 'owners.4/last-written-first',
    clause: 'owners.4',
    level: 'full',
    needs: ['owners'],
    title: "an owner's list has exactly that owner's sessions, last written first, with everything a sidebar shows",
    async run({ store, again }) {
      await begin(store, 'ann', ['a', 'b', 'c', 'd'])
      await begin(store, 'bob', ['e', 'f'])
      await store.addMessages('of nobody', turns(1))
      const other = await again()
      same(await idsOf(other, 'ann'), ['d', 'c', 'b', 'a'])
      same(await idsOf(other, 'bob'), ['f', 'e'])
      const writes: [string, () => Promise<unknown>][] = [
        ['b', () => store.addMessages('b', turns(1, 2))],
        ['a', () => store.describe('a', { title: 'new title' })],
        ['c', () => store.saveSnapshot('c')],
        ['d', () => store.clear('d')],
      ]
      let expected = ['d', 'c', 'b', 'a']
      for (const [id, write] of writes) {
        await nextMoment(store)
        await write()
        expected = [id, ...expected.filter((one) => one !== id)]
        same(await idsOf(other, 'ann'), expected, `after a write to ${id}`)
      }
      const { sessions } = await other.listSessions({ owner: 'ann' })
      for (const listed of sessions) {
        const info = (await store.sessionInfo(listed.id)) as SessionInfo
        same(detailsOf(listed), detailsOf(info), `${listed.id} in the list`)
      }
      same(sessions.find(({ id }) => id === 'a')?.title, 'new title')
    },
  },
  {
    id: 'owners.4/given-away-deleted-expired',
    clause: 'owners.4',
    level: 'full',
    needs: ['owners'],
    title: "a session leaves its owner's list when given away, deleted or expired, and enters its new owner's",
    async run({ store }) {
      await begin(store, 'ann', ['given', 'deleted', 'expired', 'left', 'kept'])
      await store.describe('given', { owner: 'bob' })
      await store.deleteSession('deleted')
      await store.expire('expired', { at: 1 })
      await store.describe('left', { owner: null })
      same(await idsOf(store, 'ann'), ['kept'])
      same(await idsOf(store, 'bob'), ['given'])
      await nextMoment(store)
      await store.addMessages('expired', turns(1), { owner: 'carol' })
      await store.addMessages('deleted', turns(1))
      await store.describe('left', { owner: 'ann' })
      same(await idsOf(store, 'ann'), ['left', 'kept'])
      same(await idsOf(store, 'carol'), ['expired'])
      await store.addMessages('given', turns(1, 2), { owner: 'ann' })
      same(await idsOf(store, 'bob'), ['given'], 'a write to it does not give it back')
    },
  },
  {
    id: 'owners.4/page-by-page',
    clause: 'owners.4',
    level: 'full',
    needs: ['owners', 'codes'],
    title: "pages of any size list each of an owner's sessions once; one written meanwhile moves to the front",
    async run({ store }) {
      const ids = numbered('s', 23)
      await Promise.all(ids.map((id) => store.addMessages(id, turns(1), { owner: 'ann' })))
      await Promise.all(numbered('other', 9).map((id) => store.addMessages(id, turns(1), { owner: 'bob' })))
      const whole = await idsOf(store, 'ann')
      same(new Set(whole), new Set(ids))
      same(whole.length, ids.length)
      for (const limit of [1, 5, 22, 23, 24]) {
        const pages = await pagesOf(store, { owner: 'ann', limit })
        same(pages.flat(), whole, `pages of ${limit}`)
        same(pages.length, Math.ceil(23 / limit), `as many pages of ${limit} as it takes`)
      }
      await nextMoment(store)
      const late = whole[20] ?? ''
      const pages = await pagesOf(store, { owner: 'ann', limit: 5 }, async (page) => {
        if (page === 1) await store.addMessages(late, turns(1, 2))
      })
      same(
        pages.flat(),
        whole.filter((id) => id !== late),
        'no other session is missing or comes twice',
      )
      same(await idsOf(store, 'ann'), [late, ...whole.filter((id) => id !== late)])
      const refused = { name: 'TypeError', code: 'INVALID_ARGUMENT' }
      await assert.rejects(store.listSessions({ owner: '' }), refused)
      for (const cursor of ['x', '', '{}', '[1,2]', '["1","a"]', '[1.5,"a"]']) {
        await assert.rejects(store.listSessions({ owner: 'ann', cursor }), refused, cursor)
      }
    },
  },
  {
    id: 'owners.5/every-session-of-the-owner',
    clause: 'owners.5',
    level: 'full',
    needs: ['owners'],
    title: "deleteSessions erases and counts every session of the owner, and leaves everyone else's",
    async run({ store, again }) {
      const ids = numbered('s', 150)
      await Promise.all(ids.map((id) => store.addMessages(id, turns(2), { owner: 'ann' })))
      const others = { 'of bob': 'bob', 'of ann2': 'ann2', 'of Ann': 'Ann' }
      for (const [id, owner] of Object.entries(others)) await store.addMessages(id, turns(2), { owner })
      await store.addMessages('ann', turns(2))
      await store.saveSnapshot('s 1', { id: 'p' })
      await store.clear('s 1')
      await store.addMessages('expired', turns(2), { owner: 'ann' })
      await store.expire('expired', { at: Date.now() - 3_600_000 })
      await store.describe('s 0', { owner: 'bob' })
      const other = await again()
      assert.equal(await other.deleteSessions({ owner: 'ann' }), 149)
      same(await store.listSessions({ owner: 'ann' }), { sessions: [], damaged: [], cursor: null })
      const left = (await store.listSessions()).sessions.map(({ id }) => id)
      same(new Set(left), new Set(['ann', 'of Ann', 'of ann2', 'of bob', 's 0']))
      for (const id of left) same(await store.getHistory(id), turns(2), `${id} is what it was`)
      same((await store.stats()).sweepable, { entries: 0, bytes: 0 }, 'nothing is left to sweep')
      same((await store.verify()).damage, [])
      assert.equal(await store.deleteSessions({ owner: 'ann' }), 0)
      assert.equal(await store.deleteSessions({ owner: 'nobody' }), 0)
      await store.addMessages('s 1', turns(1), { owner: 'ann' })
      same(await store.listSnapshots('s 1'), [], 'a session begun again has nothing of the old one')
      assert.equal(await store.deleteSessions({ owner: 'ann' }), 1)
    },
  },
]
