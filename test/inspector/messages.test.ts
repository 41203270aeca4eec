import type Anthropic from '@anthropic-ai/sdk'
import type { ModelMessage, UIMessage } from 'ai'
import type OpenAI from 'openai'
import { openMemory } from 'unforget'
import { expect, test } from 'vitest'
import { foldCalls } from '../../inspector/conversation/fold-calls.ts'
import { showEntry } from '../../src/inspector/show/show-entry.ts'

const png = Buffer.from('not really a picture')
const base64 = png.toString('base64')
const image = ['media', 'image/png', '', png.length] as const

/** What the page shows of each entry that it does not fold away: its parts, and the results under the calls. */
async function shown(messages: readonly object[]) {
  await using memory = await openMemory('memory:')
  await memory.addMessages('s', messages as Record<string, unknown>[])
  return foldCalls((await memory.getEntries('s')).map(showEntry)).map(({ entry, answers }) => ({
    title: entry.title,
    parts: entry.parts.map(({ kind, label, text, bytes }) => [kind, label, text, ...(kind === 'media' ? [bytes] : [])]),
    results: [...answers].map(([index, all]) => [
      index,
      ...all.map(({ seq, part }) => `${seq}${part.failed ? ' failed' : ''}: ${part.text}`),
    ]),
  }))
}

test('Anthropic: thoughts, tools, those of the server, pictures and documents', async () => {
  const source = { type: 'base64', media_type: 'image/png', data: base64 } as const
  const messages = [
    {
      role: 'user',
      content: [
        { type: 'image', source },
        { type: 'image', source: { type: 'url', url: 'https://other.example/a.png' } },
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Grüße' } },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 's' },
        { type: 'tool_use', id: 'a', name: 'read_file', input: { path: 'x' } },
        { type: 'tool_use', id: 'b', name: 'look', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'b',
          content: [
            { type: 'text', text: 'see' },
            { type: 'image', source },
          ],
        },
        { type: 'tool_result', tool_use_id: 'a', content: 'no such file', is_error: true },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'server_tool_use', id: 'c', name: 'web_search', input: { query: 'q' } },
        { type: 'web_search_tool_result', tool_use_id: 'c', content: [] },
        { type: 'tool_use', id: 'd', name: 'look', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'd', content: 'r' },
        { type: 'text', text: 'and?' },
      ],
    },
  ] satisfies Anthropic.MessageParam[]
  expect(await shown(messages)).toEqual([
    {
      title: 'user',
      parts: [
        image,
        ['media', 'image', 'https://other.example/a.png', null],
        ['media', 'text/plain', '', Buffer.byteLength('Grüße')],
      ],
      results: [],
    },
    {
      title: 'assistant',
      parts: [
        ['text', 'thinking', 'hm'],
        ['call', 'read_file', '{"path":"x"}'],
        ['call', 'look', '{}'],
      ],
      results: [
        [1, '3 failed: no such file'],
        [2, `3: see\n[image/png, ${png.length} bytes]`],
      ],
    },
    {
      title: 'assistant',
      parts: [
        ['call', 'web_search', '{"query":"q"}'],
        ['result', null, '[]'],
        ['call', 'look', '{}'],
      ],
      results: [
        [0, '4: []'],
        [2, '5: r'],
      ],
    },
    {
      title: 'user',
      parts: [
        ['result', null, 'r'],
        ['text', null, 'and?'],
      ],
      results: [],
    },
  ])
})

