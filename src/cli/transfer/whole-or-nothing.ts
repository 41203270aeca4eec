import type { SessionCopy } from '../../core/backend.ts'
import { MemoryLostError, SessionNotFoundError } from '../../core/errors.ts'
import type { MemoryStore } from '../../core/memory-store.ts'

/** A whole session; `null` if it no longer exists, or if it is damaged, which is recorded. */
export async function wholeOrNothing(
  memory: MemoryStore,
  id: string,
  damaged: MemoryLostError[] = [],
): Promise<SessionCopy | null> {
  try {
    return await memory.exportSession(id)
  } catch (error) {
    if (error instanceof SessionNotFoundError) return null
    if (!(error instanceof MemoryLostError)) throw error
    damaged.push(error)
    return null
  }
}
