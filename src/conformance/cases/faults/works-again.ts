import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { FullStore } from '../../case.ts'
import { failureOf } from './outcome-of.ts'

/** So many milliseconds a store may take to connect anew, on a slow machine too. */
const patience = 8000

/** The fault is gone: before long the store must take a write. */
export async function worksAgain(store: FullStore, about: string): Promise<void> {
  const write = () => store.addMessages('afterwards', [{ role: 'user', content: about }])
  const started = performance.now()
  while ((await failureOf(write(), about)) !== null) {
    const isLate = performance.now() - started > patience
    assert.ok(!isLate, `${about}: the store does not work again though the fault is gone`)
    await pause(10)
  }
}
