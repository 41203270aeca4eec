import { AIMessage, HumanMessage } from '@langchain/core/messages'
import type { RunnableConfig } from '@langchain/core/runnables'
import { emptyCheckpoint, MemorySaver, uuid6 } from '@langchain/langgraph-checkpoint'
import { expect, onTestFinished, test, vi } from 'vitest'
import { UnforgetSaver } from '../../../src/bridges/langgraph/index.ts'

const thread = { configurable: { thread_id: '1', checkpoint_ns: '' } }

interface PutOptions {
  ns?: string
  from?: RunnableConfig | undefined
  by?: UnforgetSaver
}

/** Puts lists one after another, and reads each with a saver that has seen none of them. */
async function onMemory() {
  const saver = await UnforgetSaver.fromUrl('memory:')
  onTestFinished(() => saver.close())
  let config: RunnableConfig = thread
  let version = 0
  return {
    saver,
    async put(items: unknown[], { ns = '', from = config, by = saver }: PutOptions = {}) {
      version += 1
      const checkpoint = {
        ...emptyCheckpoint(),
        id: uuid6(version),
        channel_values: { items },
        channel_versions: { items: version },
      }
      const metadata = { source: 'loop' as const, step: version, parents: {} }
      const to = ns === '' ? from : { configurable: { ...thread.configurable, checkpoint_ns: ns } }
      const put = await by.put(to, checkpoint, metadata, { items: version })
      if (ns === '') config = put
    },
    async read(ns = ''): Promise<unknown> {
      const cold = new UnforgetSaver(saver.memory)
      const tuple = await cold.getTuple({ configurable: { ...thread.configurable, checkpoint_ns: ns } })
      return tuple?.checkpoint.channel_values['items']
    },
  }
}

/** What LangGraph's serializer makes of a value. */
async function serialized(value: unknown): Promise<unknown> {
  const { serde } = new MemorySaver()
  return serde.loadsTyped(...(await serde.dumpsTyped(value)))
}

