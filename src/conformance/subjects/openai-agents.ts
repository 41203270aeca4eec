import type { ChatMessage, ContentPart, ToolCall } from '../../core/entries.ts'
import { type ConversationStore, isRecord, keptUnder } from './conversation-store.ts'

/** `Session` of `@openai/agents-core`, as far as it is used here. */
export interface AgentsSession {
  getItems(): Promise<readonly object[]>
  addItems(items: AgentsItem[]): Promise<void>
  clearSession(): Promise<void>
}

/** The items of a session that a message is made of: `AgentInputItem` of `@openai/agents-core`, as far as they are written here. */
export type AgentsItem = { id?: string; providerData?: Record<string, unknown> } & (
  | { type: 'message'; role: 'system' | 'user'; content: string }
  | { type: 'message'; role: 'assistant'; status: 'completed'; content: { type: 'output_text'; text: string }[] }
  | { type: 'function_call'; callId: string; name: string; arguments: string }
  | { type: 'function_call_result'; callId: string; name: string; status: 'completed'; output: string }
)

/**
 * Makes sessions of OpenAI's Agents SDK provable: `sessionOf` gives the session of an id.
 *
 * A message is one item, and one more for each tool call after it. Role, text, id, tool calls with arguments of text, the id that a result
 * answers and the name of its tool go where the SDK has them. The rest is kept in `providerData`: metadata, names, fields that are not
 * known, content that is `null` or in parts (apart from its text), and tool calls whose arguments are no text or that have more fields. Nothing
 * is copied that need not be, so that it is the session which keeps values apart from those given and returned, or does not.
 */
export function agentsSession(sessionOf: (sessionId: string) => AgentsSession): ConversationStore {
  return {
    async addMessages(sessionId, messages) {
      await sessionOf(sessionId).addItems(messages.flatMap(toItems))
    },
    async getHistory(sessionId) {
      return fromItems(await sessionOf(sessionId).getItems())
    },
    async clear(sessionId) {
      await sessionOf(sessionId).clearSession()
    },
  }
}

function toItems(message: ChatMessage): AgentsItem[] {
  const { role, content, id, name, toolCalls, toolCallId, ...rest } = message
  const text = textOf(content)
  const shared = {
    ...(id !== undefined && { id }),
    ...keep({
      ...rest,
      ...(typeof content !== 'string' && { content }),
      ...(name !== undefined && (role !== 'tool' || name === '') && { name }),
      ...(toolCalls !== undefined && (role !== 'assistant' || toolCalls.length === 0) && { toolCalls }),
      ...(toolCallId !== undefined && role !== 'tool' && { toolCallId }),
    }),
  }
  switch (role) {
    case 'system':
    case 'user':
      return [{ type: 'message', role, content: text, ...shared }]
    case 'assistant': {
      const parts = text === '' ? [] : [{ type: 'output_text' as const, text }]
      const calls = (toolCalls ?? []).map(toFunctionCall)
      return [{ type: 'message', role, status: 'completed', content: parts, ...shared }, ...calls]
    }
    case 'tool': {
      const names = { callId: toolCallId ?? '', name: name ?? '' }
      return [{ type: 'function_call_result', ...names, status: 'completed', output: text, ...shared }]
    }
    default:
      throw new TypeError(`the Agents SDK has no item of the role ${JSON.stringify(role)}`)
  }
}

function toFunctionCall(call: ToolCall): AgentsItem {
  const { id: callId, name, arguments: given, ...more } = call
  const native = { type: 'function_call' as const, callId, name }
  if (typeof given === 'string' && Object.keys(more).length === 0) return { ...native, arguments: given }
  return { ...native, arguments: JSON.stringify(given) ?? '', ...keep({ call }) }
}

function keep(kept: Record<string, unknown>): { providerData?: Record<string, unknown> } {
  return Object.keys(kept).length === 0 ? {} : { providerData: { [keptUnder]: kept } }
}

/** An item of any kind and writer. */
type Item = Partial<Record<string, unknown>>

function fromItems(items: readonly object[]): ChatMessage[] {
  const messages: ChatMessage[] = []
  for (const item of items as readonly Item[]) {
    if (item['type'] !== 'function_call') {
      messages.push(fromItem(item))
      continue
    }
    const last = messages.at(-1)
    const asking = last?.role === 'assistant' ? last : { role: 'assistant' as const, content: null }
    if (asking !== last) messages.push(asking)
    asking.toolCalls = [...(asking.toolCalls ?? []), fromFunctionCall(item)]
  }
  return messages
}

function fromItem(item: Item): ChatMessage {
  const { type = 'message', id, role, content, callId, name, output, providerData } = item
  const shared = { ...(typeof id === 'string' && { id }), ...keptIn(providerData) }
  if (type === 'function_call_result') {
    const names = { ...(callId !== '' && { toolCallId: String(callId) }), ...(name !== '' && { name: String(name) }) }
    return { role: 'tool', content: contentOf(output), ...names, ...shared }
  }
  if (type !== 'message') throw new TypeError(`an item of the type ${String(type)} is not a message`)
  return { role: role as ChatMessage['role'], content: contentOf(content), ...shared }
}

function fromFunctionCall({ callId, name, arguments: text, providerData }: Item): ToolCall {
  const { call } = keptIn(providerData)
  return (call as ToolCall | undefined) ?? { id: String(callId), name: String(name), arguments: text }
}

function keptIn(providerData: unknown): Record<string, unknown> {
  const kept = isRecord(providerData) ? providerData[keptUnder] : undefined
  return isRecord(kept) ? kept : {}
}

function textOf(content: ChatMessage['content']): string {
  if (typeof content === 'string') return content
  return (content ?? []).map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : '')).join('')
}

/** What an assistant said comes as a list, the one text of it as text. */
function contentOf(content: unknown): ChatMessage['content'] {
  if (!Array.isArray(content)) return String(content)
  const parts = content as ContentPart[]
  if (parts.length === 0) return ''
  const [{ type, text } = { type: '' }] = parts
  return parts.length === 1 && type === 'output_text' && typeof text === 'string' ? text : parts
}
