import { SessionNotFoundError } from '../../core/errors.ts'
import type { MemoryStore } from '../../core/memory-store.ts'
import type { SessionInfo } from '../../core/types.ts'

/** Reading a missing session gives an empty one; for a person it is a misspelled name. */
export async function findSession(memory: MemoryStore, session: string): Promise<SessionInfo> {
  const info = await memory.sessionInfo(session)
  if (info === null) throw new SessionNotFoundError(session)
  return info
}

/** All sessions; those whose state is lost have no `info`. */
export async function* allSessions(memory: MemoryStore): AsyncGenerator<{ id: string; info: SessionInfo | null }> {
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<MemoryStore['listSessions']>> = await memory.listSessions({ cursor })
    for (const info of page.sessions) yield { id: info.id, info }
    for (const id of page.damaged) yield { id, info: null }
    cursor = page.cursor
  } while (cursor !== null)
}
