import { InMemoryChatMessageHistory } from '@langchain/core/chat_history'
import { AIMessage, HumanMessage, mapStoredMessagesToChatMessages, ToolMessage } from '@langchain/core/messages'
import { MemorySession, protocol } from '@openai/agents-core'
import {
  agentsSession,
  cases,
  defineStore,
  langchainHistory,
  runCase,
  type StoreDefinition,
} from 'unforget/conformance'
import { describe, expect, test } from 'vitest'
import { lookAt, missingFor } from '../../src/conformance/offers.ts'
import type { LangChainHistory, LangChainStoredMessage } from '../../src/conformance/subjects/langchain.ts'
import type { AgentsSession } from '../../src/conformance/subjects/openai-agents.ts'
import type { ChatMessage } from '../../src/core/entries.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const messages: ChatMessage[] = [
  { role: 'system', content: 'be brief', name: 'rules', metadata: { version: 3 } },
  { role: 'user', content: '' },
  { role: 'user', content: 'hello', id: 'msg_1', name: 'ann', locale: null },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'look' },
      { type: 'image_url', image_url: { url: 'data:,' } },
    ],
  },
  { role: 'user', content: [], toolCallId: 'none', toolCalls: [] },
  { role: 'assistant', content: 'hi', id: 'msg_2', metadata: { finish: 'stop', usage: { tokens: 3 } } },
  { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
  { role: 'assistant', content: null, toolCalls: [{ id: 'a', name: 'search', arguments: { q: ['x', null] } }] },
  { role: 'assistant', content: null, toolCalls: [{ id: 'b', name: 'search', arguments: '{"q":1}' }] },
  {
    role: 'assistant',
    content: 'two at once',
    toolCalls: [
      { id: 'c', name: 'search', arguments: {}, index: 0 },
      { id: 'd', name: 'stop' },
    ],
  },
  { role: 'assistant', content: '', toolCalls: [] },
  { role: 'tool', content: 'found', toolCallId: 'a', name: 'search' },
  { role: 'tool', content: [{ type: 'text', text: 'r', cache: { ttl: '5m' } }], toolCallId: 'b' },
  { role: 'tool', content: null, name: '', error: { code: 7 } },
]

/** A store of the wrapper that keeps an object for each session of each memory. */
function storeOf<One>(name: string, make: () => One, wrap: (of: (sessionId: string) => One) => object) {
  const kept = new Map<string, One>()
  const of = (key: string) => kept.get(key) ?? (kept.set(key, make()).get(key) as One)
  return defineStore({ name, open: ({ location }) => wrap((sessionId) => of(`${location} ${sessionId}`)) })
}

const wrapHistory = (of: (sessionId: string) => InMemoryChatMessageHistory) =>
  langchainHistory(of, mapStoredMessagesToChatMessages)

/** The core cases that are offered, and those of them that fail. */
async function proveCore(definition: StoreDefinition): Promise<{ offered: string[]; failed: string[] }> {
  const folder = await temporaryFolder()
  const offer = await lookAt(definition, `${folder}/look`)
  const core = cases.filter((one) => one.level === 'core' && missingFor(one, offer).length === 0)
  const failed: string[] = []
  for (const one of core) {
    const failure = await runCase(one, { definition, module: null, folder }, { seed: 1, deadline: 60_000 })
    if (failure !== null) failed.push(one.id)
  }
  return { offered: core.map(({ id }) => id), failed }
}

describe("LangChain's histories", () => {
  test('every kind of message comes back', async () => {
    const history = new InMemoryChatMessageHistory()
    const store = wrapHistory(() => history)
    await store.addMessages('s', messages)
    expect(await store.getHistory('s')).toStrictEqual(messages)
    await store.clear('s')
    expect(await store.getHistory('s')).toEqual([])
  })

  test('what LangChain has a place for is where LangChain has it', async () => {
    const history = new InMemoryChatMessageHistory()
    const store = wrapHistory(() => history)
    await store.addMessages('s', [
      { role: 'user', content: 'hello', id: 'msg_1', name: 'ann' },
      { role: 'assistant', content: null, toolCalls: [{ id: 'a', name: 'search', arguments: { q: 1 } }] },
      { role: 'tool', content: 'found', toolCallId: 'a', name: 'search' },
    ])
    const [user, assistant, tool] = await history.getMessages()
    expect(user).toMatchObject({ type: 'human', content: 'hello', id: 'msg_1', name: 'ann', additional_kwargs: {} })
    expect(assistant).toMatchObject({ type: 'ai', tool_calls: [{ id: 'a', name: 'search', args: { q: 1 } }] })
    expect(tool).toMatchObject({ type: 'tool', content: 'found', tool_call_id: 'a', name: 'search' })
    for (const one of [user, assistant, tool]) expect(typeof one?.toDict().data.content).toBe('string')
  })

  test('messages of others are read with all they carry', async () => {
    const history = new InMemoryChatMessageHistory([
      new HumanMessage({ content: 'x', additional_kwargs: { own: 1 } }),
      new AIMessage({ content: 'y', response_metadata: { model: 'm' } }),
      new ToolMessage({ content: 'z', tool_call_id: 'a', artifact: { raw: true }, status: 'error' }),
    ])
    expect(await wrapHistory(() => history).getHistory('s')).toEqual([
      { role: 'user', content: 'x', additional_kwargs: { own: 1 } },
      { role: 'assistant', content: 'y', response_metadata: { model: 'm' } },
      { role: 'tool', content: 'z', toolCallId: 'a', artifact: { raw: true }, status: 'error' },
    ])
  })

  test('a role that LangChain does not have is refused', async () => {
    const history = new InMemoryChatMessageHistory()
    const batch = [
      { role: 'user', content: 'x' },
      { role: 'poet' as never, content: 'y' },
    ] satisfies ChatMessage[]
    await expect(wrapHistory(() => history).addMessages('s', batch)).rejects.toThrow(TypeError)
    expect(await history.getMessages()).toEqual([])
  })

  test('InMemoryChatMessageHistory fails these core cases and no other', async () => {
    const definition = storeOf('in memory', () => new InMemoryChatMessageHistory(), wrapHistory)
    const { offered, failed } = await proveCore(definition)
    expect(offered.length).toBeGreaterThan(12)
    expect(failed).toEqual([
      'adding.1/long-batches',
      'adding.4/given-and-returned-copies',
      'clearing.1/empty-and-goes-on',
      'adding.6/fifty-writers-at-once',
    ])
  })

  test('a sound history passes every core case it offers', async () => {
    const definition = storeOf('sound', soundHistory, (of) => langchainHistory(of, toSound))
    const { offered, failed } = await proveCore(definition)
    expect(offered.length).toBeGreaterThan(12)
    expect(failed).toEqual([])
  })

  test('a history that takes messages one by one is given them one by one', async () => {
    const { getMessages, addMessage, clear } = soundHistory()
    const store = langchainHistory(() => ({ getMessages, addMessage, clear }), toSound)
    await store.addMessages('s', messages)
    expect(await store.getHistory('s')).toStrictEqual(messages)
  })
})

