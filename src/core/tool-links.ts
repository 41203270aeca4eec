import type { ChatMessage } from './entries.ts'

export interface ToolLinks {
  readonly calls: readonly string[]
  readonly answers: readonly string[]
}

const none: ToolLinks = { calls: [], answers: [] }

/**
 * The tool calls a message makes and those it answers, by id: in our own fields, in the OpenAI API's (`tool_calls`, `tool_call_id`), and in
 * content parts as Anthropic (`tool_use`, `tool_result`) and the AI SDK (`tool-call`, `tool-result`) write them.
 */
export function toolLinks(message: ChatMessage): ToolLinks {
  const { toolCalls, toolCallId, tool_calls, tool_call_id, content } = message
  const parts = Array.isArray(content) ? content : []
  if (!toolCalls && !toolCallId && !tool_calls && !tool_call_id && parts.length === 0) return none
  const calls = [...idsOf(toolCalls, 'id'), ...idsOf(tool_calls, 'id')]
  const answers = [toolCallId, tool_call_id].filter((id) => typeof id === 'string')
  for (const part of parts) {
    if (part.type === 'tool_use') calls.push(...idsOf([part], 'id'))
    if (part.type === 'tool-call') calls.push(...idsOf([part], 'toolCallId'))
    if (part.type === 'tool_result') answers.push(...idsOf([part], 'tool_use_id'))
    if (part.type === 'tool-result') answers.push(...idsOf([part], 'toolCallId'))
  }
  return { calls, answers }
}

function idsOf(items: unknown, field: string): string[] {
  if (!Array.isArray(items)) return []
  return items
    .map((item: unknown) => (typeof item === 'object' && item !== null ? Reflect.get(item, field) : undefined))
    .filter((id) => typeof id === 'string')
}
