import type { ChatMemory } from './open-chat-memory.ts'

/** The sessions of an owner, the last written first, a page at a time. */
export async function readSidebar(memory: ChatMemory, owner: string, cursor: string | null) {
  const page = await memory.listSessions({ owner, limit: 30, cursor })
  const sessions = page.sessions.map(({ id, title, updatedAt }) => ({ id, title, updatedAt }))
  return { sessions, cursor: page.cursor }
}
