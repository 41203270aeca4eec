import { fingerprint } from '../helpers/fingerprint.ts'
import { restoreParts } from './restore-parts.ts'

/** The part of a `UIMessage` that is the same in every version of the AI SDK. */
export interface UIMessageShape {
  id: string
  role: 'system' | 'user' | 'assistant'
  metadata?: unknown
  parts: readonly unknown[]
}

/** An item of the history as a UI message: a message that was saved, or what stands in for turns. */
export function toUIMessage<Message extends UIMessageShape>(item: object, seq: number | undefined): Message {
  if ('parts' in item && Array.isArray(item.parts)) return restoreParts(item as Message)
  const { role, content } = item as { role?: unknown; content?: unknown }
  const parts = [{ type: 'text', text: typeof content === 'string' ? content : JSON.stringify(content ?? '') }]
  return { id: `summary-${seq}`, role: role === 'user' ? 'user' : 'system', parts } as UIMessageShape as Message
}

/** What tells whether a message of a chat is still the same. */
export function printOf(message: object, index: number): string {
  return fingerprint(message, `messages[${index}]`)
}
