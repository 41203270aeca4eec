import type { ChatMessage, SummaryInput, ToolCallRecord } from 'unforget'

/** What the agent remembers of Wang, and under which names the processes of the demo find it again. */
export const conversation = {
  url: 'sqlite:agent.db',
  session: 'user-42',
  label: 'Wang is served',

  question: [
    { role: 'system', content: 'You answer the customers of a bookshop.' },
    { role: 'user', content: 'My name is Wang. Where is my order 1001?' },
    {
      role: 'assistant',
      content: null,
      toolCalls: [{ id: 'call-1', name: 'find_order', arguments: { order: 1001 } }],
    },
  ] satisfies ChatMessage[],

  toolCall: {
    id: 'call-1',
    name: 'find_order',
    arguments: { order: 1001 },
    result: { status: 'shipped', arrives: 'Friday' },
  } satisfies ToolCallRecord,

  answer: [
    { role: 'tool', toolCallId: 'call-1', content: '{"status":"shipped","arrives":"Friday"}' },
    { role: 'assistant', content: 'It is on its way, Wang, and arrives on Friday.' },
  ] satisfies ChatMessage[],

  summary: {
    text: 'Wang waits for order 1001, which arrives on Friday.',
    // Values that a detour over decimal text likes to change: a tenth, minus zero, a third, the smallest above zero.
    embedding: new Float32Array([0.1, -0, 1 / 3, 2 ** -149]),
    covers: [[1, 6]],
  } satisfies SummaryInput,

  /** Near the summary's embedding, as the embedding of a question about it would be. */
  query: [0.1, 0.02, 0.3, 0],
}
