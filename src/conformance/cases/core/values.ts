import assert from 'node:assert/strict'
import type { ChatMessage } from '../../../core/entries.ts'
import type { FullStore } from '../../case.ts'
import { same } from '../helpers/same.ts'
import { texts, turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

const core = { level: 'core' } as const

export const values: WrittenCase[] = [
  {
    ...core,
    id: 'values.1/any-text',
    clause: 'values.1',
    title: 'any text comes back the same, up to megabytes',
    async run({ store, again }) {
      const contents = [
        '',
        ' ',
        ' padded\n',
        'null',
        'undefined',
        '0',
        '{"role":"user","content":"x"}',
        '[1,2]',
        '{"lc":1,"type":"constructor","id":["langchain","schema","HumanMessage"],"kwargs":{}}',
        Array.from({ length: 0x2ff }, (_, code) => String.fromCharCode(code + 1)).join(''),
        '\u2028\u2029\ufeff\r\n\\u0041\\',
        '🐟👨‍👩‍👧 Straße \u0065\u0301',
        "'); DROP TABLE messages; --",
        '2024-01-31T00:00:00.000Z',
        'ß'.repeat(70_000),
        `x${'ß'.repeat(70_000)}`,
        `x${'鱼'.repeat(70_001)}`,
        `x${'🐟'.repeat(70_001)}`,
        `${'x'.repeat(2_000_000)}end`,
      ]
      await store.addMessages(
        's',
        contents.map((content) => ({ role: 'user', content })),
      )
      for (const handle of [store, await again()]) {
        const history = await handle.getHistory('s')
        same(history.length, contents.length)
        for (const [index, { content }] of history.entries()) {
          assert.ok(content === contents[index], `text ${index} came back as ${JSON.stringify(content)?.slice(0, 80)}`)
        }
      }
    },
  },
  {
    ...core,
    id: 'values.2/every-field',
    clause: 'values.2',
    title: 'every field of a turn comes back, known or unknown, and null stays null',
    async run({ store, again }) {
      const given: ChatMessage[] = [
        {
          role: 'assistant',
          content: null,
          id: 'msg_1',
          name: 'helper',
          toolCalls: [
            { id: 'c', name: 'n', arguments: '{"a":1}', index: 0 },
            { id: 'd', name: 'n', arguments: { a: [1, { b: null }] } },
            { id: 'e', name: 'n', arguments: ' { "b": 1.0,\n"a" : 2 }' },
            { id: 'f', name: 'n', arguments: '{"cut": "of' },
            { id: 'g', name: 'n', arguments: '' },
          ],
          metadata: {
            empty: {},
            list: [],
            nothing: null,
            zero: 0,
            no: false,
            text: '',
            nested: { list: [[1], [], [null]] },
          },
          refusal: null,
          annotations: [
            { start: 1.5e-300, end: Number.MAX_SAFE_INTEGER, ratio: 0.1 },
            { sum: 0.1 + 0.2, least: Number.MIN_SAFE_INTEGER, most: Number.MAX_VALUE, tiny: 5e-324, big: 1e21 },
          ],
        },
        { role: 'tool', toolCallId: 'c', content: [{ type: 'text', text: 'r', cache: { ttl: '5m' } }] },
        {
          role: 'user',
          content: [],
          $type: 'x',
          'a.b': 1,
          '': 'empty key',
          id: '7',
          type: 'human',
          data: { content: 1 },
        },
        { role: 'user', content: 'x', count: 0, flag: false, note: '', parts: [], extra: {} },
        {
          role: 'user',
          content: 'x',
          _private: 1,
          $ref: '#/x',
          '@type': 'y',
          toString: 'z',
          hasOwnProperty: 1,
          length: 3,
          metadata: { when: '2024-01-31T00:00:00.000Z', code: '007', yes: 'true', big: '9007199254740993' },
        },
        { role: 'assistant', content: 'x', toolCalls: [], metadata: {} },
        { role: 'user', content: 'x', kind: 'summary', seq: 99, at: 1, ttl: 1, version: 'v', session: 'other' },
        {
          role: 'user',
          content: 'x',
          metadata: JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":1}}'),
        },
      ]
      await store.addMessages('s', given)
      await store.addMessages('s', turns(1))
      for (const handle of [store, await again()]) {
        const read = await handle.getHistory('s')
        same(read, [...given, ...turns(1)])
        const plain = read[given.length]
        same([plain?.toolCalls ?? [], plain?.['refusal']], [[], undefined], 'a turn has no fields of another')
        assert.equal(({} as { admin?: boolean }).admin, undefined)
      }
    },
  },
  {
    ...core,
    id: 'values.7/kept-or-refused',
    clause: 'values.7',
    title: 'values that are hard to store are kept exactly or rejected, never silently changed',
    async run({ store }) {
      const cycle: Record<string, unknown> = {}
      cycle['self'] = cycle
      const hard: Record<string, unknown> = {
        'a BigInt': 10n,
        NaN: Number.NaN,
        Infinity: Number.POSITIVE_INFINITY,
        'a Date': new Date(0),
        bytes: Uint8Array.of(255, 0, 254),
        'a Float32Array': Float32Array.of(0.1, -1),
        'a Map': new Map([['k', 1]]),
        'a Set': new Set([1]),
        'undefined in an array': [1, undefined, 3],
        'a cycle': cycle,
        NUL: 'a\0b',
        'a lone surrogate': 'x\ud800y',
        'a key with NUL': { 'a\0b': 1 },
        deep: deep(270),
        'a function': () => 1,
        'a symbol': Symbol('x'),
        'an Error': new Error('failed'),
        'a RegExp': /x/g,
        'an object that has its own JSON': { toJSON: () => 'x' },
      }
      for (const [name, value] of Object.entries(hard)) await keepOrRefuse(store, name, inMetadata(value))
      await keepOrRefuse(store, 'far back', inMetadata(10n), 1201)
      for (const name of ['NaN', 'a Date', 'undefined in an array', 'a BigInt', 'a function']) {
        const value = hard[name]
        const call = { id: 'c', name: 'n', arguments: { value } }
        await keepOrRefuse(store, `${name} in a call`, { role: 'assistant', content: null, toolCalls: [call] })
        await keepOrRefuse(store, `${name} in a part`, { role: 'user', content: [{ type: 'data', value }] })
        await keepOrRefuse(store, `${name} in a field`, { role: 'user', content: 'x', value })
      }
      const twice: ChatMessage = { role: 'user', content: 'once', id: 'msg_1' }
      await store.addMessages('an id', [twice])
      const again = { ...twice, content: 'twice' }
      const refused = await isRefused(store, 'an id', [again])
      same(await store.getHistory('an id'), refused ? [twice] : [twice, again], 'a turn under an id that is taken')
    },
  },
  {
    ...core,
    id: 'errors.1/impossible-calls-fail',
    clause: 'errors.1',
    title: 'an invalid call fails with an error and changes nothing',
    async run({ store }) {
      await store.addMessages('s', turns(5))
      const wrong: Record<string, () => Promise<unknown>> = {
        'adding to no session': () => store.addMessages(undefined as never, turns(1)),
        'reading no session': () => store.getHistory(null as never),
        'clearing no session': () => store.clear(undefined as never),
        'trimming no session': () => store.trim(undefined as never, { maxEntries: 1 }),
        'adding null': () => store.addMessages('s', null as never),
        'adding text': () => store.addMessages('s', 'hello' as never),
        'a batch with null in it': () => store.addMessages('s', [...turns(3), null as never]),
        'a batch with undefined in it': () => store.addMessages('s', [undefined as never, ...turns(1)]),
        'a long batch with null at its end': () => store.addMessages('s', [...turns(1200), null as never]),
        'a batch with text in it': () => store.addMessages('s', [...turns(1), 'hello' as never]),
        'a batch for a new session with null in it': () => store.addMessages('new', [...turns(2), null as never]),
        'trimming to less than nothing': () => store.trim('s', { maxEntries: -1 }),
        'trimming to NaN': () => store.trim('s', { maxEntries: Number.NaN }),
        'trimming to text': () => store.trim('s', { maxEntries: 'all' as never }),
        'trimming to one and a half': () => store.trim('s', { maxEntries: 1.5 }),
      }
      for (const [name, call] of Object.entries(wrong)) {
        await assert.rejects(call, (error) => error instanceof Error, `${name} must be rejected with an error`)
        same(await store.getHistory('s'), turns(5), `${name} must change nothing`)
      }
      same(await store.getHistory('new'), [])
      await store.addMessages('s', turns(1, 6))
      same(await store.getHistory('s'), turns(6))
      const neighbors = await Promise.allSettled([
        store.addMessages('good', turns(2)),
        store.addMessages('bad', [...turns(1), null as never]),
        store.addMessages('good', turns(2, 3)),
        store.addMessages('s', turns(1, 7)),
      ])
      same(
        neighbors.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
        'a rejected call harms no concurrent call',
      )
      same(new Set(texts(await store.getHistory('good'))), new Set(texts(turns(4))))
      same(await store.getHistory('bad'), [])
      same(await store.getHistory('s'), turns(7))
    },
  },
]

const inMetadata = (value: unknown): ChatMessage => ({
  role: 'user',
  content: 'x',
  metadata: { before: 1, value, after: 2 },
})

async function keepOrRefuse(store: FullStore, name: string, given: ChatMessage, before = 1): Promise<void> {
  const batch = [...turns(before, 3), given, ...turns(1, before + 3)]
  await store.addMessages(name, turns(2))
  const refused = await isRefused(store, name, batch)
  const expected = refused ? turns(2) : [...turns(2), ...batch]
  const read = await store.getHistory(name)
  same(read, expected, `${name}, which was ${refused ? 'refused' : 'accepted'}`)
  const value = given.metadata?.['value']
  if (!refused && (value instanceof Error || value instanceof RegExp)) {
    same(String(read[before + 2]?.metadata?.['value']), String(value), `${name}, which was accepted`)
  }
  await store.addMessages(name, turns(1, 5))
  same(await store.getHistory(name), [...expected, ...turns(1, 5)], `${name}: the session goes on`)
}

function isRefused(store: FullStore, id: string, batch: ChatMessage[]): Promise<boolean> {
  return store.addMessages(id, batch).then(
    () => false,
    (error) => error instanceof Error,
  )
}

function deep(levels: number): unknown {
  let value: unknown = 'end'
  for (let level = 0; level < levels; level++) value = { level, next: [value] }
  return value
}
