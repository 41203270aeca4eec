import type { ChatMessage } from '../../../../core/entries.ts'
import type { Goldfish } from '../../goldfish.ts'
import { shared } from '../../helpers/bowl.ts'
import { alter } from '../../helpers/reshape.ts'

/** Bytes decoded at a time. */
const chunk = 65_536
/** Deeper than this, the encoder gives up. */
const deepest = 900

/** Every message is read as something else. */
function readAs(change: (message: ChatMessage) => ChatMessage): NonNullable<Goldfish['store']> {
  return (sound) => ({
    getHistory: async (session, options) => alter(await sound.getHistory(session, options), change),
  })
}

function textReadAs(change: (text: string) => string): NonNullable<Goldfish['store']> {
  return readAs((message) =>
    typeof message.content === 'string' ? { ...message, content: change(message.content) } : message,
  )
}

const isCarriedWhole = (value: object) =>
  ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof URL

/** Every value of a message, at any depth, is read as something else. */
function valuesReadAs(change: (value: unknown) => unknown): NonNullable<Goldfish['store']> {
  const walk = (value: unknown): unknown => {
    const changed = change(value)
    if (changed !== value || typeof value !== 'object' || value === null || isCarriedWhole(value)) return changed
    if (Array.isArray(value)) return value.map(walk)
    const copy = Object.create(Object.getPrototypeOf(value))
    for (const [key, one] of Object.entries(value)) {
      Object.defineProperty(copy, key, { value: walk(one), enumerable: true, configurable: true, writable: true })
    }
    return copy
  }
  return readAs((message) => walk(message) as ChatMessage)
}

/** What cannot be carried is made into something else before it is written. */
function madeInto(change: (value: unknown) => unknown): NonNullable<Goldfish['store']> {
  return (sound) => ({
    addMessages(session, messages, options) {
      const repaired = Array.isArray(messages)
        ? messages.map((one) =>
            one?.metadata && 'value' in one.metadata
              ? { ...one, metadata: { ...one.metadata, value: change(one.metadata.value) } }
              : one,
          )
        : messages
      return sound.addMessages(session, repaired, options)
    },
  })
}

/** Of objects that hold nothing but values; those inside them stay as they are. */
function sortKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const keys = Object.keys(value)
  const isFlat = Object.values(value).every((one) => typeof one !== 'object' || one === null)
  const isSorted = keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') <= key)
  if (!isFlat || isSorted || keys.includes('__proto__')) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** What comes back is not what was given. */
