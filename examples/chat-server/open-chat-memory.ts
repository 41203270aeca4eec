import { type MemoryStore, openMemory, type Summary } from 'unforget'
import type { ChatMessage } from './chat-message.ts'

export type ChatMemory = MemoryStore<ChatMessage, ChatMessage>

/** Opens the memory that all workers share. Messages go in and come out as the AI SDK's `UIMessage`. */
export function openChatMemory(url: string): Promise<ChatMemory> {
  return openMemory<ChatMessage>(url, { summaryMessage })
}

function summaryMessage({ text, covers, metadata }: Summary): ChatMessage {
  const upTo = covers?.at(-1)?.[1] ?? 0
  const snapshot = String(metadata?.['snapshot'] ?? '')
  return {
    id: `summary-${upTo}`,
    role: 'system',
    metadata: { parent: '', earlier: { snapshot, upTo } },
    parts: [{ type: 'text', text }],
  }
}
