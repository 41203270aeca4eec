import type { ChatMessage } from '../../../../core/entries.ts'
import { newestGroups } from '../../helpers/provider-turns.ts'
import { same } from '../../helpers/same.ts'
import { toolCall, toolResult, turns } from '../../helpers/samples.ts'
import type { WrittenCase } from '../../written-case.ts'

type Pair = readonly [call: ChatMessage, result: ChatMessage]
type Pairs = Readonly<Record<string, Pair>>

/** Items whose names differ by their ending alone. */
function items(idField: 'call_id' | 'callId', ending: string, names: readonly string[]): Pairs {
  const pair = (name: string): Pair => [
    { type: `${name}_call`, [idField]: 'x', status: 'completed' },
    { type: `${name}_call_${ending}`, [idField]: 'x', output: 'r' },
  ]
  return Object.fromEntries(names.map((name) => [name, pair(name)]))
}

const approval = (name: string, providerData: object): ChatMessage => ({ type: 'hosted_tool_call', name, providerData })

/** A call and its result in every way in which they are written, by who writes them so. */
export const pairs: Readonly<Record<string, Pairs>> = {
  chats: {
    'ours and those like it': [toolCall('x'), toolResult('x')],
    'OpenAI chat': [
      { role: 'assistant', tool_calls: [{ id: 'x', type: 'function', function: { name: 'n', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'x', content: 'r' },
    ],
    Anthropic: [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'x', name: 'n', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x', content: 'r' }] },
    ],
    "Anthropic, a server's tool": [
      { role: 'assistant', content: [{ type: 'server_tool_use', id: 'x', name: 'web_search', input: {} }] },
      { role: 'assistant', content: [{ type: 'web_search_tool_result', tool_use_id: 'x', content: [] }] },
    ],
    'AI SDK': [
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'x', toolName: 'n', input: {} }] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'x', toolName: 'n', output: 1 }] },
    ],
    'AI SDK, an approval': [
      { role: 'assistant', content: [{ type: 'tool-approval-request', approvalId: 'x', toolCallId: 'y' }] },
      { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'x', approved: true }] },
    ],
    'Gemini, with an id': [
      { role: 'model', parts: [{ functionCall: { id: 'x', name: 'n', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { id: 'x', name: 'n', response: {} } }] },
    ],
    'Gemini, without an id': [
      { role: 'model', parts: [{ functionCall: { name: 'n', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'n', response: {} } }] },
    ],
  },
  responses: {
    ...items('call_id', 'output', ['function', 'custom_tool', 'computer', 'shell', 'apply_patch']),
    local_shell: [
      { type: 'local_shell_call', id: 'item', call_id: 'x', action: {}, status: 'completed' },
      { type: 'local_shell_call_output', id: 'x', output: 'r' },
    ],
    program: [
      { type: 'program', id: 'item', call_id: 'x', code: 'c', fingerprint: 'f' },
      { type: 'program_output', id: 'other', call_id: 'x', result: 'r', status: 'completed' },
    ],
    tool_search: [
      { type: 'tool_search_call', id: 'item', call_id: 'x', execution: 'client', arguments: {} },
      { type: 'tool_search_output', id: 'other', call_id: 'x', execution: 'client', tools: [] },
    ],
    'tool_search of the server': [
      { type: 'tool_search_call', id: 'item', call_id: null, execution: 'server', arguments: {} },
      { type: 'tool_search_output', id: 'other', call_id: null, execution: 'server', tools: [] },
    ],
    mcp_approval: [
      { type: 'mcp_approval_request', id: 'x', name: 'n', server_label: 's', arguments: '{}' },
      { type: 'mcp_approval_response', approval_request_id: 'x', approve: true },
    ],
  },
  agents: {
    ...items('callId', 'result', ['function', 'computer']),
    ...items('callId', 'output', ['shell', 'apply_patch']),
    program: [
      { type: 'program', callId: 'x', code: 'c', fingerprint: 'f' },
      { type: 'program_output', callId: 'x', output: 'r', status: 'completed' },
    ],
    tool_search: [
      { type: 'tool_search_call', callId: 'x', execution: 'client', arguments: {} },
      { type: 'tool_search_output', callId: 'x', execution: 'client', tools: [] },
    ],
    'tool_search with its id in providerData': [
      { type: 'tool_search_call', id: 'item', arguments: {}, providerData: { call_id: 'x', execution: 'client' } },
      { type: 'tool_search_output', id: 'other', tools: [], providerData: { call_id: 'x' } },
    ],
    'tool_search with its callId in providerData': [
      { type: 'tool_search_call', id: 'item', arguments: {}, providerData: { callId: 'x', execution: 'client' } },
      { type: 'tool_search_output', id: 'other', tools: [], providerData: { callId: 'x' } },
    ],
    'tool_search without an id': [
      { type: 'tool_search_call', callId: null, execution: 'server', arguments: {} },
      { type: 'tool_search_output', callId: null, execution: 'server', tools: [] },
    ],
    mcp_approval: [
      approval('mcp_approval_request', { type: 'mcp_approval_request', id: 'x' }),
      approval('mcp_approval_response', { approve: true, approval_request_id: 'x' }),
    ],
    'mcp_approval, by its name alone': [
      approval('mcp_approval_request', { id: 'x' }),
      approval('mcp_approval_response', { approve: true, approval_request_id: 'x' }),
    ],
    'mcp_approval, by the type of its data': [
      approval('delete_file', { type: 'mcp_approval_request', id: 'x' }),
      approval('mcp_approval_response', { approve: true, approval_request_id: 'x' }),
    ],
  },
}

