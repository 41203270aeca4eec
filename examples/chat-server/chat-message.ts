import type { UIMessage } from 'ai'
import type { Tools } from './tools.ts'

export interface ChatMetadata {
  /** The id of the message before it. All alternatives at one place have the same. */
  readonly parent: string
  /** The process that made it. */
  readonly worker?: number
  /** On a summary: the snapshot that reads the messages it replaces, and the seq of the last of them. */
  readonly earlier?: { readonly snapshot: string; readonly upTo: number }
}

/** The AI SDK's own type, with the metadata and the tools of this server. */
export type ChatMessage = UIMessage<ChatMetadata, Record<string, never>, Tools>

/** The parent of a message that has none before it. */
export const start = 'start'

export function textOf(message: ChatMessage): string {
  return message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}
