import type { ChatMessage, MemoryStore } from 'unforget'

/** What every golden file holds, whatever the schema it was written with. */
export const firstTurns: ChatMessage[] = [
  { role: 'system', content: 'You are kind.' },
  {
    role: 'user',
    content: [{ type: 'image', data: new Uint8Array([255, 0, 254]) }],
    metadata: { nul: 'a\0b', lone: '\ud800' },
  },
  { role: 'assistant', content: null, toolCalls: [{ id: 'c1', name: 'look', arguments: { at: 'it' } }] },
]
export const summary = { text: 'They looked at a picture.', embedding: Float32Array.of(1, -0, 0.1) }
export const snapshots = [
  ['before', 'before the answer \ud800'],
  ['after', null],
]
export const entriesBefore = [
  ...firstTurns.map((message, index) => ({ kind: 'message', seq: index + 1, message })),
  { kind: 'toolCall', seq: 4, toolCall: { id: 'c1', name: 'look', result: { ok: true } } },
  { kind: 'summary', seq: 5, standsIn: false, summary },
]
export const history: ChatMessage[] = [
  { role: 'system', content: 'You are kind.' },
  { role: 'system', content: 'A picture was looked at.' },
  { role: 'user', content: 'And now?' },
]

export async function writeGolden(memory: MemoryStore): Promise<void> {
  await memory.addMessages('s', firstTurns, { operationId: 'first' })
  await memory.recordToolCall('s', { id: 'c1', name: 'look', result: { ok: true } })
  await memory.addSummary('s', summary)
  await memory.saveSnapshot('s', { id: 'before', label: 'before the answer \ud800' })
  await memory.addMessages('s', [
    { role: 'tool', toolCallId: 'c1', content: 'a picture' },
    { role: 'user', content: 'And now?' },
  ])
  await memory.compact('s', { keep: 1, summarize: () => 'A picture was looked at.' })
  await memory.saveSnapshot('s', { id: 'after' })
  await memory.addMessages('deleted', firstTurns, { operationId: 'first' })
  await memory.deleteSession('deleted')
}
