import assert from 'node:assert/strict'
import type { ChatMessage } from '../../../core/entries.ts'
import { providerTurns } from '../helpers/provider-turns.ts'
import { same } from '../helpers/same.ts'
import type { WrittenCase } from '../written-case.ts'

function deep(levels: number): Record<string, unknown> {
  let value: Record<string, unknown> = { end: true }
  for (let level = 0; level < levels; level++) value = { level, next: value }
  return value
}

export const values: WrittenCase[] = [
  {
    id: 'values.1/nul-and-lone-surrogates',
    clause: 'values.1',
    level: 'full',
    title: 'NUL, lone surrogates and five megabytes of text come back unchanged',
    async run({ store }) {
      const contents = ['\0', 'a\0b', '\ud800', 'x\udc00y', '\udc00\ud800', `${'x'.repeat(5_000_000)}\0`]
      await store.addMessages(
        's',
        contents.map((content) => ({ role: 'user', content })),
      )
      const history = await store.getHistory('s')
      assert.equal(history.length, contents.length)
      for (const [index, { content }] of history.entries()) assert.ok(content === contents[index], `text ${index}`)
    },
  },
  {
    id: 'values.3/bytes-anywhere',
    clause: 'values.3',
    level: 'full',
    needs: ['bytes'],
    title: 'bytes, buffers and URLs come back with their types, anywhere in an entry',
    async run({ store }) {
      const bytes = Uint8Array.from({ length: 256 }, (_, index) => 255 - index)
      const large = Uint8Array.from({ length: 1_200_000 }, (_, index) => (index * 31) & 255)
      const vector = Float32Array.of(1, -0.5, 3.4e38, 1e-45, -0, Number.NaN, Number.NEGATIVE_INFINITY)
      const message = (data: Uint8Array): ChatMessage => ({
        role: 'user',
        content: [{ type: 'image', data }],
        toolCalls: [{ id: 'c', name: 'n', arguments: { file: bytes.subarray(250) } }],
        metadata: {
          nested: [{ data: bytes.subarray(3, 9) }, null],
          empty: new Uint8Array(0),
          vector,
          'a.b': { '': Uint8Array.of(1) },
          buffers: [bytes.slice(7, 12).buffer, new ArrayBuffer(0)],
          url: new URL('https://user@example.com/a b?q=ß%20#x'),
        },
      })
      await store.addMessages('s', [message(Buffer.from(bytes)), message(large)])
      const [read, second] = await store.getHistory('s')
      same(read, message(bytes))
      same(second, message(large))
      const record = { id: 'c', name: 'n', arguments: { file: bytes }, result: [bytes.subarray(1, 2)] }
      await store.recordToolCall('s', record)
      const part = { type: 'file', data: bytes.slice(0, 9).buffer, url: new URL('data:,x'), text: 'data:,x' }
      await store.addMessages('parts', [{ role: 'user', content: [part] }])
      same(await store.getHistory('parts'), [{ role: 'user', content: [part] }])
      await store.addSummary('s', { text: 'x', metadata: { bytes, vector } })
      const [call, summary] = await store.getEntries('s', { kinds: ['toolCall', 'summary'] })
      same(call?.kind === 'toolCall' && call.toolCall, record)
      same(summary?.kind === 'summary' && summary.summary, { text: 'x', metadata: { bytes, vector } })
    },
  },
  {
    id: 'values.4/looks-like-our-encoding',
    clause: 'values.4',
    level: 'full',
    needs: ['versions'],
    title: 'text and data that look like our own encoding come back unchanged',
    async run({ store }) {
      const messages: ChatMessage[] = [
        { role: 'user', content: '{"role":"user","content":"x"}' },
        {
          role: 'user',
          content: '[[["metadata"],"u8",3]]',
          metadata: { $bytes: 'AAAA', type: 'Buffer', data: [1, 2] },
        },
        {
          role: 'user',
          content: 'x',
          kind: 'summary',
          seq: 99,
          at: 1,
          format: 2,
          standsIn: true,
          version: 'v',
          epoch: 'e',
        },
        {
          role: 'user',
          content: 'x',
          metadata: JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":1},"toJSON":1}'),
        },
      ]
      await store.addMessages('s', messages)
      const history = await store.getHistory('s')
      same(history, messages)
      assert.ok(Object.hasOwn(history[3]?.metadata ?? {}, '__proto__'), 'the key __proto__ is not there')
      assert.equal(({} as { admin?: boolean }).admin, undefined)
      assert.equal(Object.getPrototypeOf(history[3]?.metadata ?? {}), Object.prototype)
    },
  },
  {
    id: 'values.5/deep-and-too-deep',
    clause: 'values.5',
    level: 'full',
    needs: ['codes'],
    title: 'deep metadata comes back, and metadata that is too deep is rejected',
    async run({ store }) {
      await store.addMessages('s', [{ role: 'user', content: 'x', metadata: deep(1000) }])
      same((await store.getHistory('s'))[0]?.metadata, deep(1000))
      await assert.rejects(store.addMessages('s', [{ role: 'user', content: 'x', metadata: deep(500_000) }]), {
        code: 'INVALID_ENTRY',
      })
      assert.equal((await store.getHistory('s')).length, 1)
    },
  },
  {
    id: 'values.6/refused-with-its-place',
    clause: 'values.6',
    level: 'full',
    needs: ['codes'],
    title: 'values that cannot be stored are rejected before anything is written, and the error says where they are',
    async run({ store }) {
      const cycle: Record<string, unknown> = {}
      cycle['self'] = [cycle]
      const extra = Object.assign([1], { note: 'x' })
      const refused: [unknown, string][] = [
        [10n, 'v'],
        [Number.NaN, 'v'],
        [Number.POSITIVE_INFINITY, 'v'],
        [new Date(0), 'v'],
        [() => 1, 'v'],
        [Symbol('x'), 'v'],
        [new Map(), 'v'],
        [new (class Thing {})(), 'v'],
        [Object.create(Object.create(null)), 'v'],
        [new Float64Array(2), 'v'],
        [[1, undefined], 'v[1]'],
        [new Array(2), 'v'],
        [extra, 'v'],
        [cycle, 'v.self[0]'],
        [{ 'a key': { when: new Date(0) } }, 'v["a key"].when'],
        [{ [Symbol('s')]: 1 }, 'v'],
        [new String('boxed'), 'v'],
      ]
      for (const [v, place] of refused) {
        const path = `messages[1].metadata.${place}`
        await assert.rejects(
          store.addMessages('s', [
            { role: 'user', content: 'fine' },
            { role: 'user', content: 'x', metadata: { v } },
          ]),
          { code: 'INVALID_ENTRY', path },
          path,
        )
      }
      assert.equal(await store.sessionInfo('s'), null)
      const twice = { a: [{ b: 1 }] }
      await store.addMessages('s', [
        {
          role: 'user',
          content: 'x',
          metadata: { zero: -0, shared: [extra.slice(), extra.slice()], twice: [twice, { twice }, twice] },
        },
      ])
      same(
        (await store.getHistory('s'))[0]?.metadata?.['twice'],
        [twice, { twice }, twice],
        'what is there twice is no cycle',
      )
      assert.ok(Object.is((await store.getHistory('s'))[0]?.metadata?.['zero'], 0), '-0 did not come back as 0')
    },
  },
  {
    id: 'values.9/any-object',
    clause: 'values.9',
    level: 'full',
    needs: ['exact'],
    title: 'any object can be a message, with any role or none and any content or none',
    async run({ store, again }) {
      const messages: ChatMessage[] = [
        ...providerTurns.flatMap(({ groups }) => groups.flat()),
        {},
        { role: '' },
        { role: 'robot', content: undefined },
        ...[7, true, {}, { text: 'x' }, [], [1, null, 'x', ['y']]].map((content) => ({ content: content as never })),
        { toolCalls: 'none', toolCallId: 7, tool_calls: {}, parts: [null, 1, { functionCall: null }] } as never,
        { type: 7, call_id: [], metadata: 'text', name: null, id: { a: 1 } } as never,
      ]
      await store.addMessages('s', messages)
      for (const handle of [store, await again()]) {
        const history = await handle.getHistory('s')
        same(history, messages)
        const added = (one: object, given: object) => Object.keys(given).some((key) => !Object.hasOwn(one, key))
        same(
          history.filter((one, index) => added(messages[index] ?? {}, JSON.parse(JSON.stringify(pickRole(one))))),
          [],
          'no role or content is filled in',
        )
      }
      for (let maxEntries = 1; maxEntries <= 9; maxEntries++) {
        same(await store.getHistory('s', { maxEntries }), messages.slice(-maxEntries))
      }
    },
  },
  {
    id: 'values.10/same-json',
    clause: 'values.10',
    level: 'full',
    needs: ['exact'],
    title: 'the JSON that comes back is the JSON that went in, with its key order and every bit of its numbers',
    async run({ store, again }) {
      const numbers = [
        0.1 + 0.2,
        1 / 3,
        5e-324,
        Number.MAX_VALUE,
        Number.MAX_SAFE_INTEGER,
        2 ** 53 + 2,
        1e21,
        1e-7,
        123456789.12345679,
        -1.0000000000000002,
      ]
      const disorder = {
        z: 1,
        b: { y: 1, a: 2, 10: 3, 9: 4, '-1': 5, '01': 6 },
        a: [{ d: 1, c: 2 }],
        B: 1,
        é: 2,
        '': 3,
      }
      const messages: ChatMessage[] = [
        { content: 'x', role: 'user', name: 'n', id: '1' },
        { toolCalls: [{ name: 'n', id: 'c', arguments: disorder }], content: null, role: 'assistant' },
        { metadata: disorder, role: 'tool', zz: numbers, content: [{ text: 't', type: 'text', b: 1, a: 2 }], aa: 1 },
      ]
      await store.addMessages('s', messages)
      await store.recordToolCall('s', { result: numbers, name: 'n', id: 'c', arguments: disorder })
      await store.addSummary('s', { metadata: disorder, text: 'x', numbers })
      const given = [...messages, { result: numbers, name: 'n', id: 'c', arguments: disorder }]
      for (const handle of [store, await again()]) {
        const history = await handle.getHistory('s')
        same(history.map(jsonLike(messages)), messages.map(jsonLike(messages)))
        const entries = await handle.getEntries('s')
        const values = entries.map((entry) => {
          if (entry.kind === 'message') return entry.message
          if (entry.kind === 'record') return entry.record
          return entry.kind === 'toolCall' ? entry.toolCall : entry.summary
        })
        same(
          values.slice(0, 4).map((value) => JSON.stringify(value)),
          given.map((value) => JSON.stringify(value)),
        )
        same(JSON.stringify(values[4]), JSON.stringify({ metadata: disorder, text: 'x', numbers }))
      }
    },
  },
]

function pickRole(message: ChatMessage): Pick<ChatMessage, 'role' | 'content'> {
  return {
    ...(Object.hasOwn(message, 'role') && { role: message.role }),
    ...(Object.hasOwn(message, 'content') && { content: message.content }),
  }
}

/** The JSON of a message without fields that a store added to it. */
function jsonLike(given: readonly ChatMessage[]): (message: ChatMessage, index: number) => string {
  return (message, index) => {
    const keys = Object.keys(message).filter((key) => Object.hasOwn(given[index] ?? {}, key))
    return JSON.stringify(Object.fromEntries(keys.map((key) => [key, message[key]])))
  }
}
