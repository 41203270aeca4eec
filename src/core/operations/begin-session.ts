import type { Change, Committed } from '../backend.ts'
import type { Calls } from '../calls.ts'
import { SessionExistsError } from '../errors.ts'
import { isVersionConflict } from '../recognize-error.ts'

/** Commits a change that creates a session; throws `SessionExistsError` if it exists. */
export async function beginSession(
  calls: Calls,
  session: string,
  change: Omit<Change, 'ifVersion' | 'ifEpoch'>,
): Promise<Committed> {
  try {
    return await calls.commit(session, { ...change, ifVersion: null })
  } catch (error) {
    if (isVersionConflict(error)) throw new SessionExistsError(session)
    throw error
  }
}
