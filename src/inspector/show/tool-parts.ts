import { fieldsOf } from './fields-of.ts'
import { mediaOf } from './media-of.ts'
import type { Fields, Part } from './part.ts'
import { resultOf } from './result-of.ts'
import { toText } from './to-text.ts'

/** An item of OpenAI's Responses API or Agents SDK; `null` if it is neither a call nor the result of one. */
export function itemParts(type: string, item: Fields): Part[] | null {
  const id = idOf(item['call_id'] ?? item['callId'] ?? item['id'])
  if (type.endsWith('_call_output') || type.endsWith('_call_result')) {
    return [resultOf(item['output'], { id, label: nameOf(item) })]
  }
  if (!type.endsWith('_call')) return null
  const given = ['arguments', 'action', 'input', 'operation', 'code', 'queries'].find((name) => item[name] != null)
  const call: Part = { kind: 'call', label: nameOf(item) ?? type, id, text: toText(given && item[given]) }
  const { output, outputs, results, result, error } = item
  if (error != null) return [call, resultOf(error, { id, failed: true })]
  if (type === 'image_generation_call' && result != null) {
    const format = item['output_format']
    const image = mediaOf('image', { data: result, ...(typeof format === 'string' && { format: `image/${format}` }) })
    return image === null ? [call] : [call, image]
  }
  const returned = output ?? outputs ?? results
  return returned == null ? [call] : [call, resultOf(returned, { id })]
}

/** Of Anthropic (`tool_use`), of the AI SDK (`tool-call`, `tool-…`) or of Gemini (`functionCall`). */
export function toolParts(type: string, part: Fields): Part[] | null {
  const [asked] = fieldsOf([part['functionCall']])
  if (asked !== undefined) return [callPart(asked)]
  const [response] = fieldsOf([part['functionResponse']])
  if (response !== undefined) {
    return [resultOf(response['response'], { id: idOf(response['id']), label: nameOf(response) })]
  }
  if (type.endsWith('tool_use')) return [callPart(part)]
  if (type.endsWith('tool_result')) {
    return [resultOf(part['content'], { id: idOf(part['tool_use_id']), failed: part['is_error'] === true })]
  }
  const isApproval = type.startsWith('tool-approval-') && part['approvalId'] !== undefined
  return isApproval || (!type.startsWith('tool-') && type !== 'dynamic-tool') ? null : aiToolParts(type, part)
}

/** A part of a UI message holds the call and what came of it. */
function aiToolParts(type: string, part: Fields): Part[] {
  const [id, label] = [idOf(part['toolCallId']), nameOf(part) ?? type.slice('tool-'.length)]
  const output = part['output'] ?? part['result']
  if (type === 'tool-result') return [resultOf(output, { id, label })]
  const call: Part = { kind: 'call', label, id, text: toText(part['input'] ?? part['rawInput'] ?? part['args']) }
  if (typeof part['errorText'] === 'string') return [call, resultOf(part['errorText'], { id, failed: true })]
  if (part['state'] === 'output-denied') {
    const [{ reason } = {}] = fieldsOf([part['approval']])
    return [call, resultOf({ type: 'execution-denied', reason }, { id })]
  }
  return output === undefined ? [call] : [call, resultOf(output, { id })]
}

export function callPart(call: Fields): Part {
  const [inner = call] = fieldsOf([call['function'] ?? call['custom']])
  const given = inner['arguments'] ?? inner['input'] ?? inner['args']
  return { kind: 'call', label: nameOf(inner), id: idOf(call['id']), text: toText(given) }
}

export function idOf(id: unknown): string | null {
  return typeof id === 'string' ? id : null
}

function nameOf(fields: Fields): string | null {
  const name = fields['name'] ?? fields['toolName']
  return typeof name === 'string' ? name : null
}
