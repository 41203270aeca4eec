import type { Entry, Summary, SummaryMessage } from './entries.ts'

/** Whether an entry is part of the conversation. */
export function isHistory(entry: Entry): boolean {
  return entry.kind === 'message' || (entry.kind === 'summary' && entry.standsIn)
}

/** An entry of the conversation as the caller sees it. */
export type ShowEntry<Item extends object> = (entry: Entry) => Item

/** Shows messages as they were given, and summaries as `summaryMessage` says. */
export function showWith(summaryMessage: (summary: Summary) => object = toSummaryMessage): ShowEntry<object> {
  return (entry) => {
    if (entry.kind === 'message') return entry.message
    if (entry.kind === 'summary') return summaryMessage(entry.summary)
    throw new Error(`a ${entry.kind} is not part of the history`)
  }
}

/** Whether it comes before the conversation in what providers take. */
export function isSystem({ role }: { readonly role?: unknown }): boolean {
  return role === 'system' || role === 'developer'
}

function toSummaryMessage({ role, text }: Summary): SummaryMessage {
  return { role: role === 'user' ? 'user' : 'system', content: text }
}
