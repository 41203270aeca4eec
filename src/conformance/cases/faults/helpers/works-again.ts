import { setTimeout as pause } from 'node:timers/promises'
import type { FullStore } from '../../../case.ts'
import { failureOf } from './outcome-of.ts'

/** Time for a store to reconnect, in milliseconds. */
const patience = 4000

/** Whether the store accepts a write soon after the fault is gone. */
export async function worksAgain(store: FullStore, about: string): Promise<boolean> {
  const write = () => store.addMessages('afterwards', [{ role: 'user', content: about }])
  const started = performance.now()
  while ((await failureOf(write(), about)) !== null) {
    if (performance.now() - started > patience) return false
    await pause(10)
  }
  return true
}
