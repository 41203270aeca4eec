import type { ChatMessage, Entry, Summary, ToolCallRecord } from 'unforget'

/** What was given to be remembered, without where and when that was. */
export function bodyOf(entry: Entry): ChatMessage | ToolCallRecord | Summary {
  if (entry.kind === 'message') return entry.message
  return entry.kind === 'toolCall' ? entry.toolCall : entry.summary
}
