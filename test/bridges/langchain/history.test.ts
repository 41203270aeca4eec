import { BaseListChatMessageHistory } from '@langchain/core/chat_history'
import * as messages from '@langchain/core/messages'
import { AIMessage, type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages'
import { RunnableLambda, RunnableWithMessageHistory } from '@langchain/core/runnables'
import { openMemory } from 'unforget'
import { UnforgetChatMessageHistory } from 'unforget/langchain'
import { describe, expect, test } from 'vitest'
import { everyBackend } from '../../backends/every-backend.ts'
import { messagesOfEveryClass } from './messages-of-every-class.ts'

const { cases } = await everyBackend()

/** What a message is, and what it says of itself. What its constructor was given (`lc_kwargs`) may differ. */
function anatomy(message: BaseMessage) {
  const { lc_kwargs, ...fields } = message
  const { text, contentBlocks, lc_id } = message
  return { class: Object.getPrototypeOf(message) as unknown, fields, text, contentBlocks, lc_id }
}

test('the messages of the tests are of every class there is', () => {
  const isClass = ([name, value]: [string, unknown]) =>
    /Message(Chunk)?$/.test(name) && typeof value === 'function' && /^[A-Z]/.test(name) && !name.startsWith('Base')
  const classes = Object.entries(messages)
    .filter(isClass)
    .map(([, value]) => (value as typeof AIMessage).prototype)
  const seen = new Set(messagesOfEveryClass().map((message) => Object.getPrototypeOf(message) as object))
  expect(classes.length).toBeGreaterThan(10)
  for (const one of classes) expect(seen, one.constructor.name).toContain(one)
})

describe.each(cases)('on %s', (_name, open) => {
  test('messages of every class come back as their class, with all fields', async () => {
    const { store } = await open()
    const history = new UnforgetChatMessageHistory(store.session('s'))
    await history.addMessages(messagesOfEveryClass())
    const seen = await history.getMessages()
    const expected = messagesOfEveryClass()
    for (const [index, message] of seen.entries()) {
      expect(anatomy(message), `message ${index}`).toStrictEqual(expected[index] && anatomy(expected[index]))
    }
    expect(seen).toHaveLength(expected.length)
    await new UnforgetChatMessageHistory(store.session('again')).addMessages(seen)
    expect(await store.getHistory('again')).toEqual(await store.getHistory('s'))
  })

  test('it is a history: one message, texts, a clear', async () => {
    const { store } = await open()
    const history = new UnforgetChatMessageHistory(store.session('s'))
    expect(history).toBeInstanceOf(BaseListChatMessageHistory)
    expect(await history.getMessages()).toEqual([])
    await history.addMessages([])
    await history.addUserMessage('hello')
    await history.addAIMessage('hi')
    await history.addMessage(new SystemMessage('x'))
    expect((await history.getMessages()).map((one) => [one.getType(), one.text])).toEqual([
      ['human', 'hello'],
      ['ai', 'hi'],
      ['system', 'x'],
    ])
    await history.clear()
    expect(await history.getMessages()).toEqual([])
  })

  test('a cut keeps tool calls with their results, and a summary is a message', async () => {
    const { store } = await open()
    const history = new UnforgetChatMessageHistory(store.session('s'))
    const calling = new AIMessage({ content: '', tool_calls: [{ id: 'a', name: 'search', args: {} }] })
    await history.addMessages([
      new SystemMessage('Be brief.'),
      new HumanMessage('one'),
      calling,
      new ToolMessage({ content: 'found', tool_call_id: 'a' }),
      new AIMessage('two'),
    ])
    await store.trim('s', { maxEntries: 3, keepSystem: true })
    expect((await history.getMessages()).map((one) => one.text)).toEqual(['Be brief.', 'two'])
    await history.addMessages([new HumanMessage('three')])
    await store.compact('s', { keep: 1, summarize: () => 'said two', summaryRole: 'user' })
    const [system, summary, last] = await history.getMessages()
    expect([system, last].map((one) => one?.text)).toEqual(['Be brief.', 'three'])
    expect(summary).toBeInstanceOf(HumanMessage)
    expect(summary?.content).toBe('said two')
  })
})

test('an instance of a class in an artifact is refused with its place, and nothing is written', async () => {
  const memory = await openMemory('memory:')
  const history = new UnforgetChatMessageHistory(memory.session('s'))
  const bad = new ToolMessage({ content: 'x', tool_call_id: 'a', artifact: { when: new Date(0) } })
  await expect(history.addMessages([new HumanMessage('fine'), bad])).rejects.toMatchObject({
    code: 'INVALID_ENTRY',
    path: 'messages[1].artifact.when',
  })
  await expect(history.addMessages([{ role: 'user' } as never])).rejects.toThrow(TypeError)
  expect(await history.getMessages()).toEqual([])
})

test('messages that were added by other means are messages, too', async () => {
  const memory = await openMemory('memory:')
  await memory.addMessages('s', [{ role: 'user', content: 'a' }, { role: 'critic', content: 'b' }, { content: null }])
  const seen = await new UnforgetChatMessageHistory(memory.session('s')).getMessages()
  expect(seen.map((one) => [one.getType(), one.content])).toEqual([
    ['human', 'a'],
    ['generic', 'b'],
    ['generic', ''],
  ])
})

test('RunnableWithMessageHistory goes on with it after the memory was reopened', async () => {
  const memory = await openMemory('memory:')
  const echo = RunnableLambda.from((input: BaseMessage[]) => new AIMessage(`answer ${input.length}`))
  const chain = () =>
    new RunnableWithMessageHistory({
      runnable: echo,
      getMessageHistory: (id) => new UnforgetChatMessageHistory(memory.session(id)),
    })
  for (const text of ['one', 'two']) {
    await chain().invoke([new HumanMessage(text)], { configurable: { sessionId: 'user-42' } })
  }
  const seen = await new UnforgetChatMessageHistory(memory.session('user-42')).getMessages()
  expect(seen.map((one) => one.text)).toEqual(['one', 'answer 1', 'two', 'answer 3'])
})
