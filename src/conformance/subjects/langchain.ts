import type { ChatMessage, ToolCall } from '../../core/entries.ts'
import { type ConversationStore, isRecord, keptUnder } from './conversation-store.ts'

/** The part of `BaseMessage` of `@langchain/core` that is read here. */
export interface LangChainMessage {
  getType(): string
  readonly content: unknown
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly additional_kwargs?: Record<string, unknown> | undefined
}

/** `StoredMessage` of `@langchain/core`. Its type says that content is text, parts are carried as well. */
export interface LangChainStoredMessage {
  type: string
  data: {
    content: string
    role: string | undefined
    name: string | undefined
    tool_call_id: string | undefined
    additional_kwargs?: Record<string, unknown>
    id?: string
  }
}

/** `BaseListChatMessageHistory` of `@langchain/core`, and what is like it. */
export interface LangChainHistory<Message extends LangChainMessage> {
  getMessages(): Promise<Message[]>
  addMessage(message: Message): Promise<void>
  /** If missing, messages are added one by one, as LangChain's base class does. */
  addMessages?(messages: Message[]): Promise<void>
  clear(): Promise<void>
}

/**
 * Makes LangChain's histories provable: `historyOf` gives the history of a session, `toMessages` is LangChain's own
 * `mapStoredMessagesToChatMessages`.
 *
 * Role, content, id, name, tool calls and the id that a result answers go where LangChain has them. The rest is kept in `additional_kwargs`:
 * metadata, fields that are not known, content that is `null`, tool calls whose arguments are no object or that have more fields. Nothing
 * is copied that need not be, so that it is the history which keeps values apart from those given and returned, or does not.
 */
export function langchainHistory<Message extends LangChainMessage>(
  historyOf: (sessionId: string) => LangChainHistory<Message>,
  toMessages: (stored: LangChainStoredMessage[]) => Message[],
): ConversationStore {
  return {
    async addMessages(sessionId, messages) {
      const given = toMessages(messages.map(toStored))
      const history = historyOf(sessionId)
      if (history.addMessages !== undefined) return history.addMessages(given)
      for (const message of given) await history.addMessage(message)
    },
    async getHistory(sessionId) {
      const messages = await historyOf(sessionId).getMessages()
      return messages.map(fromMessage)
    },
    async clear(sessionId) {
      await historyOf(sessionId).clear()
    },
  }
}

const types = new Map<string, string>([
  ['system', 'system'],
  ['user', 'human'],
  ['assistant', 'ai'],
  ['tool', 'tool'],
])
const roles = new Map([...types].map(([role, type]) => [type, role as ChatMessage['role']]))

function toStored(message: ChatMessage): LangChainStoredMessage {
  const { role, content, id, name, toolCalls, toolCallId, ...kept } = message
  const type = types.get(role ?? '')
  if (type === undefined) throw new TypeError(`LangChain has no message of the role ${JSON.stringify(role)}`)
  if (content === null) kept['content'] = null
  if (toolCalls !== undefined && !(role === 'assistant' && haveAPlace(toolCalls))) kept['toolCalls'] = toolCalls
  if (toolCallId !== undefined && role !== 'tool') kept['toolCallId'] = toolCallId
  const data = {
    content: content ?? '',
    additional_kwargs: Object.keys(kept).length === 0 ? {} : { [keptUnder]: kept },
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(role === 'assistant' && { tool_calls: (toolCalls ?? []).map(toLangChainCall) }),
    ...(role === 'tool' && { tool_call_id: toolCallId ?? '' }),
  }
  return { type, data: data as LangChainStoredMessage['data'] }
}

function haveAPlace(calls: readonly ToolCall[]): boolean {
  return calls.length > 0 && calls.every((call) => isRecord(call.arguments) && Object.keys(call).length === 3)
}

function toLangChainCall({ id, name, arguments: args }: ToolCall) {
  return { type: 'tool_call', id, name, args: isRecord(args) ? args : {} }
}

/** What LangChain's messages also carry, under its own names. */
const otherFields = ['response_metadata', 'usage_metadata', 'invalid_tool_calls', 'artifact', 'status'] as const

interface AnyMessage extends LangChainMessage, Partial<Record<(typeof otherFields)[number], unknown>> {
  readonly tool_calls?: readonly { id?: string; name: string; args: unknown }[]
  readonly tool_call_id?: string
}

function fromMessage(message: AnyMessage): ChatMessage {
  const { content, id, name, tool_calls = [], tool_call_id = '', additional_kwargs = {} } = message
  const role = roles.get(message.getType())
  if (role === undefined) throw new TypeError(`there is no role for LangChain's type ${message.getType()}`)
  const { [keptUnder]: kept, ...foreign } = additional_kwargs
  const more = otherFields.map((field) => [field, message[field]] as const).filter(([, value]) => !isEmpty(value))
  return {
    role,
    content: content as ChatMessage['content'],
    ...(typeof id === 'string' && { id }),
    ...(typeof name === 'string' && { name }),
    ...(tool_calls.length > 0 && { toolCalls: tool_calls.map(fromLangChainCall) }),
    ...(tool_call_id !== '' && { toolCallId: tool_call_id }),
    ...(!isEmpty(foreign) && { additional_kwargs: foreign }),
    ...Object.fromEntries(more),
    ...(isRecord(kept) && kept),
  }
}

function fromLangChainCall(call: { id?: string; name: string; args: unknown }): ToolCall {
  return { id: call.id ?? '', name: call.name, arguments: call.args }
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
}
