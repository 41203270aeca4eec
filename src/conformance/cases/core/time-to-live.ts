import assert from 'node:assert/strict'
import { after } from '../../after.ts'
import type { Case, CaseContext, FullStore } from '../../case.ts'
import { same } from '../../same.ts'
import { texts, turns } from '../../samples.ts'

const core = { level: 'core', needs: ['addMessages', 'getHistory', 'ttl'] } as const

type Open = CaseContext['open']

/** An expired session is gone this much after its time at the latest: some stores count in seconds. */
const grace = 1500

export const timeToLive: Case[] = [
  {
    ...core,
    id: 'ttl.2/an-expired-session-is-absent',
    clause: 'ttl.2',
    title: 'a session is there until its time to live is over and gone afterwards, for every handle',
    async run({ open, again }) {
      const { store, ttl } = await stillThere(open, 40)
      const other = await again(store)
      await store.addMessages('unread', turns(2))
      await store.addMessages('last', turns(1))
      await absent(other, 's', ttl + grace)
      await absent(other, 'last', ttl + grace)
      await store.addMessages('unread', turns(1, 9))
      same(texts(await other.getHistory('unread')), ['turn 9'], 'a session that nobody read since its end')
      same(await store.getHistory('s'), [])
      await store.addMessages('s', turns(1, 9))
      same(texts(await other.getHistory('s')), ['turn 9'], 'a session begun again has nothing of the old one')
    },
  },
  {
    ...core,
    id: 'ttl.1/every-write-renews-it-and-only-that-session',
    clause: 'ttl.1',
    title: 'a session that is written to lives on as a whole, one that is only read does not',
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
    assert.ok(gone || waited < ttl + grace, `only read, and still there ${Math.round(waited)} ms after it was written`)
    last = before
    await after(ttl / 10).promise
  }
  await absent(store, 'written', ttl + grace)
}

/** A store of so short a ttl that the session in it was seen before its end. On a slow machine the ttl grows until it was. */
async function stillThere(open: Open, ttl: number): Promise<{ store: FullStore; ttl: number }> {
  const store = await open({ ttl })
  const before = performance.now()
  await store.addMessages('s', turns(3))
  const history = await store.getHistory('s')
  if (performance.now() - before >= ttl) return stillThere(open, ttl * 4)
  same(history, turns(3), 'a session is there before its time to live is over')
  return { store, ttl }
}

async function absent(store: FullStore, id: string, within: number): Promise<void> {
  const started = performance.now()
  while ((await store.getHistory(id)).length > 0) {
    assert.ok(performance.now() - started < within, `still there ${Math.round(within)} ms after it was written`)
    await after(5).promise
  }
}