test.each([
  ['with ids', { id: 'x' }, { id: 'y' }],
  ['without ids', {}, {}],
])('Gemini, %s: parallel calls of one tool have their own results', async (_, first, second) => {
  const call = (id: object, city: string) => ({ functionCall: { ...id, name: 'weather', args: { city } } })
  const answer = (id: object, response: object) => ({ functionResponse: { ...id, name: 'weather', response } })
  const [asking, ...later] = await shown([
    { role: 'model', parts: [{ text: 'hm', thought: true }, call(first, 'Bern'), call(second, 'Rome')] },
    { role: 'user', parts: [answer(first, { output: 'rain' }), answer(second, { error: 'unknown' })] },
    {
      role: 'user',
      parts: [
        { inlineData: { mimeType: 'image/png', data: base64 } },
        { fileData: { mimeType: 'video/mp4', fileUri: 'https://other.example/v' } },
      ],
    },
    { role: 'model', parts: [call(first, 'Oslo')] },
  ])
  expect(asking).toMatchObject({
    parts: [
      ['text', 'thought', 'hm'],
      ['call', 'weather', '{"city":"Bern"}'],
      ['call', 'weather', '{"city":"Rome"}'],
    ],
    results: [
      [1, '2: {"output":"rain"}'],
      [2, '2 failed: {"error":"unknown"}'],
    ],
  })
  expect(later.map(({ parts, results }) => ({ parts, results }))).toEqual([
    { parts: [image, ['media', 'video/mp4', 'https://other.example/v', null]], results: [] },
    { parts: [['call', 'weather', '{"city":"Oslo"}']], results: [[0]] },
  ])
})

test('AI SDK, model messages: outputs of every type, an approval, and files however they are given', async () => {
  const outputs = [
    { type: 'text', value: 'fine' },
    { type: 'json', value: { a: 1 } },
    { type: 'error-text', value: 'broken' },
    { type: 'execution-denied', reason: 'too dear' },
    {
      type: 'content',
      value: [
        { type: 'text', text: 'see' },
        { type: 'file', mediaType: 'image/png', data: { type: 'data', data: base64 } },
      ],
    },
  ] as const
  const tool = (index: number) => ({ toolCallId: `c${index}`, toolName: 'generate_image' })
  const messages: ModelMessage[] = [
    {
      role: 'user',
      content: [
        { type: 'file', mediaType: 'image/png', data: new Uint8Array(png) },
        { type: 'file', mediaType: 'image/png', data: base64, filename: 'a.png' },
        { type: 'file', mediaType: 'image/png', data: { type: 'data', data: base64 } },
        { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: 'Grüße' } },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm' },
        ...outputs.map((_, index) => ({ type: 'tool-call' as const, ...tool(index), input: { index } })),
        { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'c0' },
      ],
    },
    {
      role: 'tool',
      content: outputs.map((output, index) => ({
        type: 'tool-result',
        ...tool(index),
        output: structuredClone(output),
      })),
    } as ModelMessage,
  ]
  const [files, asking, ...rest] = await shown(messages)
  expect(files?.parts).toEqual([image, image, image, ['media', 'text/plain', '', Buffer.byteLength('Grüße')]])
  expect(asking?.parts.slice(0, 2)).toEqual([
    ['text', 'reasoning', 'hm'],
    ['call', 'generate_image', '{"index":0}'],
  ])
  expect(asking?.parts.at(-1)?.slice(0, 2)).toEqual(['other', 'tool-approval-request'])
  expect(asking?.results).toEqual([
    [1, '3: fine'],
    [2, '3: {"a":1}'],
    [3, '3 failed: broken'],
    [4, '3 failed: denied: too dear'],
    [5, `3: see\n[image/png, ${png.length} bytes]`],
  ])
  expect(rest).toEqual([])
})

