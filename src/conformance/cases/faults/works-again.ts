import assert from 'node:assert/strict'
import type { FullStore } from '../../case.ts'
import { failureOf } from './outcome-of.ts'

/** The fault is gone: the store must take a write. A machine may be too slow for the short deadline now and then. */
export async function worksAgain(store: FullStore, about: string): Promise<void> {
  const write = () => store.addMessages('afterwards', [{ role: 'user', content: about }])
  for (let attempt = 1; (await failureOf(write(), about)) !== null; attempt++) {
    assert.ok(attempt < 30, `${about}: the store does not work again though the fault is gone`)
  }
}
