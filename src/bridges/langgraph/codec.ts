import type { SerializerProtocol } from '@langchain/langgraph-checkpoint'
import { InvalidEntryError } from '../../core/errors.ts'
import { MemorySaver } from './checkpoint-package.ts'
import type { Stored } from './records.ts'
import { StoredItems } from './stored-items.ts'

/** What LangGraph's serializer writes in place of a value that JSON cannot hold. */
const unable = '[unable to serialize, circular reference is too complex to analyze]'
const unableText = JSON.stringify(unable)

const text = new TextDecoder()
const probe = { unforget: ['probe', 1] }

/** A serialized value; two that have the same text are the same. `null`: no other is. */
export interface Dumped {
  readonly stored: Stored
  readonly text: string | null
}

/**
 * Values to what is stored, and back. Without a serializer of the caller's own, values are kept as the JSON that LangGraph's serializer makes. With one, they are kept as it returns
 * them, and are compared by its output if that is the same each time; otherwise, as when it encrypts, by what LangGraph's own makes of them.
 */
export class Codec {
  /** Only if it `isPlain`. */
  readonly items = new StoredItems()
  readonly #plain: SerializerProtocol = new MemorySaver().serde
  readonly #own: SerializerProtocol | undefined
  readonly #texts = new WeakMap<Stored & object, string | null>()
  #ownIsStable: Promise<boolean> | undefined

  constructor(own: SerializerProtocol | undefined) {
    this.#own = own
  }

  /** Whether a list can be serialized at once, with the same result as item by item. */
  get isPlain(): boolean {
    return this.#own === undefined
  }

  /** The JSON of a whole list, in UTF-8. Only if it `isPlain`. */
  async dumpList(list: readonly unknown[], place: string): Promise<Buffer> {
    const [, data] = await this.#plain.dumpsTyped(list)
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    if (bytes[0] !== 0x5b) throw cannotStore(place)
    return bytes
  }

  async dump(value: unknown, place: string): Promise<Dumped> {
    if (this.#own === undefined) return dumpPlain(this.#plain, value, place)
    const [type, data] = await this.#own.dumpsTyped(value)
    const stored: Stored = { type, data: toBytes(data) }
    const kept = await this.#stable()
    const dumped: Dumped = { stored, text: kept ? textOf(stored) : await this.#comparable(value) }
    this.#texts.set(stored, dumped.text)
    return dumped
  }

  async load(stored: Stored): Promise<unknown> {
    if (isJson(stored)) return this.#plain.loadsTyped('json', JSON.stringify(stored[0]))
    return (this.#own ?? this.#plain).loadsTyped(stored.type, stored.data)
  }

  /** All at once if they are JSON. */
  async loadList(items: readonly Stored[]): Promise<unknown[]> {
    if (!items.every(isJson)) return Promise.all(items.map((item) => this.load(item)))
    const list = (await this.#plain.loadsTyped('json', JSON.stringify(items.map(([json]) => json)))) as unknown[]
    if (this.isPlain) this.items.look(list)(items)
    return list
  }

  /** What `dump` said of a stored value. Kept, since a list that does not only grow is compared item by item every time. */
  async textOf(stored: Stored): Promise<string | null> {
    const known = this.#texts.get(stored)
    if (known !== undefined) return known
    const isOwn = this.#own !== undefined && !isJson(stored) && !(await this.#stable())
    const found = isOwn ? await this.#comparable(await this.load(stored)) : textOf(stored)
    this.#texts.set(stored, found)
    return found
  }

  async #comparable(value: unknown): Promise<string | null> {
    const [type, data] = await this.#plain.dumpsTyped(value)
    const dumped = `${type}:${text.decode(toBytes(data))}`
    return dumped === `json:${unableText}` ? null : dumped
  }

  #stable(): Promise<boolean> {
    this.#ownIsStable ??= this.#isStable()
    return this.#ownIsStable
  }

  async #isStable(): Promise<boolean> {
    const [first, second] = await Promise.all([this.#own?.dumpsTyped(probe), this.#own?.dumpsTyped(probe)])
    return first !== undefined && second !== undefined && Buffer.compare(toBytes(first[1]), toBytes(second[1])) === 0
  }
}

async function dumpPlain(serde: SerializerProtocol, value: unknown, place: string): Promise<Dumped> {
  const [type, data] = await serde.dumpsTyped(value)
  if (type !== 'json') {
    const stored = { type, data }
    return { stored, text: textOf(stored) }
  }
  const json = text.decode(data)
  if (json === unableText && value !== unable) throw cannotStore(place)
  return { stored: [JSON.parse(json)], text: json }
}

function cannotStore(place: string): InvalidEntryError {
  return new InvalidEntryError(place, 'holds something that JSON cannot, such as a BigInt')
}

function isJson(stored: Stored): stored is readonly [json: unknown] {
  return Array.isArray(stored)
}

function textOf(stored: Stored): string {
  if (isJson(stored)) return JSON.stringify(stored[0])
  return `${stored.type}:${Buffer.from(stored.data).toString('latin1')}`
}

/** A serializer may return text, against its type. */
function toBytes(data: Uint8Array | string): Uint8Array {
  return typeof data === 'string' ? new TextEncoder().encode(data) : data
}
