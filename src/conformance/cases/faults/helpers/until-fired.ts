import type { FaultyBackend } from '../../../../faults/faulty.ts'
import { NotInTime, patience } from '../../helpers/patience.ts'

export interface Tried {
  readonly backend: FaultyBackend
  readonly about: string
  /** Whether the store works again. */
  readonly isBack: boolean
}

/**
 * Repeats until the planned faults have fired and the store works again; fails if that never happens. On a slow machine a call may end by its
 * deadline before the planned one is made, or before it is done: it is then tried with a longer one.
 */
export async function untilFired(attempt: (timeout: number) => Promise<Tried>): Promise<void> {
  const longest = Math.max(10_000, patience())
  for (const timeout of [100, 1000, longest]) {
    const { backend, about, isBack } = await attempt(timeout)
    const hasFired = backend.pending.length === 0
    if (hasFired && isBack) return
    if (timeout !== longest) continue
    throw new NotInTime(
      hasFired
        ? `${about}: the store does not work again though the fault is gone`
        : `${about}: the planned fault never fired`,
    )
  }
}
