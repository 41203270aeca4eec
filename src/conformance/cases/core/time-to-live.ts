import assert from 'node:assert/strict'
import { after } from '../../../plain/after.ts'
import type { CaseContext, FullStore } from '../../case.ts'
import { graceOfExpiry } from '../helpers/grace-of-expiry.ts'
import { same } from '../helpers/same.ts'
import { texts, turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

const core = { level: 'core', needs: ['ttl'] } as const

type Open = CaseContext['open']

export const timeToLive: WrittenCase[] = [
  {
    ...core,
    id: 'ttl.2/an-expired-session-is-absent',
    clause: 'ttl.2',
    title: 'a session exists until its time to live ends, and then it is gone for every handle',
    async run({ open, again }) {
      const { store, ttl } = await stillThere(open, 40)
      const other = await again(store)
      await store.addMessages('unread', turns(2))
      await store.addMessages('last', turns(1))
      await absent(other, 's', ttl + graceOfExpiry)
      await absent(other, 'last', ttl + graceOfExpiry)
      await beginsAgain(store, other, 'unread', ttl)
      same(await store.getHistory('s'), [])
      await beginsAgain(store, other, 's', ttl)
    },
  },
  {
    ...core,
    id: 'ttl.1/every-write-renews-it',
    clause: 'ttl.1',
    title: 'writes keep a whole session alive, reads do not',
    async run({ open, again }) {
      await livesOnByWrites(open, again, 120)
    },
  },
]

/**
 * Keeps a session alive by writes for longer than a ttl, until one that is only read is gone. On a slow machine, where the writes come too
 * late, the ttl grows.
 */
async function livesOnByWrites(open: Open, again: CaseContext['again'], ttl: number): Promise<void> {
  const store = await open({ ttl })
  const handles = [store, await again(store)]
  let count = 2
  await store.addMessages('read', turns(2))
  let last = performance.now()
  await store.addMessages('written', turns(2))
  const started = performance.now()
  for (let round = 1, gone = false; !gone || performance.now() - started < ttl * 1.4; round++) {
    const before = performance.now()
    await handles[round % 2]?.addMessages('written', turns(1, count + 1))
    gone = (await store.getHistory('read')).length === 0
    const history = await store.getHistory('written')
    if (performance.now() - last >= ttl) return livesOnByWrites(open, again, ttl * 4)
    count += 1
    same(texts(history), texts(turns(count)), 'a session that is written to in time is whole')
    const waited = before - started
    assert.ok(
      gone || waited < ttl + graceOfExpiry,
      `only read, and still there ${Math.round(waited)} ms after it was written`,
    )
    last = before
    await after(ttl / 10).promise
  }
  await absent(store, 'written', ttl + graceOfExpiry)
}

/** A store with a ttl just long enough to see the session before it expires. On a slow machine the ttl grows until it is. */
async function stillThere(open: Open, ttl: number): Promise<{ store: FullStore; ttl: number }> {
  const store = await open({ ttl })
  const before = performance.now()
  await store.addMessages('s', turns(3))
  const history = await store.getHistory('s')
  if (performance.now() - before >= ttl) return stillThere(open, ttl * 4)
  same(history, turns(3), 'a session is there before its time to live is over')
  return { store, ttl }
}

/** A session that starts over has nothing of the old one, even if nobody has read it since it expired. */
async function beginsAgain(writer: FullStore, reader: FullStore, id: string, ttl: number): Promise<void> {
  const before = performance.now()
  await writer.addMessages(id, turns(1, 9))
  const history = await reader.getHistory(id)
  const isOver = history.length === 0 && performance.now() - before >= ttl
  same(texts(history), isOver ? [] : ['turn 9'], `"${id}", begun again after its end`)
}

async function absent(store: FullStore, id: string, within: number): Promise<void> {
  const started = performance.now()
  for (;;) {
    const asked = performance.now() - started
    if ((await store.getHistory(id)).length === 0) return
    assert.ok(asked < within, `session "${id}" is still there ${Math.round(asked)} ms after it was written`)
    await after(5).promise
  }
}
