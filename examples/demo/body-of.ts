import type { ChatMessage, Entry, MemoryRecord, Summary, ToolCallRecord } from 'unforget'

/** What was given to be remembered, without where and when that was. */
export function bodyOf(entry: Entry): ChatMessage | ToolCallRecord | Summary | MemoryRecord {
  if (entry.kind === 'message') return entry.message
  if (entry.kind === 'record') return entry.record
  return entry.kind === 'toolCall' ? entry.toolCall : entry.summary
}
