import type { ChatMessage, Entry } from '../../core/entries.ts'
import { describeRanges } from '../../core/path.ts'
import { visibleJson } from '../terminal/visible-json.ts'

export interface Described {
  /** Who speaks, or what it is. */
  readonly title: string
  /** The text to show; may have several lines. */
  readonly text: string
}

export function describeEntry(entry: Entry): Described {
  switch (entry.kind) {
    case 'message':
      return describeMessage(entry.message)
    case 'toolCall': {
      const { name, arguments: given, result, error } = entry.toolCall
      const outcome =
        error !== undefined ? `failed: ${asText(error)}` : result !== undefined ? `= ${asText(result)}` : ''
      return { title: 'tool call', text: `${name}(${asText(given ?? '')}) ${outcome}`.trimEnd() }
    }
    case 'record': {
      const { type, ...rest } = entry.record
      return { title: `record (${type})`, text: asText(rest) }
    }
    case 'summary': {
      const { text, covers } = entry.summary
      const of = covers && covers.length > 0 ? ` of ${describeRanges(covers)}` : ''
      return { title: `summary${of}`, text }
    }
  }
}

function describeMessage({ role, name, content, toolCalls, toolCallId }: ChatMessage): Described {
  const parts = typeof content === 'string' ? [content] : (content ?? []).map(describePart)
  const calls = (toolCalls ?? []).map((call) => `calls ${call.name}(${asText(call.arguments ?? '')})`)
  const about = [name, toolCallId && `answers ${toolCallId}`].filter(Boolean)
  return {
    title: about.length === 0 ? role : `${role} (${about.join(', ')})`,
    text: [...parts, ...calls].join('\n'),
  }
}

function describePart(part: { type: string; [field: string]: unknown }): string {
  return typeof part['text'] === 'string' ? part['text'] : `[${part.type}]`
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : visibleJson(value)
}
