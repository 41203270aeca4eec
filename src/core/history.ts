import type { ChatMessage, Entry } from './entries.ts'

/** Whether an entry is part of the conversation. */
export function isHistory(entry: Entry): boolean {
  return entry.kind === 'message' || (entry.kind === 'summary' && entry.standsIn)
}

/** An entry of the conversation as a message. */
export function toMessage(entry: Entry): ChatMessage {
  if (entry.kind === 'message') return entry.message
  if (entry.kind === 'summary') return { role: 'system', content: entry.summary.text }
  throw new Error(`a ${entry.kind} is not part of the history`)
}