/** Those that have no id: the result is told by its name, or by its place right after the call. */
const withoutId = new Set(['Gemini, without an id', 'tool_search of the server', 'tool_search without an id'])

/** Ways to place a call and its result. Those with an id may have others in between, even another pair of their kind. */
function arrangementsOf(way: string, [call, result]: Pair): Readonly<Record<string, readonly ChatMessage[]>> {
  const together = { 'next to each other': [call, result] }
  if (withoutId.has(way)) return together
  const another = [call, result].map((one) => JSON.parse(JSON.stringify(one).replaceAll('"x"', '"y"')) as ChatMessage)
  return { ...together, apart: [call, ...turns(1, 9), result], around: [call, ...another, ...turns(2, 9), result] }
}

/** Messages with an id that waits for nothing. */
const noCalls: Readonly<Record<string, readonly ChatMessage[]>> = {
  chats: [
    {
      role: 'assistant',
      content: [{ type: 'text', id: 'x', tool_use_id: 'x', toolCallId: 'x', approvalId: 'x', text: 't' }],
    },
  ],
  responses: [{ type: 'message', id: 'x', approval_request_id: 'x', role: 'assistant', content: [] }],
  agents: [{ type: 'hosted_tool_call', id: 'x', name: 'web_search', providerData: { id: 'x' } }],
}

const titles: Readonly<Record<string, string>> = {
  chats: 'chat messages',
  responses: "items of OpenAI's Responses API",
  agents: 'items of the OpenAI Agents SDK',
}

export const everyPair: WrittenCase[] = Object.entries(pairs).map(([family, ways]) => ({
  id: `trimming.5/every-pair-of-${family}`,
  clause: 'trimming.5',
  level: 'full',
  needs: ['windows', 'exact'],
  title: `in ${titles[family]}, calls of every kind keep their results, and wait for them`,
  async run({ store }) {
    for (const [way, pair] of Object.entries(ways)) {
      const [call, result] = pair
      for (const [arrangement, group] of Object.entries(arrangementsOf(way, pair))) {
        const groups = [...turns(3).map((one) => [one]), group, ...turns(2, 4).map((one) => [one])]
        const whole = groups.flat()
        for (let maxEntries = 1; maxEntries <= whole.length; maxEntries++) {
          const id = `${way}, ${arrangement}, at most ${maxEntries}`
          await store.addMessages(id, whole)
          const expected = newestGroups({ name: way, groups }, maxEntries)
          same(await store.getHistory(id, { maxEntries }), expected, id)
          await store.trim(id, { maxEntries })
          same(await store.getHistory(id), expected, `${id}, for good`)
        }
      }
      await store.addMessages(way, [...turns(3), call])
      await store.trim(way, { maxEntries: 1 })
      await store.addMessages(way, [result])
      await store.trim(way, { maxEntries: 1 })
      same(await store.getHistory(way), [...pair], `${way}: the call waits for its result`)
      const abandoned = `${way}, abandoned`
      await store.addMessages(abandoned, [call, ...turns(6)])
      await store.trim(abandoned, { maxEntries: 2 })
      same(await store.getHistory(abandoned), turns(2, 5), abandoned)
    }
    for (const [index, message] of (noCalls[family] ?? []).entries()) {
      const id = `no call ${index}`
      await store.addMessages(id, [...turns(3), message])
      await store.trim(id, { maxEntries: 1 })
      await store.addMessages(id, turns(1, 4))
      await store.trim(id, { maxEntries: 1 })
      same(await store.getHistory(id), turns(1, 4), `${id} waits for nothing`)
      const later = `${id}, after a call`
      await store.addMessages(later, [...Object.values(ways).slice(0, 1).flat(), ...turns(2), message])
      await store.trim(later, { maxEntries: 1 })
      same(await store.getHistory(later), [message], `${id} answers nothing`)
    }
  },
}))