test('AI SDK, UI messages: a call and what came of it are one part, whatever the tool is called', async () => {
  const message = {
    id: '1',
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      { type: 'text', text: 'I look' },
      { type: 'tool-read_file', toolCallId: 'a', state: 'output-available', input: { path: 'x' }, output: 'text' },
      { type: 'tool-image', toolCallId: 'b', state: 'output-error', input: {}, errorText: 'no paint' },
      { type: 'dynamic-tool', toolName: 'pay', toolCallId: 'c', state: 'input-available', input: { sum: 1 } },
      { type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${base64}` },
    ],
  } satisfies UIMessage
  expect(await shown([message])).toEqual([
    {
      title: 'assistant',
      parts: [
        ['text', null, 'I look'],
        ['call', 'read_file', '{"path":"x"}'],
        ['result', null, 'text'],
        ['call', 'image', '{}'],
        ['result', null, 'no paint'],
        ['call', 'pay', '{"sum":1}'],
        image,
      ],
      results: [[1, '1: text'], [3, '1 failed: no paint'], [5]],
    },
  ])
})

test('OpenAI chat: functions and custom tools, empty results, refusals, pictures, sounds and files', async () => {
  const messages = [
    {
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url: `data:image/png;base64,${base64}` } },
        { type: 'input_audio', input_audio: { data: base64, format: 'wav' } },
        { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${base64}` } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'look', arguments: '{"x":1}' } },
        { id: 'b', type: 'custom', custom: { name: 'run', input: 'ls' } },
      ],
    },
    { role: 'tool', tool_call_id: 'b', content: [{ type: 'text', text: 'a.txt' }] },
    { role: 'tool', tool_call_id: 'a', content: '' },
    { role: 'assistant', content: null, refusal: 'I cannot' },
  ] satisfies OpenAI.ChatCompletionMessageParam[]
  expect(await shown(messages)).toEqual([
    {
      title: 'user',
      parts: [image, ['media', 'wav', '', png.length], ['media', 'application/pdf', '', png.length]],
      results: [],
    },
    {
      title: 'assistant',
      parts: [
        ['call', 'look', '{"x":1}'],
        ['call', 'run', 'ls'],
      ],
      results: [
        [0, '4: '],
        [1, '3: a.txt'],
      ],
    },
    { title: 'assistant', parts: [['text', 'refusal', 'I cannot']], results: [] },
  ])
})

test('OpenAI Responses and Agents: items of every kind of call, with what they gave', async () => {
  const url = `data:image/png;base64,${base64}`
  const items = [
    { role: 'user', content: [{ type: 'input_image', image_url: url, detail: 'auto' }] },
    { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'hm' }] },
    { type: 'function_call', call_id: 'a', name: 'look', arguments: '{}' },
    { type: 'custom_tool_call', call_id: 'b', name: 'run', input: 'ls' },
    { type: 'function_call_output', call_id: 'a', output: [{ type: 'input_image', image_url: url, detail: 'auto' }] },
    { type: 'custom_tool_call_output', call_id: 'b', output: 'a.txt' },
    { type: 'mcp_call', id: 'm', name: 'find', server_label: 's', arguments: '{"q":1}', output: 'found' },
    { type: 'image_generation_call', id: 'i', status: 'completed', result: base64 },
  ] satisfies OpenAI.Responses.ResponseInputItem[]
  const agents = [
    { type: 'function_call', callId: 'z', name: 'look', arguments: '{}' },
    { type: 'function_call_result', callId: 'z', name: 'look', output: { type: 'text', text: 'fine' } },
  ]
  expect((await shown([...items, ...agents])).map(({ parts, results }) => [parts, results])).toEqual([
    [[image], []],
    [[['text', 'reasoning', 'hm']], []],
    [[['call', 'look', '{}']], [[0, `5: [image/png, ${png.length} bytes]`]]],
    [[['call', 'run', 'ls']], [[0, '6: a.txt']]],
    [
      [
        ['call', 'find', '{"q":1}'],
        ['result', null, 'found'],
      ],
      [[0, '7: found']],
    ],
    [
      [
        ['call', 'image_generation_call', ''],
        ['media', 'image', '', png.length],
      ],
      [[0]],
    ],
    [[['call', 'look', '{}']], [[0, '10: fine']]],
  ])
})

test('a record of a tool call that no message made holds its own result', async () => {
  await using memory = await openMemory('memory:')
  await memory.recordToolCall('s', { id: 'a', name: 'look', arguments: {}, result: 'seen' })
  const [record] = foldCalls((await memory.getEntries('s')).map(showEntry))
  expect(record?.answers.get(0)?.map(({ seq, index, part }) => [seq, index, part.text])).toEqual([[1, 1, 'seen']])
})