export const values: Goldfish[] = [
  {
    name: 'text-trimmed',
    breaks: ['values.1'],
    story: 'Text loses the whitespace around it: a helpful default of the form library.',
    store: textReadAs((text) => text.trim()),
  },
  {
    name: 'line-ends-made-equal',
    breaks: ['values.1'],
    story: 'CR LF becomes LF on the way through a text file.',
    store: textReadAs((text) => text.replaceAll('\r\n', '\n')),
  },
  {
    name: 'text-cut-at-a-megabyte',
    breaks: ['values.1'],
    story: 'A long tool output is silently cut at 1 MB.',
    store: textReadAs((text) => text.slice(0, 1_000_000)),
  },
  {
    name: 'text-cut-at-four-megabytes',
    breaks: ['values.1'],
    story: "The server's packets end at 4 MB, and so does the text.",
    store: textReadAs((text) => text.slice(0, 4 * 1024 * 1024)),
  },
  {
    name: 'chunks-decoded-one-by-one',
    breaks: ['values.1'],
    story: 'Long texts are decoded in chunks of 64 KiB. A letter on the edge becomes two question marks.',
    store: textReadAs((text) => {
      if (text.length < chunk) return text
      const bytes = Buffer.from(text)
      let read = ''
      for (let from = 0; from < bytes.length; from += chunk) read += bytes.toString('utf8', from, from + chunk)
      return read
    }),
  },
  {
    name: 'lone-surrogates-replaced',
    breaks: ['values.1', 'values.7'],
    story: 'Half an emoji, cut by a streaming model, becomes U+FFFD on its way to the disk.',
    store: valuesReadAs((value) => (typeof value === 'string' ? value.toWellFormed() : value)),
  },
  {
    name: 'text-ends-at-nul',
    breaks: ['values.1', 'values.7'],
    story: 'The driver takes a C string, and NUL ends it.',
    store: valuesReadAs((value) => (typeof value === 'string' ? value.split('\0', 1)[0] : value)),
  },
  {
    name: 'json-in-a-text-revived',
    breaks: ['values.1', 'values.4'],
    story: 'Text that looks like a serialized object is read as one.',
    store: readAs((message) => {
      const { content } = message
      return typeof content === 'string' && content.startsWith('{"role"')
        ? { ...message, ...JSON.parse(content) }
        : message
    }),
  },
  {
    name: 'only-role-and-content',
    breaks: ['values.2'],
    story: 'The table has a column for each field its author knew. Names and metadata are lost.',
    store: readAs(({ metadata: _, name: __, ...message }) =>
      message.toolCalls ? ({ ...message, annotations: undefined } as ChatMessage) : message,
    ),
  },
  {
    name: 'falsy-is-missing',
    breaks: ['values.2'],
    story: '`if (value)` before a field is written: 0, false and "" are lost.',
    store: readAs(
      (message) =>
        Object.fromEntries(
          Object.entries(message).filter(([key, value]) => value || key === 'content' || value === null),
        ) as ChatMessage,
    ),
  },
  {
    name: 'null-is-missing',
    breaks: ['values.2'],
    story: 'NULL and no value are the same in a column, so null does not come back.',
    store: readAs(
      (message) =>
        Object.fromEntries(
          Object.entries(message).filter(([key, value]) => value !== null || key === 'content'),
        ) as ChatMessage,
    ),
  },
  {
    name: 'fields-of-the-turn-before',
    breaks: ['values.2', 'isolation.3'],
    story: 'One row object is reused for all rows. Fields that a turn does not set come from the previous one.',
    store: (sound) => {
      let refusal: unknown
      return {
        async getHistory(session, options) {
          return alter(await sound.getHistory(session, options), (message) => {
            refusal = message['refusal'] !== undefined || message['secret'] ? (message['refusal'] ?? 'leaked') : refusal
            return refusal === undefined ? message : { refusal, secret: refusal, ...message }
          })
        },
      }
    },
  },
  {
    name: 'numbers-of-15-digits',
    breaks: ['values.2'],
    story: 'Numbers go through a column with 15 digits.',
    store: valuesReadAs((value) => (typeof value === 'number' ? Number(value.toPrecision(15)) : value)),
  },
  {
    name: 'dates-revived',
    breaks: ['values.2'],
    story: 'A reviver turns every text that looks like a date into a Date.',
    store: valuesReadAs((value) =>
      typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? new Date(value) : value,
    ),
  },
  {
    name: 'bytes-as-text',
    breaks: ['values.3', 'values.7'],
    story: 'Bytes are stored as UTF-8. [255, 0, 254] becomes [239, 191, 189, 0, 239, 191, 189].',
    store: valuesReadAs((value) =>
      value instanceof Uint8Array ? new Uint8Array(Buffer.from(Buffer.from(value).toString('utf8'))) : value,
    ),
  },
  {
    name: 'floats-as-bytes',
    breaks: ['values.3', 'values.7'],
    story: 'A Float32Array comes back as the bytes it is made of.',
    store: valuesReadAs((value) =>
      value instanceof Float32Array ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : value,
    ),
  },
  {
    name: 'buffers-as-bytes',
    breaks: ['values.3'],
    story: 'An ArrayBuffer comes back as a Uint8Array on it, which is not what the SDK takes.',
    store: valuesReadAs((value) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value)),
  },
  {
    name: 'urls-as-text',
    breaks: ['values.3'],
    story: 'A URL has a toJSON. The address of an image comes back as text, and is sent as its content.',
    store: valuesReadAs((value) => (value instanceof URL ? value.href : value)),
  },
  {
    name: 'content-filled-in',
    breaks: ['values.9'],
    story: 'A message without content gets `content: null`, because the column has to hold something.',
    store: readAs((message) => ('content' in message ? message : { ...message, content: null })),
  },
  {
    name: 'unknown-roles-are-users',
    breaks: ['values.9'],
    story: 'The role is an enum with four values. Everyone else comes back as the user.',
    store: readAs((message) =>
      ['system', 'user', 'assistant', 'tool'].includes(message.role ?? 'user') ? message : { ...message, role: 'user' },
    ),
  },
  {
    name: 'keys-sorted',
    breaks: ['values.10'],
    story: "Keys come back in alphabetical order. Every prompt misses the provider's cache.",
    store: valuesReadAs(sortKeys),
  },
  {
    name: 'columns-first',
    breaks: ['values.10'],
    story: 'Role and content are columns, and come first when the message is rebuilt.',
    store: readAs(({ role, content, ...rest }) => ({
      ...(role !== undefined && { role }),
      ...(content !== undefined && { content }),
      ...rest,
    })),
  },
  {
    name: 'numbers-of-16-digits',
    breaks: ['values.10', 'values.2'],
    story: 'Numbers are written with 16 digits. Some need 17, and come back as the number next to it.',
    store: valuesReadAs((value) => (typeof value === 'number' ? Number(value.toPrecision(16)) : value)),
  },
  {
    name: 'proto-swallowed',
    breaks: ['values.4', 'values.2'],
    story: 'Objects are copied by assignment, and the key __proto__ is lost.',
    store: readAs((message) => {
      const metadata = message.metadata
      if (!metadata || !Object.hasOwn(metadata, '__proto__')) return message
      return { ...message, metadata: Object.assign({}, metadata) }
    }),
  },
  {
    name: 'deep-data-becomes-null',
    breaks: ['values.5'],
    story: 'Below a depth of 900, the encoder writes null to avoid overflowing the stack.',
    store: (sound) => ({
      async getHistory(session, options) {
        return alter(await sound.getHistory(session, options), (message) => {
          let place: Record<string, unknown> | undefined = message.metadata
          for (let level = 0; level < deepest && place; level++) place = place['next'] as typeof place
          if (place) place['next'] = null
          return message
        })
      },
    }),
  },
  {
    name: 'bigint-becomes-text',
    breaks: ['values.7'],
    story: 'JSON.stringify throws on a BigInt, so a replacer silently turns it into text.',
    store: madeInto((value) => (typeof value === 'bigint' ? `${value}` : value)),
  },
  {
    name: 'undefined-becomes-null',
    breaks: ['values.7'],
    story: 'undefined in a list comes back as null: JSON has no other way.',
    store: madeInto((value) => (Array.isArray(value) ? value.map((one) => one ?? null) : value)),
  },
  {
    name: 'class-instances-flattened',
    breaks: ['values.6'],
    story: 'A class instance is stored as its fields, and its class is forgotten.',
    store: (sound, bowl) => ({
      addMessages(session, messages, options) {
        const flattened = shared(bowl, 'flattened', () => new Set<string>())
        const flat = (value: unknown) => (value?.constructor?.name === 'Thing' ? { ...(value as object) } : value)
        if (!Array.isArray(messages) || flattened.has(session)) return sound.addMessages(session, messages, options)
        return sound.addMessages(
          session,
          messages.map((one) =>
            one?.metadata && 'v' in one.metadata
              ? { ...one, metadata: { ...one.metadata, v: flat(one.metadata.v) } }
              : one,
          ),
          options,
        )
      },
    }),
  },
  {
    name: 'checked-once-and-copied-again',
    breaks: ['values.8'],
    story:
      'The message is checked, then copied. Its content comes from a getter, which returned something else the second time.',
    store: (sound, bowl) => ({
      async addMessages(session, messages: readonly ChatMessage[], options) {
        const read = () => (Array.isArray(messages) ? messages.map((message) => message?.content) : [])
        const [checked, copied] = [read(), read()]
        if (checked.every((content, index) => Object.is(content, copied[index]))) {
          return sound.addMessages(session, messages, options)
        }
        const valid = messages.map(({ role }, index) => ({ role, content: checked[index] ?? null }))
        const added = await sound.addMessages(session, valid, options)
        shared(bowl, 'unreadable', () => new Set<string>()).add(session)
        return added
      },
      async getEntries(session, options) {
        if (!shared(bowl, 'unreadable', () => new Set<string>()).has(session)) return sound.getEntries(session, options)
        throw Object.assign(new Error('the last message has no content'), { code: 'MEMORY_LOST' })
      },
    }),
  },
]
