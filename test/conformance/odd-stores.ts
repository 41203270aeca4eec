import { PassThrough } from 'node:stream'
import { setTimeout as after, setImmediate as tick } from 'node:timers/promises'
import { types } from 'node:util'
import { Worker } from 'node:worker_threads'
import { type Backend, type ChatMessage, MemoryStore } from 'unforget'
import { memoryStoreCapabilities, type StoreDefinition } from 'unforget/conformance'
import { MemoryBackend } from 'unforget/memory'
import { overlay } from '../../src/conformance/goldfish/helpers/overlay.ts'
import { toolLinks } from '../../src/core/tool-links.ts'

type Method = (...parameters: unknown[]) => Promise<unknown>

/** How a store differs from ours without forgetting anything. */
interface Oddity {
  readonly backend?: (sound: Backend) => Partial<Backend>
  readonly parameters?: (parameters: unknown[], method: string) => unknown[]
  readonly result?: (result: unknown, method: string) => unknown
  readonly call?: (call: () => Promise<unknown>) => unknown
}

const same = <T>(value: T): T => value

/** Options of a snapshot that leave its id to the store. What are no options at all is for the store to reject. */
const isUnnamed = (options: unknown): options is object =>
  typeof options === 'object' &&
  options !== null &&
  Object.getPrototypeOf(options) === Object.prototype &&
  !('id' in options) &&
  !('operationId' in options)

function oddStore(name: string, oddity: Oddity): StoreDefinition {
  const { parameters = same, result = same, call = (run) => run(), backend: odd = () => ({}) } = oddity
  const memories = new Map<string, MemoryBackend>()
  return {
    name,
    capabilities: { ...memoryStoreCapabilities, summaryMessage: true, turns: true, owners: true },
    open({ location, ttl, timeout, summaryMessage, wrapBackend = same }) {
      const memory = memories.get(location) ?? new MemoryBackend()
      memories.set(location, memory)
      const backend = overlay<Backend>(memory, { close: async () => {}, ...odd(memory) })
      const store = new MemoryStore(wrapBackend(backend), { ttl, timeout, summaryMessage })
      return new Proxy(store, {
        get(target, property) {
          const value: unknown = Reflect.get(target, property)
          if (typeof value !== 'function') return value
          if (typeof property === 'symbol' || property === 'session') return value.bind(target)
          return (...given: unknown[]) =>
            call(async () => result(await (value as Method).apply(target, parameters(given, property)), property))
        },
      })
    },
    close: (store) => (store as MemoryStore).close(),
    destroy: ({ location }) => memories.delete(location),
  }
}

/** Does something to what a method returns, or to every item of a list, which stays the same list. */
function everyItem(value: unknown, change: (item: object) => object): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value)) return change(value)
  for (const [index, item] of value.entries()) value[index] = everyItem(item, change)
  return value
}

function freeze(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || types.isTypedArray(value)) return value
  for (const item of Object.values(value)) freeze(item)
  return Object.freeze(value)
}

class Turn {}

const isCopy = (method: string) => method === 'exportSession'

/** Every result comes after its call, and what is nothing without the next message is not the last before it. */
function isWhole(messages: readonly ChatMessage[], before: ChatMessage | undefined): boolean {
  const asked = new Set<unknown>()
  const areAnswers = messages.every((message) => {
    const { calls, answers } = toolLinks(message)
    for (const id of calls) asked.add(id)
    return answers.every((id) => asked.has(id))
  })
  return areAnswers && !(before && toolLinks(before).joinsNext)
}

/** It begins with a call that is still to be answered. */
function isWaiting([first, ...rest]: readonly ChatMessage[]): boolean {
  const answered = new Set(rest.map(({ toolCallId }) => toolCallId))
  const open = first?.toolCalls?.some(({ id }) => !answered.has(id)) ?? false
  return open && !rest.some(({ role }) => role === 'user')
}

/** The least that can be proved: lists in a map, cloned on the way in and out. */
class Lists {
  static readonly all = new Map<string, Map<string, ChatMessage[]>>()
  readonly #sessions: Map<string, ChatMessage[]>

