import assert from 'node:assert/strict'
import type { FullStore } from '../../case.ts'
import { same } from './same.ts'
import { texts, turns } from './samples.ts'

/** Enough turns that a copy takes several slices. */
export const longCopy = 3000

/**
 * Reads a session in every way while `work` creates it, and writes to another: it exists completely or not at all, and nothing is damaged. Ends
 * when `work` does, and with its result.
 */
export async function watchWhole<T>(store: FullStore, id: string, length: number, work: Promise<T>): Promise<T> {
  let isDone = false
  const ended = work.finally(() => {
    isDone = true
  })
  ended.catch(() => {})
  let written = 0
  let wasThere = false
  do {
    const isListed = (await store.listSessions()).sessions.some((session) => session.id === id)
    const info = await store.sessionInfo(id)
    const seen = (await store.getHistory(id)).length
    const isThere = seen === length
    assert.ok(seen === 0 || isThere, `a reader saw ${seen} of ${length} turns`)
    assert.ok(isThere || !isListed, 'it was listed before it was there')
    assert.ok(isThere || info === null, 'there was information about it before it was there')
    assert.ok(isThere || !wasThere, 'it was there, and then it was not')
    wasThere = isThere
    same((await store.verify()).damage, [], 'what is being written is no damage')
    written += 1
    await store.addMessages('busy', turns(1, written))
  } while (!isDone)
  const result = await ended
  same(texts(await store.getHistory('busy')), texts(turns(written)), 'what was written meanwhile')
  return result
}

/** If two create the same session at once, one succeeds, and the other gets an error. */
export async function oneWins(attempts: readonly Promise<unknown>[]): Promise<number> {
  const results = await Promise.allSettled(attempts)
  const codes = results.map((result) => (result.status === 'rejected' ? result.reason.code : 'done'))
  same([...codes].sort(), ['SESSION_EXISTS', 'done'])
  return codes.indexOf('done')
}
