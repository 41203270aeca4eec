import type { ChatMessage } from '../../../core/entries.ts'

/** Alternating turns of user and assistant, numbered from `from`. */
export function turns(count: number, from = 1): ChatMessage[] {
  return Array.from({ length: count }, (_, index) => ({
    role: (from + index) % 2 === 1 ? ('user' as const) : ('assistant' as const),
    content: `turn ${from + index}`,
  }))
}

export function texts(messages: readonly ChatMessage[]): unknown[] {
  return messages.map(({ content }) => content)
}

/** A turn that asks for tools, and the answers. */
export function toolCall(...ids: string[]): ChatMessage {
  return { role: 'assistant', content: null, toolCalls: ids.map((id) => ({ id, name: 'tool', arguments: {} })) }
}
export function toolResult(id: string): ChatMessage {
  return { role: 'tool', toolCallId: id, content: `result of ${id}` }
}

/** Turns with fields of every sort, known and not. */
export const richTurns: readonly ChatMessage[] = [
  { role: 'system', content: 'be brief', name: 'rules', note: '' },
  {
    role: 'assistant',
    content: null,
    id: 'msg_1',
    toolCalls: [
      { id: 'c', name: 'n', arguments: { a: [1, { b: null }] }, index: 0 },
      { id: 'd', name: 'n', arguments: '{ "a": 1 }' },
    ],
    metadata: { nested: { list: [[1], [], [null]] }, no: false, zero: 0, nothing: null },
    refusal: null,
  },
  { ...toolResult('d'), metadata: { took: 1.5 } },
  { role: 'tool', toolCallId: 'c', content: [{ type: 'text', text: 'r', cache: { ttl: '5m' } }] },
  { role: 'user', content: '', extra: { deep: [{ '': 'empty key' }] }, 'a.b': 1 },
]