  constructor(location: string) {
    this.#sessions = Lists.all.get(location) ?? new Map()
    Lists.all.set(location, this.#sessions)
  }

  static check(session: string, messages: ChatMessage[] = []): void {
    if (typeof session !== 'string') throw new TypeError('session')
    if (!Array.isArray(messages) || messages.some((one) => typeof one !== 'object' || one === null)) {
      throw new TypeError('messages')
    }
  }

  addMessages(session: string, messages: ChatMessage[]): void {
    Lists.check(session, messages)
    const added = structuredClone(messages)
    if (added.length > 0) this.#sessions.set(session, [...(this.#sessions.get(session) ?? []), ...added])
  }

  getHistory(session: string): ChatMessage[] {
    Lists.check(session)
    return structuredClone(this.#sessions.get(session) ?? [])
  }

  trim(session: string, { maxEntries }: { maxEntries: number }): void {
    Lists.check(session)
    if (!Number.isInteger(maxEntries) || maxEntries < 1) throw new RangeError('maxEntries')
    const history = this.getHistory(session)
    let cut = Math.max(0, history.length - maxEntries)
    while (!isWhole(history.slice(cut), history[cut - 1])) cut += 1
    const waiting = history.findIndex((_, index) => isWaiting(history.slice(index)))
    if (waiting >= 0) cut = Math.min(cut, waiting)
    if (history.length > 0) this.#sessions.set(session, history.slice(cut))
  }

  clear(session: string): void {
    Lists.check(session)
    this.#sessions.delete(session)
  }
}

/** How a write reaches what reads are answered from; in order. */
type Way = <T>(write: T) => Promise<T>

/** Reads come from memory at once; a write is acknowledged when it has come there in its own way. */
class CachedLists {
  readonly #lists: Lists
  readonly #way: Way

  constructor(location: string, way: Way) {
    this.#lists = new Lists(location)
    this.#way = way
  }

  async addMessages(session: string, messages: ChatMessage[]): Promise<void> {
    Lists.check(session, messages)
    this.#lists.addMessages(session, await this.#way(structuredClone(messages)))
  }

  async getHistory(session: string): Promise<ChatMessage[]> {
    return this.#lists.getHistory(session)
  }

  async trim(session: string, options: { maxEntries: number }): Promise<void> {
    this.#lists.trim(session, await this.#way(options))
  }

  async clear(session: string): Promise<void> {
    this.#lists.clear(await this.#way(session))
  }
}

function cachedStore(name: string, way: () => Way): StoreDefinition {
  let opened: Way | undefined
  return {
    name: `cached reads, writes ${name}`,
    open({ location }) {
      opened ??= way()
      return new CachedLists(location, opened)
    },
    destroy: ({ location }) => Lists.all.delete(location),
  }
}

/** The answers of a channel that keeps the order, one to each message. */
function inOrder(send: (write: unknown) => void, listen: (answer: (write: unknown) => void) => void): Way {
  const waiting: ((write: unknown) => void)[] = []
  listen((write) => waiting.shift()?.(write))
  return <T>(write: T) =>
    new Promise<T>((resolve) => {
      waiting.push(resolve as (write: unknown) => void)
      send(write)
    })
}

function throughWorker(): Way {
  const code = `const { parentPort } = require('node:worker_threads')
parentPort.on('message', (write) => parentPort.postMessage(write))`
  const worker = new Worker(code, { eval: true })
  worker.unref()
  return inOrder(
    (write) => worker.postMessage(write),
    (answer) => worker.on('message', answer),
  )
}

function throughStream(): Way {
  const stream = new PassThrough({ objectMode: true })
  return inOrder(
    (write) => stream.write({ write }),
    (answer) => stream.on('data', (one: { write: unknown }) => setImmediate(() => answer(one.write))),
  )
}

/** Stores that forget nothing and look like no other. */
export const oddStores: readonly StoreDefinition[] = [
  oddStore('slow', {
    call: (run) =>
      run().finally(async () => {
        for (let turn = 0; turn < 10; turn++) await tick()
      }),
  }),
  oddStore('extra fields', {
    result: (value, method) =>
      isCopy(method) ? value : everyItem(value, (item) => ({ ...item, _id: 7, receivedAt: 'x' })),
  }),
  oddStore('frozen results', { result: (value, method) => (isCopy(method) ? value : freeze(value)) }),
  oddStore('class instances', {
    result: (value, method) =>
      isCopy(method) ? value : everyItem(value, (item) => Object.assign(Object.create(Turn.prototype), item)),
  }),
  oddStore('other snapshot ids', {
    parameters(given, method) {
      const [session, options = {}] = given as [string, unknown]
      if (method !== 'saveSnapshot' || !isUnnamed(options)) return given
      return [session, { ...options, id: `snapshot:${crypto.randomUUID()}/✓` }]
    },
  }),
  {
    name: 'nothing but lists',
    open: ({ location }) => new Lists(location),
    destroy: ({ location }) => Lists.all.delete(location),
  },
  cachedStore('on a timer', () => (write) => after(1, write)),
  cachedStore('on setImmediate', () => (write) => tick(write)),
  cachedStore('in a worker thread', throughWorker),
  cachedStore('over a stream', throughStream),
  oddStore('cached reads under a whole store, commits on setImmediate', {
    backend: (sound) => ({
      async commit(...given) {
        await tick()
        return sound.commit(...given)
      },
    }),
  }),
]
