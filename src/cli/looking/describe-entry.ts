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

/** In our own fields if it has them; else its parts, or the message itself. */
function describeMessage(message: ChatMessage): Described {
  const { role, type, name, content, parts, toolCalls, toolCallId } = message as Partial<Record<string, unknown>>
  const title = String(role ?? type ?? 'message')
  const said = content ?? parts
  const calls = Array.isArray(toolCalls) ? toolCalls.map(describeCall) : []
  const about = [name, toolCallId && `answers ${toolCallId}`].filter(Boolean)
  const isEmpty = said === undefined && calls.length === 0
  return {
    title: about.length === 0 ? title : `${title} (${about.join(', ')})`,
    text: isEmpty ? asText(message) : [...describeContent(said), ...calls].join('\n'),
  }
}

function describeContent(content: unknown): string[] {
  if (content === null || content === undefined) return []
  return Array.isArray(content) ? content.map(describePart) : [asText(content)]
}

function describePart(part: unknown): string {
  if (typeof part !== 'object' || part === null) return asText(part)
  const { text, type } = part as Partial<Record<string, unknown>>
  if (typeof text === 'string') return text
  return typeof type === 'string' ? `[${type}]` : asText(part)
}

function describeCall(call: unknown): string {
  const { name, arguments: given } = Object(call) as Partial<Record<string, unknown>>
  return `calls ${String(name)}(${asText(given ?? '')})`
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : visibleJson(value)
}
