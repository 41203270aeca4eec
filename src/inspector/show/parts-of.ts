import type { Entry } from '../../core/entries.ts'
import { fieldsOf } from './fields-of.ts'
import { mediaOf } from './media-of.ts'
import type { Fields, Part } from './part.ts'
import { resultOf } from './result-of.ts'
import { toJson, toText } from './to-text.ts'
import { callPart, idOf, itemParts, toolParts } from './tool-parts.ts'

/** An entry as parts that can be shown, whatever SDK its message is of. */
export function partsOf(entry: Entry): Part[] {
  switch (entry.kind) {
    case 'message':
      return nameCalls(messageParts(entry.message as Fields))
    case 'toolCall': {
      const { id, name, arguments: given, result, error } = entry.toolCall
      const call: Part = { kind: 'call', label: name, id, text: toText(given) }
      if (error !== undefined) return [call, { kind: 'result', id, text: toText(error), failed: true }]
      return result === undefined ? [call] : [call, { kind: 'result', id, text: toText(result) }]
    }
    case 'record': {
      const { type: _, ...rest } = entry.record
      return [{ kind: 'other', text: toJson(rest, 2) }]
    }
    case 'summary':
      return [{ kind: 'text', text: entry.summary.text }]
  }
}

function messageParts(message: Fields): Part[] {
  const { type, content, parts, toolCalls, tool_calls, refusal, summary } = message
  const item = typeof type === 'string' ? itemParts(type, message) : null
  if (item !== null) return item
  const answered = idOf(message['toolCallId'] ?? message['tool_call_id'])
  if (answered !== null) return [resultOf(content ?? parts, { id: answered })]
  const calls = [...fieldsOf(toolCalls), ...fieldsOf(tool_calls)].map(callPart)
  const thought = type === 'reasoning' ? contentParts(summary).map((part) => ({ ...part, label: 'reasoning' })) : []
  const refused: Part[] = typeof refusal === 'string' ? [{ kind: 'text', label: 'refusal', text: refusal }] : []
  const all = [...thought, ...contentParts(content ?? parts), ...refused, ...calls]
  return all.length > 0 || content === null || content === '' ? all : [{ kind: 'other', text: toJson(message, 2) }]
}

/** Gemini's calls need no ids: the first result of a tool answers the first call of it in the message before. */
function nameCalls(parts: Part[]): Part[] {
  const counts = new Map<string, number>()
  return parts.map((part) => {
    if (part.id || !part.label || (part.kind !== 'call' && part.kind !== 'result')) return part
    const key = `${part.kind} ${part.label}`
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return { ...part, id: `${part.label} ${count}` }
  })
}

function contentParts(content: unknown): Part[] {
  if (content === null || content === undefined || content === '') return []
  return Array.isArray(content) ? content.flatMap(contentPart) : [{ kind: 'text', text: toText(content) }]
}

function contentPart(part: unknown): Part[] {
  if (typeof part !== 'object' || part === null) return [{ kind: 'text', text: toText(part) }]
  const fields = part as Fields
  const type = typeof fields['type'] === 'string' ? fields['type'] : null
  if (type === 'step-start') return []
  const label = fields['thought'] === true ? 'thought' : type === null || type.endsWith('text') ? null : type
  const text = [fields['text'], fields['thinking'], fields['refusal']].find((one) => typeof one === 'string')
  if (typeof text === 'string') return [{ kind: 'text', label, text }]
  const tool = toolParts(type ?? '', fields)
  if (tool !== null) return tool
  return [mediaOf(type ?? '', fields) ?? { kind: 'other', label: type, text: toJson(part, 2) }]
}
