import { after } from '../../../../plain/after.ts'
import type { CaseContext } from '../../../case.ts'
import { graceOfExpiry } from '../../helpers/grace-of-expiry.ts'
import { same } from '../../helpers/same.ts'
import { turns } from '../../helpers/samples.ts'

/**
 * Opens the memory again and again until a session in it is gone, and starts it again. On a slow machine, where the session may end before
 * it is looked at, the ttl grows.
 */
export async function endsThoughReopened(
  context: Pick<CaseContext, 'open' | 'again' | 'close'>,
  ttl: number,
): Promise<void> {
  let store = await context.open({ ttl })
  const reopen = async () => {
    await context.close(store)
    store = await context.again(store)
    return store.getHistory('s')
  }
  const written = performance.now()
  await store.addMessages('s', turns(2))
  let history = await reopen()
  if (performance.now() - written >= ttl) return endsThoughReopened(context, ttl * 4)
  same(history, turns(2), 'a session is there until its time is over')
  while (history.length > 0) {
    await after(ttl / 10).promise
    const waited = performance.now() - written
    history = await reopen()
    const isOver = waited >= ttl + graceOfExpiry
    same(history, isOver ? [] : turns(history.length > 0 ? 2 : 0), `${Math.round(waited)} ms after it was written`)
  }
  const begun = performance.now()
  await store.addMessages('s', turns(1, 9))
  history = await store.getHistory('s')
  if (performance.now() - begun >= ttl) return endsThoughReopened(context, ttl * 4)
  same(history, turns(1, 9), 'a session that starts over after it expired has nothing of the old one')
}
