import type { Entry } from '../../core/entries.ts'
import { mediaOf } from './media-of.ts'
import type { Fields, Part } from './part.ts'

/** An entry as parts that can be shown, whatever SDK its message is of. */
export function partsOf(entry: Entry): Part[] {
  switch (entry.kind) {
    case 'message':
      return messageParts(entry.message as Fields)
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
  const { type, content, parts, toolCalls, tool_calls } = message
  const item = typeof type === 'string' ? itemPart(type, message) : null
  if (item !== null) return [item]
  const answered = idOf(message['toolCallId'] ?? message['tool_call_id'])
  const said = contentParts(content ?? parts)
  const shown = answered === null ? said : said.map((part): Part => ({ ...part, kind: 'result', id: answered }))
  const calls = [...fieldsOf(toolCalls), ...fieldsOf(tool_calls)].map(callPart)
  const all = [...shown, ...calls]
  return all.length > 0 || content === null || content === '' ? all : [{ kind: 'other', text: toJson(message, 2) }]
}

/** An item of OpenAI's Responses API or Agents SDK. */
function itemPart(type: string, item: Fields): Part | null {
  const id = idOf(item['call_id'] ?? item['callId'])
  if (type.endsWith('_call')) {
    return { kind: 'call', label: nameOf(item) ?? type, id, text: toText(item['arguments'] ?? item['action']) }
  }
  if (type.endsWith('_call_output') || type.endsWith('_call_result')) {
    return { kind: 'result', label: nameOf(item), id, text: toText(item['output']) }
  }
  return null
}

function contentParts(content: unknown): Part[] {
  if (content === null || content === undefined || content === '') return []
  return Array.isArray(content) ? content.map(contentPart) : [{ kind: 'text', text: toText(content) }]
}

function contentPart(part: unknown): Part {
  if (typeof part !== 'object' || part === null) return { kind: 'text', text: toText(part) }
  const fields = part as Fields
  const { text, thinking } = fields
  const type = typeof fields['type'] === 'string' ? fields['type'] : null
  const label = type === null || type.endsWith('text') ? null : type
  if (typeof text === 'string') return { kind: 'text', label, text }
  if (typeof thinking === 'string') return { kind: 'text', label, text: thinking }
  const media = mediaOf(type ?? '', fields)
  return media ?? toolPart(type ?? '', fields) ?? { kind: 'other', label: type, text: toJson(part, 2) }
}

/** Of Anthropic (`tool_use`), of the AI SDK (`tool-call`, `tool-…`) or of Gemini (`functionCall`). */
function toolPart(type: string, part: Fields): Part | null {
  const { functionCall, functionResponse } = part
  const [asked] = fieldsOf([functionCall])
  if (asked !== undefined) return callPart(asked)
  const [response] = fieldsOf([functionResponse])
  if (response !== undefined) {
    return { kind: 'result', label: nameOf(response), id: idOf(response['id']), text: toText(response['response']) }
  }
  if (type.endsWith('tool_use')) return callPart(part)
  if (type.endsWith('tool_result')) {
    const text = toText(part['content'])
    return { kind: 'result', id: idOf(part['tool_use_id']), text, failed: part['is_error'] === true }
  }
  if (!type.startsWith('tool-') && type !== 'dynamic-tool') return null
  const [id, label] = [idOf(part['toolCallId']), nameOf(part) ?? type.slice('tool-'.length)]
  const output = part['output'] ?? part['result']
  if (type === 'tool-result') return { kind: 'result', label, id, text: toText(output) }
  const given = toText(part['input'] ?? part['args'])
  return { kind: 'call', label, id, text: output === undefined ? given : `${given}\n→ ${toText(output)}` }
}

function callPart(call: Fields): Part {
  const [inner = call] = fieldsOf([call['function']])
  const given = inner['arguments'] ?? inner['input'] ?? inner['args']
  return { kind: 'call', label: nameOf(inner), id: idOf(call['id']), text: toText(given) }
}

function nameOf(fields: Fields): string | null {
  const name = fields['name'] ?? fields['toolName']
  return typeof name === 'string' ? name : null
}

function idOf(id: unknown): string | null {
  return typeof id === 'string' ? id : null
}

function fieldsOf(list: unknown): Fields[] {
  if (!Array.isArray(list)) return []
  return list.filter((item: unknown): item is Fields => typeof item === 'object' && item !== null)
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : toJson(value)
}

/** Bytes are written as base64, embeddings as numbers. */
export function toJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, carryBytes, indent)
}

function carryBytes(_key: string, value: unknown): unknown {
  if (value instanceof Float32Array) return Array.from(value)
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  return value instanceof ArrayBuffer ? { base64: Buffer.from(value).toString('base64') } : value
}
