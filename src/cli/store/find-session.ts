import { SessionNotFoundError } from '../../core/errors.ts'
import type { MemoryStore } from '../../core/memory-store.ts'
import type { SessionInfo } from '../../core/types.ts'

/** Reading a missing session gives an empty one; for a person it is a misspelled name. */
export async function findSession(memory: MemoryStore, session: string): Promise<SessionInfo> {
  const info = await memory.sessionInfo(session)
  if (info === null) throw new SessionNotFoundError(session)
  return info
}

/** All sessions, or those of an owner, most recently written first; those with lost state have no `info`. */
export async function* allSessions(
  memory: MemoryStore,
  owner?: string,
): AsyncGenerator<{ id: string; info: SessionInfo | null }> {
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<MemoryStore['listSessions']>> = await memory.listSessions({ owner, cursor })
    for (const info of page.sessions) yield { id: info.id, info }
    for (const id of page.damaged) yield { id, info: null }
    cursor = page.cursor
  } while (cursor !== null)
}

/** The ids of all sessions, or of an owner's. An owner's list is read again until no session has moved to its front unseen. */
export async function sessionIds(memory: MemoryStore, { owner }: { owner?: string | undefined }): Promise<string[]> {
  const ids = new Set<string>()
  for (let known = -1; known < ids.size; ) {
    known = ids.size
    for await (const { id } of allSessions(memory, owner)) ids.add(id)
    if (owner === undefined) break
  }
  return [...ids]
}
