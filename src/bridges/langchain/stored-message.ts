import type { BaseMessage } from '@langchain/core/messages'
import { misuse } from '../../core/errors.ts'
import { messageClasses } from './core-package.ts'
import { type Place, putDocumentsBack, takeDocumentsOut } from './documents.ts'

const {
  AIMessage,
  AIMessageChunk,
  ChatMessage,
  ChatMessageChunk,
  FunctionMessage,
  FunctionMessageChunk,
  HumanMessage,
  HumanMessageChunk,
  RemoveMessage,
  SystemMessage,
  SystemMessageChunk,
  ToolMessage,
  ToolMessageChunk,
} = messageClasses

type Fields = Record<string, unknown>

/** As different as the constructors are, each takes the fields of its class. */
type MessageClass = new (fields: never) => BaseMessage

/** The class of each type, that of its chunks, and the role that unforget knows it by. */
const kinds = new Map<unknown, { whole: MessageClass; chunk?: MessageClass; role?: string }>([
  ['human', { whole: HumanMessage, chunk: HumanMessageChunk, role: 'user' }],
  ['ai', { whole: AIMessage, chunk: AIMessageChunk, role: 'assistant' }],
  ['system', { whole: SystemMessage, chunk: SystemMessageChunk, role: 'system' }],
  ['tool', { whole: ToolMessage, chunk: ToolMessageChunk, role: 'tool' }],
  ['function', { whole: FunctionMessage, chunk: FunctionMessageChunk, role: 'function' }],
  ['generic', { whole: ChatMessage, chunk: ChatMessageChunk }],
  ['remove', { whole: RemoveMessage }],
])

/** What is kept of a message: its own fields under LangChain's names, and a role. Fields called `lc_…` are LangChain's, or ours. */
export function toStored(message: BaseMessage): object {
  const type: unknown = message?.getType?.()
  const kind = kinds.get(type)
  if (kind === undefined) throw misuse(`messages: expected LangChain messages, not one of type ${JSON.stringify(type)}`)
  const own = Object.entries(message).filter(([field]) => !field.startsWith('lc_'))
  const { artifact, ...fields } = Object.fromEntries(own) as Fields
  const { data, places } = takeDocumentsOut(artifact)
  return {
    ...(kind.role !== undefined && { role: kind.role }),
    ...fields,
    type,
    ...(data !== undefined && { artifact: data }),
    ...(places.length > 0 && { lc_documents: places }),
    ...(isChunk(message) && { lc_chunk: true }),
  }
}

/** By name, because the message may be of another copy of LangChain. */
function isChunk(message: BaseMessage): boolean {
  return (message.constructor as typeof BaseMessage).lc_name().endsWith('Chunk')
}

/** The message as it was. What has no type of LangChain is a summary that stands in for turns, or was added by other means. */
export function fromStored(stored: object): BaseMessage {
  const { type, lc_chunk, lc_documents = [], ...all } = stored as Fields
  const kind = kinds.get(type)
  if (kind === undefined) return fromPlain(stored as Fields)
  if (kind.role !== undefined) delete all['role']
  if (all['artifact'] !== undefined) all['artifact'] = putDocumentsBack(all['artifact'], lc_documents as Place[])
  const { whole, chunk = whole } = kind
  const message = new (lc_chunk === true ? chunk : whole)({ ...all } as never)
  return Object.assign(message, all)
}

function fromPlain({ role, content, ...rest }: Fields): BaseMessage {
  const fields = { ...rest, content: content ?? '' } as never
  const [kind] = [...kinds.values()].filter((one) => one.role !== undefined && one.role === role)
  if (kind !== undefined) return new kind.whole(fields)
  return new ChatMessage({ ...(fields as Fields), role } as never)
}
