import type { SessionCopy } from '../../core/backend.ts'
import { MemoryLostError, SessionNotFoundError } from '../../core/errors.ts'
import type { MemoryStore } from '../../core/memory-store.ts'

/** A session whole; `null` if there is none any more, or if it is damaged, which is noted. */
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
