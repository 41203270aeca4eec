import type { ChatMessage } from '../../core/entries.ts'

/** The part of a store that the peers have: conversations that are added to, read and cleared. What else the kit asks for is not offered. */
export interface ConversationStore {
  addMessages(sessionId: string, messages: readonly ChatMessage[]): Promise<void>
  getHistory(sessionId: string): Promise<ChatMessage[]>
  clear(sessionId: string): Promise<void>
}

/** Where a peer's message has room for fields of others, what it has no field for is kept under this name. */
export const keptUnder = 'unforget'

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
