import { AssertionError } from 'node:assert/strict'
import type { ChatMessage, Entry, EntryInput, EntryKind } from '../../../../core/entries.ts'
import { same } from '../../helpers/same.ts'

/** Values that something between a caller and a disk is known to change, under keys that are not in order. */
const anything = {
  'a sum of fractions': 0.1 + 0.2,
  'a number beyond 32 bits': 4_294_967_297,
  'a fraction of 53 bits': 1.0000000000000002,
  'the largest whole number': Number.MAX_SAFE_INTEGER,
  'the smallest number': 5e-324,
  'a huge number': -1.7976931348623157e308,
  zero: 0,
  yes: true,
  no: false,
  nothing: null,
  'empty text': '',
  text: 'ü e\u0301 \0 \u2028 "\\ \ud83d\ude00 <b> %s {{x}}',
  'an empty list': [],
  'an empty object': {},
  'a list': [[1], [[]], null, 'x', { z: 1, a: 2 }],
  'Keys out of order': { z: 1, a: { y: [{ x: 3, b: 4 }], c: null }, B: 1, '-1': 2 },
}

type Fields = Record<string, unknown>

/** Every field that an entry of each kind may have, in an unusual order, and one that the store does not know. */
const fieldsOf: Readonly<Record<EntryKind, { readonly always: Fields; readonly each: Fields }>> = {
  message: {
    always: { role: 'assistant' },
    each: {
      content: [{ text: 't', type: 'text', cache: anything }],
      id: 'message 1',
      name: 'n',
      toolCalls: [{ name: 'n', id: 'call', arguments: anything, index: 0.1 }],
      toolCallId: 'call',
      metadata: anything,
      'of their own': anything,
    },
  },
  toolCall: {
    always: { name: 'n', id: 'c' },
    each: {
      arguments: anything,
      result: anything,
      error: anything,
      startedAt: 1.5,
      endedAt: 4_294_967_297,
      metadata: anything,
      'of their own': anything,
    },
  },
  summary: {
    always: { text: 'summed up' },
    each: {
      embedding: Float32Array.of(0.1, -3.4e38, 1e-45),
      covers: [[1, 1]],
      metadata: anything,
      'of their own': anything,
    },
  },
  record: { always: { type: 't' }, each: { type: 'another', id: 'r', metadata: anything, 'of their own': anything } },
}

/** An entry for each field of each kind, and one with all fields. */
export function sampleEntries(kinds: readonly EntryKind[]): EntryInput[] {
  return kinds.flatMap((kind) => {
    const { always, each } = fieldsOf[kind]
    const bodies = [
      ...Object.entries(each).map(([name, value]) => ({ [name]: value, ...always })),
      { ...each, ...always },
    ]
    return bodies.map((body) => ({ kind, [kind]: structuredClone(body) }) as unknown as EntryInput)
  })
}

export function sampleMessages(): ChatMessage[] {
  return sampleEntries(['message']).map((entry) => bodyOf(entry) as ChatMessage)
}

/** What an entry carries, whatever its kind. */
export function bodyOf(entry: Entry | EntryInput): object {
  return (entry as unknown as Record<string, object>)[entry.kind] ?? {}
}

/** Every field is there, with its keys in order and its numbers to the last bit. A store may add other fields. */
export function requireExactly(seen: readonly object[], given: readonly object[], how: string): void {
  same(seen.length, given.length, `${how}: how many there are`)
  for (const [index, expected] of given.entries()) {
    const actual = seen[index] ?? {}
    same(actual, expected, `${how}: an entry with ${Object.keys(expected).join(', ')}`)
    const own = Object.fromEntries(Object.entries(actual).filter(([name]) => name in expected))
    const [json, wanted] = [JSON.stringify(own), JSON.stringify(expected)]
    if (json === wanted) continue
    const message = `${how}: the keys of an entry with ${Object.keys(expected).join(', ')} are in another order`
    throw new AssertionError({ message, actual: json, expected: wanted, operator: 'same' })
  }
}

/** The same, of entries: kind by kind. */
export function requireEntries(seen: readonly Entry[], given: readonly EntryInput[], how: string): void {
  same(
    seen.map(({ kind }) => kind),
    given.map(({ kind }) => kind),
    `${how}: the kinds of the entries`,
  )
  requireExactly(seen.map(bodyOf), given.map(bodyOf), how)
}
