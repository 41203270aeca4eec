import assert from 'node:assert/strict'
import type { FaultyBackend } from '../../../../faults/faulty.ts'
import { same } from '../../helpers/same.ts'

/** On a slow machine a call may end by its deadline before the planned one is made, or before it is done: it is then tried with a longer one. */
const timeouts = [100, 1000, 10_000]

export interface Tried {
  readonly backend: FaultyBackend
  readonly about: string
  /** Whether the store works again. */
  readonly isBack: boolean
}

/** Repeats until the planned faults have fired and the store works again; fails if that never happens. */
export async function untilFired(attempt: (timeout: number) => Promise<Tried>): Promise<void> {
  for (const timeout of timeouts) {
    const { backend, about, isBack } = await attempt(timeout)
    if (backend.pending.length === 0 && isBack) return
    if (timeout !== timeouts.at(-1)) continue
    same(backend.pending, [], `${about}: the planned fault must have fired`)
    assert.ok(isBack, `${about}: the store does not work again though the fault is gone`)
  }
}
