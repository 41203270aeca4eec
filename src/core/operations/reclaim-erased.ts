import type { Calls } from '../calls.ts'
import { publish } from '../diagnostics.ts'
import { isBackendError } from '../recognize-error.ts'

/** Removes what was erased. A failure is only published, and `sweep` will do it later. */
export async function reclaimErased(calls: Calls, session: string | null): Promise<void> {
  try {
    while (!(await calls.reclaim('erased')).done);
  } catch (error) {
    if (!isBackendError(error)) throw error
    publish('unswept', { session, error })
  }
}
