import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'
import type { AgentInputItem } from '@openai/agents-core'
import type { ModelMessage, UIMessage } from 'ai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import { type MemoryStore, openMemory, type Summary, type SummaryMessage } from 'unforget'
import { expect, test } from 'vitest'

const chat: ChatCompletionMessageParam[] = [
  { role: 'developer', content: 'be brief' },
  { role: 'user', content: [{ type: 'text', text: 'the weather?' }], name: 'Wang' },
  {
    role: 'assistant',
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'look', arguments: '{"b":1,"a":2}' } }],
  },
  { role: 'tool', tool_call_id: 'c', content: 'sunny' },
  { role: 'assistant', content: 'sunny', refusal: null },
]

const responses: ResponseInputItem[] = [
  { role: 'user', content: 'the weather?' },
  { type: 'reasoning', id: 'r', summary: [], encrypted_content: 'x' },
  { type: 'function_call', call_id: 'c', name: 'look', arguments: '{}' },
  { type: 'function_call_output', call_id: 'c', output: 'sunny' },
  {
    type: 'message',
    role: 'assistant',
    id: 'm',
    status: 'completed',
    content: [{ type: 'output_text', text: 'sunny', annotations: [] }],
  },
]

const anthropic: MessageParam[] = [
  { role: 'user', content: 'the weather?' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'look', input: { b: 1, a: 2 } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'sunny' }] },
  { role: 'assistant', content: 'sunny' },
]

const model: ModelMessage[] = [
  { role: 'system', content: 'be brief' },
  {
    role: 'user',
    content: [
      { type: 'image', image: new URL('https://example.com/a b.png?x=%20#y') },
      { type: 'file', data: Uint8Array.of(1, 2, 3).buffer, mediaType: 'text/plain' },
      { type: 'file', data: Uint8Array.of(4, 5), mediaType: 'text/plain' },
    ],
  },
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'look', input: { b: 1, a: 2 } }] },
  {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'look', output: { type: 'json', value: [1] } }],
  },
]

const ui: UIMessage[] = [
  { id: '1', role: 'user', parts: [{ type: 'text', text: 'the weather?' }] },
  {
    id: '2',
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      { type: 'tool-look', toolCallId: 'c', state: 'output-available', input: { b: 1 }, output: 'sunny' },
      { type: 'text', text: 'sunny', state: 'done' },
    ],
  },
]

const agents: AgentInputItem[] = [
  { type: 'message', role: 'user', content: 'the weather?' },
  { type: 'function_call', callId: 'c', name: 'look', arguments: '{}', status: 'completed' },
  { type: 'function_call_result', callId: 'c', name: 'look', status: 'completed', output: 'sunny' },
]

/** `Content` of `@google/genai`, as far as it is used here; the package itself needs 40 others. */
interface Content {
  parts?: { text?: string; functionCall?: FunctionCall; functionResponse?: FunctionResponse }[]
  role?: string
}
interface FunctionCall {
  id?: string
  name?: string
  args?: Record<string, unknown>
}
interface FunctionResponse {
  id?: string
  name?: string
  response?: Record<string, unknown>
}
const gemini: Content[] = [
  { role: 'user', parts: [{ text: 'the weather?' }] },
  { role: 'model', parts: [{ functionCall: { name: 'look', args: { b: 1, a: 2 } } }] },
  { role: 'user', parts: [{ functionResponse: { name: 'look', response: { output: 'sunny' } } }] },
]

/** Writes messages of one type and reads them back as the same type, in whole stores and in one session. */
async function carry<Message extends object>(
  messages: Message[],
  summaryMessage: (summary: Summary) => NoInfer<Message>,
): Promise<void> {
  await using typed = await openMemory<Message>('memory:', { summaryMessage })
  await typed.addMessages('s', messages)
  const history: Message[] = await typed.getHistory('s')
  expect(history).toEqual(messages)
  expect(JSON.stringify(history)).toBe(JSON.stringify(messages))
  await typed.addMessages('t', history)
  const entries = await typed.getEntries('t')
  const kept: Message[] = entries.flatMap((entry) => (entry.kind === 'message' ? [entry.message] : []))
  expect(JSON.stringify(kept)).toBe(JSON.stringify(messages))
  const { removed } = await typed.rewind('t', { to: 0 })
  const cut: Message[] = removed.flatMap((entry) => (entry.kind === 'message' ? [entry.message] : []))
  expect(cut).toEqual(messages)
  await typed.compact('s', { keep: 1, summarize: (old: Message[]) => `${old.length} messages` })
  const compacted: Message[] = await typed.getHistory('s')
  expect(compacted.at(-1)).toEqual(messages.at(-1))

  await using any = await openMemory('memory:')
  await any.addMessages('s', messages)
  const session = any.session<Message>('s')
  await session.addMessages(messages)
  const twice: (Message | SummaryMessage)[] = await session.getHistory()
  expect(twice).toEqual([...messages, ...messages])
}

const said = ({ text }: Summary) => ({ role: 'user' as const, content: text })

test('OpenAI: chat messages', () => carry<ChatCompletionMessageParam>(chat, said))
test('OpenAI: items of the Responses API', () => carry<ResponseInputItem>(responses, said))
test('OpenAI: items of the Agents SDK', () => carry<AgentInputItem>(agents, said))
test('Anthropic: messages', () => carry<MessageParam>(anthropic, said))
test('AI SDK: model messages', () => carry<ModelMessage>(model, said))
test('AI SDK: UI messages', () =>
  carry<UIMessage>(ui, ({ text }) => ({ id: 'summary', role: 'system', parts: [{ type: 'text', text }] })))
test('Gemini: contents', () => carry<Content>(gemini, ({ text }) => ({ role: 'user', parts: [{ text }] })))

test('without summaryMessage the type is the same where a summary is a message of that type, and a union elsewhere', async () => {
  await using memory = await openMemory('memory:')
  const one: ChatCompletionMessageParam[] = await memory.session<ChatCompletionMessageParam>('s').getHistory()
  const two: ModelMessage[] = await memory.session<ModelMessage>('s').getHistory()
  const three: AgentInputItem[] = await memory.session<AgentInputItem>('s').getHistory()
  const four: ResponseInputItem[] = await memory.session<ResponseInputItem>('s').getHistory()
  const five: (UIMessage | SummaryMessage)[] = await memory.session<UIMessage>('s').getHistory()
  // @ts-expect-error a summary is not a UIMessage
  const six: UIMessage[] = await memory.session<UIMessage>('s').getHistory()
  expect([one, two, three, four, five, six].flat()).toEqual([])
})

test('URLs, buffers and bytes come back as what they were', async () => {
  const memory: MemoryStore<ModelMessage> = await openMemory<ModelMessage>('memory:')
  await memory.addMessages('s', model)
  const message = (await memory.getHistory('s'))[1]
  const parts = message?.role === 'user' && typeof message.content !== 'string' ? message.content : []
  const [image, buffer, bytes] = parts
  expect(image?.type === 'image' && image.image).toBeInstanceOf(URL)
  expect(image?.type === 'image' && String(image.image)).toBe('https://example.com/a%20b.png?x=%20#y')
  expect(buffer?.type === 'file' && buffer.data).toBeInstanceOf(ArrayBuffer)
  expect(bytes?.type === 'file' && bytes.data).toBeInstanceOf(Uint8Array)
  await memory.close()
})