class Counter {
  #count = 0
  increase(): void {
    this.#count += 1
  }
  toJSON(): object {
    return { count: this.#count }
  }
}

class LoudMessage extends HumanMessage {
  #loudness = 0
  override get lc_id(): string[] {
    return ['langchain_core', 'messages', 'HumanMessage']
  }
  louder(): void {
    this.#loudness += 1
  }
  override get lc_attributes(): Record<string, unknown> {
    return { name: '!'.repeat(this.#loudness) }
  }
}

const answer = () =>
  new AIMessage({
    content: [{ type: 'text', text: 'hello' }],
    tool_calls: [{ name: 'look', args: { at: [1, 2] }, id: 'a' }],
  })

/** Changes what is found by following the keys. */
const assign =
  (change: object, ...keys: string[]) =>
  (item: object): void => {
    Object.assign(
      keys.reduce((at, key) => (at as Record<string, object>)[key] as object, item),
      change,
    )
  }

const ofMessages: [name: string, item: () => object, change: (item: never) => void][] = [
  ['the text of a message', () => new HumanMessage('hello'), assign({ content: 'bye' })],
  ['a part of a content', answer, assign({ text: 'bye' }, 'content', '0')],
  ['an argument of a tool call', answer, assign({ 1: 3 }, 'tool_calls', '0', 'args', 'at')],
  ['a longer list of arguments', answer, assign({ 2: 3 }, 'tool_calls', '0', 'args', 'at')],
  ['metadata', answer, assign({ model: 'm' }, 'response_metadata')],
  ['the id of a message', answer, assign({ id: '2' })],
  ['a constructor argument', answer, assign({ name: 'me' }, 'lc_kwargs')],
]

const ofObjects: typeof ofMessages = [
  ['a key that is added', () => ({ a: 1 }), assign({ b: undefined })],
  ['a key that is gone', () => ({ a: 1, b: 2 }), (item: { b?: number }) => void delete item.b],
  ['a key that moves inward', () => ({ a: { b: 1 }, c: 2 }), (item: { c?: number }) => moveInward(item)],
  ['an item that moves inward', () => [[1], 2], (item: unknown[]) => void (item[0] as unknown[]).push(item.pop())],
  ['another key', () => ({ a: { a: 1 } }), assign({ a: { b: 1 } })],
  ['a number that becomes text', () => ({ a: 1 }), assign({ a: '1' })],
  ['an object that becomes a list', () => ({ a: {} }), assign({ a: [] })],
  ['an object that becomes nothing', () => ({ a: {} }), assign({ a: null })],
  ['something that becomes a message', () => ({ a: 1 }), assign({ a: answer() })],
  ['an item of a list', () => [1, [2, 3]], assign({ 0: 4 }, '1')],
  ['a list that is shorter', () => [1, 2], (item: number[]) => void item.pop()],
  ['a set', () => ({ a: new Set([1]) }), (item: { a: Set<number> }) => void item.a.add(2)],
  ['a date', () => ({ a: new Date(0) }), (item: { a: Date }) => void item.a.setTime(1000)],
  ['bytes', () => new Uint8Array([1, 2]), assign({ 1: 3 })],
  ['private state', () => new Counter(), (item: Counter) => item.increase()],
  ['private state of a message', () => new LoudMessage('hi'), (item: LoudMessage) => item.louder()],
  ['a closure', () => counted(), (item: ReturnType<typeof counted>) => item.increase()],
]

function moveInward(item: { a?: object; c?: number }): void {
  Object.assign(item.a ?? {}, { c: item.c })
  delete item.c
}

function counted() {
  let count = 0
  const increase = () => {
    count += 1
  }
  return { increase, toJSON: () => ({ count }) }
}

test.each([...ofMessages, ...ofObjects])('what a node changes in place is stored: %s', async (_name, make, change) => {
  const { put, read } = await onMemory()
  const items: unknown[] = [{ before: 1 }, make(), { after: 1 }]
  await put(items)
  await put([...items, 'one more'])
  change(items[1] as never)
  await put([...items, 'one more'])
  expect(await read()).toEqual(await serialized([...items, 'one more']))
})

test.each(ofMessages)('what is changed in place after it was read is stored: %s', async (_name, make, change) => {
  const { saver, put, read } = await onMemory()
  await put([make(), 'last'])
  const items = (await saver.getTuple(thread))?.checkpoint.channel_values['items'] as unknown[]
  change(items[0] as never)
  await put([...items, 'one more'])
  expect(await read()).toEqual(await serialized([...items, 'one more']))
})

test('what is changed while it is being put is stored with the next put', async () => {
  const { put, read } = await onMemory()
  const message = new HumanMessage('hello')
  const changesIt = () => {
    message.content = 'changed'
  }
  const meanwhile = { toJSON: () => void queueMicrotask(changesIt) }
  await put([meanwhile, message])
  await put([message, 'next'])
  expect(await read()).toEqual(await serialized([new HumanMessage('changed'), 'next']))
})

test('what was changed in place is stored in a branch from before the change too', async () => {
  const { saver, put, read } = await onMemory()
  const message = new HumanMessage('hello')
  await put([message])
  const before = (await saver.getTuple(thread))?.config
  message.content = 'changed'
  await put([message])
  await put([message, 'branch'], { from: before })
  expect(await read()).toEqual(await serialized([message, 'branch']))
})

test('a message that holds a BigInt since the last put is refused', async () => {
  const { put, read } = await onMemory()
  const items = [new HumanMessage('hello'), { a: 1 }]
  await put(items)
  Object.assign(items[1] as object, { a: 1n })
  await expect(put(items)).rejects.toMatchObject({ code: 'INVALID_ENTRY' })
  expect(await read()).toEqual(await serialized([new HumanMessage('hello'), { a: 1 }]))
})

test('items that are removed, moved, doubled or in two namespaces come back as they were put', async () => {
  const { put, read } = await onMemory()
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => new HumanMessage({ id, content: id.repeat(500) })) as [
    HumanMessage,
    HumanMessage,
    HumanMessage,
    HumanMessage,
  ]
  for (const items of [[a, b, c], [b, c], [b, c, d], [d, b], [d, b, d, d], [d, d], [a, d, d, c], [], [c], [c, a]]) {
    await put(items)
    expect(await read()).toEqual(await serialized(items))
    await put([...items, b], { ns: 'inner' })
    expect(await read('inner')).toEqual(await serialized([...items, b]))
  }
})

test('messages that did not change are not serialized again, be they the same objects, read back or made anew', async () => {
  const { saver, put } = await onMemory()
  const message = (_: unknown, at: number) => new HumanMessage({ id: String(at), content: `message ${at}` })
  const make = () => Array.from({ length: 20 }, message)
  const items = make()
  await put(items)
  await put(items, { ns: 'inner' })
  const serialize = vi.spyOn(Object.getPrototypeOf(Object.getPrototypeOf(HumanMessage.prototype)), 'toJSON')
  onTestFinished(() => serialize.mockRestore())
  await put([...items, new HumanMessage('new')])
  await put([...make().slice(1), new HumanMessage('new'), new HumanMessage('newer')])
  expect(serialize).toHaveBeenCalledTimes(2)
  const by = new UnforgetSaver(saver.memory)
  const read = (await by.getTuple(thread))?.checkpoint.channel_values['items'] as unknown[]
  await put([...read, new HumanMessage('newest')], { by })
  expect(serialize).toHaveBeenCalledTimes(3)
})
