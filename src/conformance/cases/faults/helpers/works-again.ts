import { setTimeout as pause } from 'node:timers/promises'
import type { FullStore } from '../../../case.ts'
import { failureOf } from './outcome-of.ts'

/** So many milliseconds a store may take to connect anew. */
const patience = 4000

/** The fault is gone: whether the store takes a write before long. */
export async function worksAgain(store: FullStore, about: string): Promise<boolean> {
  const write = () => store.addMessages('afterwards', [{ role: 'user', content: about }])
  const started = performance.now()
  while ((await failureOf(write(), about)) !== null) {
    if (performance.now() - started > patience) return false
    await pause(10)
  }
  return true
}