describe("OpenAI's sessions", () => {
  test('every kind of message comes back, as items of the protocol', async () => {
    const session = new MemorySession()
    const store = agentsSession(() => session)
    await store.addMessages('s', messages)
    expect(await store.getHistory('s')).toStrictEqual(messages)
    for (const item of await session.getItems()) expect(protocol.ModelItem.parse(item)).toEqual(item)
    await store.clear('s')
    expect(await store.getHistory('s')).toEqual([])
  })

  test('what the SDK has a place for is where the SDK has it', async () => {
    const session = new MemorySession()
    await agentsSession(() => session).addMessages('s', [
      { role: 'user', content: 'hello', id: 'msg_1' },
      { role: 'assistant', content: 'wait', toolCalls: [{ id: 'a', name: 'search', arguments: '{"q":1}' }] },
      { role: 'tool', content: 'found', toolCallId: 'a', name: 'search' },
    ])
    expect(await session.getItems()).toEqual([
      { type: 'message', role: 'user', content: 'hello', id: 'msg_1' },
      { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'wait' }] },
      { type: 'function_call', callId: 'a', name: 'search', arguments: '{"q":1}' },
      { type: 'function_call_result', callId: 'a', name: 'search', status: 'completed', output: 'found' },
    ])
  })

  test('items of others are read, and those that are no message are an error', async () => {
    const session = new MemorySession({
      initialItems: [
        { role: 'user', content: [{ type: 'input_text', text: 'x' }] },
        { type: 'function_call', callId: 'a', name: 'search', arguments: '{}' },
        { type: 'function_call', callId: 'b', name: 'search', arguments: '{}' },
      ],
    })
    const store = agentsSession(() => session)
    expect(await store.getHistory('s')).toEqual([
      { role: 'user', content: [{ type: 'input_text', text: 'x' }] },
      {
        role: 'assistant',
        content: null,
        toolCalls: ['a', 'b'].map((id) => ({ id, name: 'search', arguments: '{}' })),
      },
    ])
    await session.addItems([{ type: 'reasoning', content: [] }])
    await expect(store.getHistory('s')).rejects.toThrow(TypeError)
  })

  test('MemorySession passes every core case it offers', async () => {
    const { offered, failed } = await proveCore(storeOf('session', () => new MemorySession(), agentsSession))
    expect(offered.length).toBeGreaterThan(12)
    expect(failed).toEqual([])
  })

  test('a sound session passes every core case it offers', async () => {
    const { offered, failed } = await proveCore(storeOf('sound', soundSession, agentsSession))
    expect(offered.length).toBeGreaterThan(12)
    expect(failed).toEqual([])
  })
})

interface SoundMessage {
  getType(): string
  readonly content: unknown
}

/** Messages of no class of LangChain's. */
function toSound(stored: readonly LangChainStoredMessage[]): SoundMessage[] {
  return stored.map(({ type, data }) => ({ ...data, getType: () => type }))
}

function soundHistory(): LangChainHistory<SoundMessage> {
  let kept: { type: string; data: Record<string, unknown> }[] = []
  const add = async (given: SoundMessage[]) => {
    kept.push(...given.map(({ getType, ...data }) => ({ type: getType(), data: structuredClone(data) })))
  }
  return {
    getMessages: async () => toSound(structuredClone(kept) as unknown as LangChainStoredMessage[]),
    addMessage: (one) => add([one]),
    addMessages: add,
    clear: async () => {
      kept = []
    },
  }
}

function soundSession(): AgentsSession {
  let kept: object[] = []
  return {
    getItems: async () => structuredClone(kept),
    addItems: async (items) => {
      kept.push(...structuredClone(items))
    },
    clearSession: async () => {
      kept = []
    },
  }
}
