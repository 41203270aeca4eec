import type { UIMessage } from 'ai'

const call = { toolCallId: 'call', input: { city: 'Oslo', list: [1, null] } }

/** Parts of every kind that both versions of the SDK know, tools in every state. `undefined` is what a tool returns that returns nothing. */
export const messagesOfEveryKind: UIMessage[] = [
  { id: 'system', role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
  {
    id: 'question',
    role: 'user',
    metadata: 'no object',
    parts: [
      { type: 'text', text: 'What is the weather? \u0000 \u{1f600}' },
      { type: 'file', mediaType: 'image/png', filename: 'sky.png', url: 'data:image/png;base64,AAAA' },
      { type: 'data-place', id: 'p', data: { lat: 59.9 } },
      { type: 'data-nothing', data: undefined },
    ],
  },
  {
    id: 'answer',
    role: 'assistant',
    metadata: ['no', 'object', 7],
    parts: [
      { type: 'step-start' },
      { type: 'reasoning', text: 'hm', state: 'done', providerMetadata: { anthropic: { signature: 'x' } } },
      { type: 'tool-weather', ...call, state: 'output-available', output: { degrees: -0.5 } },
      { type: 'tool-forget', ...call, state: 'output-available', output: undefined },
      { type: 'tool-now', toolCallId: 'now', state: 'output-available', input: undefined, output: null },
      { type: 'tool-weather', ...call, state: 'output-available', output: 'soon', preliminary: true },
      { type: 'tool-weather', ...call, state: 'input-streaming' },
      { type: 'tool-weather', toolCallId: 'begun', state: 'input-streaming' } as never,
      { type: 'tool-weather', toolCallId: 'bad', state: 'output-error', errorText: 'no input', rawInput: '{' } as never,
      { type: 'tool-weather', ...call, state: 'input-available' },
      { type: 'tool-weather', ...call, state: 'output-error', errorText: 'no network', rawInput: '{' },
      { type: 'tool-weather', ...call, state: 'approval-requested', approval: { id: 'a' } },
      { type: 'tool-weather', ...call, state: 'approval-responded', approval: { id: 'a', approved: true } },
      { type: 'tool-weather', ...call, state: 'output-denied', approval: { id: 'a', approved: false, reason: 'no' } },
      { type: 'dynamic-tool', toolName: 'any', ...call, state: 'output-available', output: undefined },
      { type: 'dynamic-tool', toolName: 'any', toolCallId: 'any', state: 'input-available', input: undefined },
      { type: 'source-url', sourceId: 's', url: 'https://example.com', title: 'Example' },
      { type: 'source-document', sourceId: 'd', mediaType: 'application/pdf', title: 'A' },
      { type: 'text', text: 'Cold.', state: 'done' },
    ],
  },
  { id: 'empty', role: 'assistant', metadata: 0, parts: [] },
  { id: 'thanks', role: 'user', metadata: null, parts: [{ type: 'text', text: '' }] },
]
