import { Document } from '@langchain/core/documents'
import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
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
} from '@langchain/core/messages'

const more = {
  id: 'id-1',
  name: 'ann',
  additional_kwargs: { own: { list: [1, null] }, lc: 1, type: 'constructor', __lc_escaped__: { id: ['x'] } },
  response_metadata: { model: 'm', finish_reason: 'stop', headers: { 'x-a': '1' } },
}
const tokens = { input_tokens: 1, output_tokens: 2, total_tokens: 3, input_token_details: { cache_read: 0 } }

/** Messages of every class, bare ones and ones with all their fields. Made anew for every call. */
export const messagesOfEveryClass = (): BaseMessage[] => [
  new SystemMessage('Be brief.'),
  new SystemMessage({ content: 'Be brief.', ...more, additional_kwargs: { __openai_role__: 'developer' } }),
  new HumanMessage('hello'),
  new HumanMessage({
    content: [
      { type: 'text', text: 'look' },
      { type: 'image_url', image_url: { url: 'data:,' } },
    ],
    ...more,
  }),
  new HumanMessage({ content: [{ type: 'image', mimeType: 'image/png', data: new Uint8Array([0, 255]) }] }),
  new HumanMessage({ content: '' }),
  new AIMessage('hi'),
  new AIMessage({
    content: '',
    ...more,
    tool_calls: [
      { type: 'tool_call', id: 'a', name: 'search', args: { q: ['x'] } },
      { id: 'b', name: 'stop', args: {} },
    ],
    invalid_tool_calls: [{ type: 'invalid_tool_call', id: 'c', name: 'bad', args: '{', error: 'Malformed args.' }],
    usage_metadata: tokens as never,
  }),
  new AIMessage({
    contentBlocks: [
      { type: 'reasoning', reasoning: 'hm' },
      { type: 'text', text: 'new blocks' },
    ],
    tool_calls: [{ id: 'd', name: 'search', args: {} }],
  }),
  new AIMessage({
    content: 'raw',
    tool_calls: [{ id: 'e', name: 'search', args: { q: 1 } }],
    additional_kwargs: {
      tool_calls: [{ id: 'e', type: 'function', function: { name: 'search', arguments: '{"q":1}' } }],
    },
  }),
  new ToolMessage({ content: 'found', tool_call_id: 'a' }),
  new ToolMessage({
    content: 'no',
    ...more,
    tool_call_id: 'b',
    status: 'error',
    artifact: { rows: [[1, 2]], raw: new Uint8Array([7]) },
    metadata: { ms: 3 },
  }),
  new ToolMessage({
    content: 'docs',
    tool_call_id: 'c',
    artifact: [
      new Document({ pageContent: 'p', metadata: { source: 's' }, id: '1' }),
      { found: [new Document({ pageContent: 'q' })], total: 1 },
    ],
  }),
  new ToolMessage({ content: 'doc', tool_call_id: 'c', artifact: new Document({ pageContent: 'alone' }) }),
  new ToolMessage({ content: 'nothing', tool_call_id: 'c', artifact: null }),
  new FunctionMessage({ content: 'f', name: 'old' }),
  new ChatMessage('generic', 'critic'),
  new ChatMessage({ content: [{ type: 'text', text: 'x' }], ...more, role: 'user' }),
  new RemoveMessage({ id: 'id-1' }),
  new HumanMessageChunk({ content: 'chunk', ...more }),
  new SystemMessageChunk('chunk'),
  new AIMessageChunk({
    content: 'chunk',
    ...more,
    tool_call_chunks: [
      { type: 'tool_call_chunk', id: 'f', name: 'search', args: '{"q":', index: 0 },
      { type: 'tool_call_chunk', id: 'g', name: 'stop', args: '{}', index: 1 },
    ],
    usage_metadata: tokens as never,
  }),
  new AIMessageChunk('text'),
  Object.assign(new AIMessageChunk('changed since'), { invalid_tool_calls: [{ id: 'h', args: '{', error: 'x' }] }),
  new ToolMessageChunk({ content: 'chunk', tool_call_id: 'a', artifact: { x: 1 }, status: 'success' }),
  new FunctionMessageChunk({ content: 'chunk', name: 'old' }),
  new ChatMessageChunk({ content: 'chunk', role: 'critic' }),
]
