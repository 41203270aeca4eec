import type { ChatMessage } from '../../../core/entries.ts'

/** A conversation as a provider writes it, in the groups that no cut may fall into. The last group is one message. */
export interface ProviderTurns {
  readonly name: string
  readonly groups: readonly (readonly ChatMessage[])[]
}

const user = (text: string): ChatMessage => ({ role: 'user', content: text })
const assistant = (text: string): ChatMessage => ({ role: 'assistant', content: text })
const end = [[assistant('done')], [user('and now?')], [assistant('wait')], [user('well?')], [assistant('that is all')]]

const openaiChat: ProviderTurns = {
  name: 'OpenAI chat',
  groups: [
    [{ role: 'developer', content: 'be brief' }],
    [user('look')],
    [
      { role: 'assistant', tool_calls: [chatCall('x'), chatCall('y')] },
      { role: 'tool', tool_call_id: 'y', content: 'r' },
      { role: 'tool', tool_call_id: 'x', content: 'r' },
    ],
    ...end,
  ],
}

const openaiResponses: ProviderTurns = {
  name: 'OpenAI Responses',
  groups: [
    [user('look')],
    [
      { type: 'reasoning', id: 'r1', summary: [] },
      { type: 'function_call', call_id: 'x', name: 'look', arguments: '{}' },
      { type: 'function_call', call_id: 'y', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: 'x', output: 'r' },
      { type: 'function_call_output', call_id: 'y', output: 'r' },
    ],
    [{ type: 'reasoning', id: 'r2', summary: [] }, said('done')],
    [user('and now?')],
    [
      { type: 'custom_tool_call', call_id: 'z', name: 'run', input: 'x' },
      { type: 'custom_tool_call_output', call_id: 'z', output: 'r' },
    ],
    [
      { type: 'mcp_approval_request', id: 'q', name: 'pay', server_label: 's', arguments: '{}' },
      { type: 'mcp_approval_response', approval_request_id: 'q', approve: true },
    ],
    [said('wait')],
    [user('well?')],
    [said('that is all')],
  ],
}

const openaiAgents: ProviderTurns = {
  name: 'OpenAI Agents',
  groups: [
    [{ type: 'message', ...user('look') }],
    [
      { type: 'function_call', callId: 'x', name: 'look', arguments: '{}' },
      { type: 'function_call_result', callId: 'x', name: 'look', output: 'r' },
    ],
    ...end,
  ],
}

const anthropic: ProviderTurns = {
  name: 'Anthropic',
  groups: [
    [user('look')],
    [
      { role: 'assistant', content: [{ type: 'text', text: 'I look' }, anthropicCall('x'), anthropicCall('y')] },
      { role: 'user', content: ['x', 'y'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'r' })) },
    ],
    ...end,
  ],
}

const aiModel: ProviderTurns = {
  name: 'AI SDK, model messages',
  groups: [
    [user('look')],
    [
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'x', toolName: 'look', input: {} }] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'x', toolName: 'look', output: 1 }] },
    ],
    [assistant('may I?')],
    [
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: 'y', toolName: 'pay', input: {}, providerExecuted: true },
          { type: 'tool-result', toolCallId: 'y', toolName: 'pay', output: 1 },
          { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'y' },
        ],
      },
      { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'a', approved: true }] },
    ],
    [
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: 'w', toolName: 'search', input: {}, providerExecuted: true },
          { type: 'tool-call', toolCallId: 'z', toolName: 'look', input: {} },
          { type: 'tool-result', toolCallId: 'w', toolName: 'search', output: 1 },
        ],
      },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'z', toolName: 'look', output: 1 }] },
    ],
    ...end,
  ],
}

const aiUi: ProviderTurns = {
  name: 'AI SDK, UI messages',
  groups: [
    [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'look' }] }],
    [uiCall('2', 'tool-look', 'output-available')],
    [uiCall('3', 'tool-call', 'input-available')],
    [uiCall('4', 'dynamic-tool', 'approval-requested')],
    [{ id: '5', role: 'assistant', parts: [{ type: 'text', text: 'done' }] }],
  ],
}

const geminiWithIds: ProviderTurns = { name: 'Gemini, with ids', groups: geminiGroups({ id: 'x' }, { id: 'y' }) }
const geminiWithoutIds: ProviderTurns = { name: 'Gemini, without ids', groups: geminiGroups({}, {}) }

export const providerTurns: readonly ProviderTurns[] = [
  openaiChat,
  openaiResponses,
  openaiAgents,
  anthropic,
  aiModel,
  aiUi,
  geminiWithIds,
  geminiWithoutIds,
]

/** The most whole groups from the end that are at most this many messages; the last group if that is too long. */
export function newestGroups({ groups }: ProviderTurns, maxEntries: number): ChatMessage[] {
  const fits = groups.findIndex((_, index) => groups.slice(index).flat().length <= maxEntries)
  return groups.slice(fits < 0 ? -1 : fits).flat()
}

function chatCall(id: string) {
  return { id, type: 'function', function: { name: 'look', arguments: '{}' } }
}

function said(text: string): ChatMessage {
  return { type: 'message', role: 'assistant', id: text, content: [{ type: 'output_text', text }] }
}

function anthropicCall(id: string) {
  return { type: 'tool_use', id, name: 'look', input: {} }
}

function uiCall(id: string, type: string, state: string): ChatMessage {
  return { id, role: 'assistant', parts: [{ type, toolName: 'look', toolCallId: `call ${id}`, state, input: {} }] }
}

/** Its second call is never answered: the conversation moves on without it. */
function geminiGroups(first: object, second: object): ChatMessage[][] {
  const part = (role: string, one: object): ChatMessage => ({ role, parts: [one] })
  return [
    [part('user', { text: 'look' })],
    [
      part('model', { functionCall: { ...first, name: 'look', args: {} } }),
      part('user', { functionResponse: { ...first, name: 'look', response: {} } }),
    ],
    [part('model', { text: 'done' })],
    [part('user', { text: 'and now?' })],
    [part('model', { functionCall: { ...second, name: 'look', args: {} } })],
    [part('user', { text: 'well?' })],
    [part('model', { text: 'that is all' })],
  ]
}
