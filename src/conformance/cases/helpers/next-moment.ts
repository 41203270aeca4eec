import type { FullStore } from '../../case.ts'
import { turns } from './samples.ts'

/** Waits until the store's clock has advanced, so that what is written next has a later time. */
export async function nextMoment(store: FullStore): Promise<void> {
  await store.addMessages('clock', turns(1))
  const time = async () => (await store.sessionInfo('clock'))?.updatedAt
  const before = await time()
  for (let turn = 2; (await time()) === before; turn++) await store.addMessages('clock', turns(1, turn))
}
