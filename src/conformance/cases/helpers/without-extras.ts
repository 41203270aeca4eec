import type { Entry, EntryInput } from '../../../core/entries.ts'

/** An entry without what a store may have added to it. */
export function withoutExtras(entry: Entry): EntryInput & { seq: number; at: number } {
  const { seq, at } = entry
  if (entry.kind === 'message') return { seq, at, kind: entry.kind, message: entry.message }
  if (entry.kind === 'toolCall') return { seq, at, kind: entry.kind, toolCall: entry.toolCall }
  if (entry.kind === 'record') return { seq, at, kind: entry.kind, record: entry.record }
  return { seq, at, kind: entry.kind, standsIn: entry.standsIn, summary: entry.summary }
}
