import type { FaultyBackend } from '../../../faults/faulty.ts'
import { same } from '../../same.ts'

/** On a slow machine a call may end by its deadline before the planned one is made: it is then tried with a longer one. */
const timeouts = [100, 1000, 10_000]

/** Tries something until its planned faults have fired; fails if they never do. */
export async function untilFired(
  attempt: (timeout: number) => Promise<{ backend: FaultyBackend; about: string }>,
): Promise<void> {
  for (const timeout of timeouts) {
    const { backend, about } = await attempt(timeout)
    if (backend.pending.length === 0) return
    if (timeout === timeouts.at(-1)) same(backend.pending, [], `${about}: the planned fault must have fired`)
  }
}
