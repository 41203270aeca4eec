import { after } from '../../../../plain/after.ts'
import type { FullStore } from '../../../case.ts'
import { patience } from '../../helpers/patience.ts'
import { failureOf } from './outcome-of.ts'

/** Whether the store accepts a write soon after the fault is gone. */
export async function worksAgain(store: FullStore, about: string): Promise<boolean> {
  const write = () => store.addMessages('afterwards', [{ role: 'user', content: about }])
  const started = performance.now()
  while ((await failureOf(write(), about)) !== null) {
    if (performance.now() - started > patience() / 2) return false
    await after(10).promise
  }
  return true
}
