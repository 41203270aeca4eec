import type { ChatMessage } from '../../core/entries.ts'

/** The part of a store that peers have: adding to conversations, reading and clearing them. Everything else is not offered. */
export interface ConversationStore {
  addMessages(sessionId: string, messages: readonly ChatMessage[]): Promise<void>
  getHistory(sessionId: string): Promise<ChatMessage[]>
  clear(sessionId: string): Promise<void>
}

/** If a peer's messages can carry foreign fields, what they have no field for is kept under this name. */
export const keptUnder = 'unforget'

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
