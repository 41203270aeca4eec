import { join } from 'node:path'
import * as ai7 from 'ai'
import { MockLanguageModelV3 as Model7 } from 'ai/test'
import * as ai6 from 'ai-6'
import { MockLanguageModelV3 as Model6, simulateReadableStream } from 'ai-6/test'
import { openMemory } from 'unforget'
import { UnforgetChats } from 'unforget/ai-sdk'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { temporaryFolder } from '../../support/temporary-folder.ts'

type Chunk = Awaited<ReturnType<Model6['doStream']>>['stream'] extends ReadableStream<infer One> ? One : never

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
}
const finish = (unified: 'stop' | 'tool-calls'): Chunk => ({
  type: 'finish',
  usage,
  finishReason: { unified, raw: unified },
})
const answers = (text: string): Chunk[] => [
  { type: 'stream-start', warnings: [] },
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', delta: 'hm' },
  { type: 'reasoning-end', id: 'r' },
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: text },
  { type: 'text-end', id: 't' },
  finish('stop'),
]
const calls = (toolName: string): Chunk[] => [
  { type: 'stream-start', warnings: [] },
  { type: 'tool-call', toolCallId: 'call', toolName, input: '{"city":"Oslo"}' },
  finish('tool-calls'),
]

/** Streams an answer to a chat's messages with the real SDK, and returns them with the answer. */
type Answer = (messages: ai7.UIMessage[], script: Chunk[][]) => Promise<ai7.UIMessage[]>

const streams = (script: Chunk[][]) => script.map((chunks) => ({ stream: simulateReadableStream({ chunks }) }))
const ids = (messages: readonly unknown[]) => () => `answer-${messages.length}`
const inputSchema = z.object({ city: z.string() })

const answerWith7: Answer = async (messages, script) => {
  const tools = {
    weather: ai7.tool({ inputSchema, execute: ({ city }) => ({ city, degrees: -4 }) }),
    forget: ai7.tool({ inputSchema, execute: () => undefined }),
  }
  const model = new Model7({ doStream: streams(script) })
  const modelMessages = await ai7.convertToModelMessages(messages)
  const result = ai7.streamText({ model, tools, messages: modelMessages, stopWhen: ai7.stepCountIs(3) })
  return new Promise((resolve, reject) => {
    const stream = ai7.toUIMessageStream({
      stream: result.stream,
      tools,
      originalMessages: messages,
      generateMessageId: ids(messages),
      onEnd: ({ messages: all }) => resolve(all),
    })
    stream.pipeTo(new WritableStream()).catch(reject)
  })
}

const answerWith6: Answer = async (messages, script) => {
  const tools = {
    weather: ai6.tool({ inputSchema, execute: ({ city }) => ({ city, degrees: -4 }) }),
    forget: ai6.tool({ inputSchema, execute: () => undefined }),
  }
  const model = new Model6({ doStream: streams(script) })
  const modelMessages = await ai6.convertToModelMessages(messages as ai6.UIMessage[])
  const result = ai6.streamText({ model, tools, messages: modelMessages, stopWhen: ai6.stepCountIs(3) })
  return new Promise((resolve, reject) => {
    const stream = result.toUIMessageStream({
      originalMessages: messages as ai6.UIMessage[],
      generateMessageId: ids(messages),
      onFinish: ({ messages: all }) => resolve(all as ai7.UIMessage[]),
    })
    stream.pipeTo(new WritableStream()).catch(reject)
  })
}

const question = (text: string): ai7.UIMessage => ({ id: text, role: 'user', parts: [{ type: 'text', text }] })

describe.each([
  ['7', answerWith7, (messages: unknown[]) => ai7.validateUIMessages({ messages })],
  ['6', answerWith6, (messages: unknown[]) => ai6.validateUIMessages({ messages })],
] as const)('AI SDK %s', (_version, answer, validate) => {
  test('a conversation with tools, an edit and a regeneration survives a restart before each step', async () => {
    const url = `sqlite:${join(await temporaryFolder(), 'chats.db')}`
    /** As a request handler does it: loads, answers, saves, ends. */
    const handle = async (change: (messages: ai7.UIMessage[]) => ai7.UIMessage[], script: Chunk[][]) => {
      const memory = await openMemory(url)
      const chat = await new UnforgetChats(memory).load('chat')
      const messages = await answer(change(chat.messages), script)
      await chat.save(messages)
      await memory.close()
      const reopened = await openMemory(url)
      const { messages: loaded } = await new UnforgetChats(reopened).load('chat')
      await reopened.close()
      expect(loaded).toEqual(messages)
      await validate(loaded)
      return loaded.map(({ id }) => id)
    }
    const ask = (text: string) => (messages: ai7.UIMessage[]) => [...messages, question(text)]

    expect(await handle(ask('hi'), [answers('Hello.')])).toEqual(['hi', 'answer-1'])
    const withTools = await handle(ask('weather'), [calls('weather'), calls('forget'), answers('Cold.')])
    expect(withTools).toEqual(['hi', 'answer-1', 'weather', 'answer-3'])
    const regenerated = await handle((messages) => messages.slice(0, 3), [answers('Very cold.')])
    expect(regenerated).toEqual(withTools)
    const edited = await handle((messages) => [...messages.slice(0, 2), question('news')], [answers('None.')])
    expect(edited).toEqual(['hi', 'answer-1', 'news', 'answer-3'])
  })
})
