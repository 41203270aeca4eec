import { AIMessage, HumanMessage } from '@langchain/core/messages'
import type { UIMessage } from 'ai'
import { UnforgetChats } from '../../src/bridges/ai-sdk/index.ts'
import { UnforgetChatMessageHistory } from '../../src/bridges/langchain/index.ts'
import { UnforgetSession } from '../../src/bridges/openai-agents/index.ts'
import type { MemoryStore } from '../../src/index.ts'
import { messagesOfEveryKind } from './ai-sdk/messages-of-every-kind.ts'
import { messagesOfEveryClass } from './langchain/messages-of-every-class.ts'
import { itemsOfEveryKind } from './openai-agents/items-of-every-kind.ts'

/** A bridge for conversations, as tests that are the same for each of them use it. */
export interface Bridge {
  readonly name: string
  /** Writes something of every kind. */
  write(memory: MemoryStore, id: string): Promise<unknown>
  read(memory: MemoryStore, id: string): Promise<readonly object[]>
  /** Adds a question and its answer, whoever else writes meanwhile. */
  addTurn(memory: MemoryStore, id: string, turn: string): Promise<unknown>
  /** Replaces the end, in one commit. A LangChain history cannot. */
  replaceEnd?(memory: MemoryStore, id: string, from: readonly string[], to: readonly string[]): Promise<unknown>
}

const ui = (role: UIMessage['role'], text: string): UIMessage => ({ id: text, role, parts: [{ type: 'text', text }] })
const item = (content: string) => ({ role: 'user' as const, content })

const openaiAgents: Bridge = {
  name: 'openai-agents',
  write: (memory, id) => new UnforgetSession(memory.session(id)).addItems(itemsOfEveryKind),
  read: (memory, id) => new UnforgetSession(memory.session(id)).getItems(),
  addTurn: (memory, id, turn) =>
    new UnforgetSession(memory.session(id)).addItems([
      item(`question ${turn}`),
      { role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: `answer ${turn}` }] },
    ]),
  replaceEnd: (memory, id, from, to) =>
    new UnforgetSession(memory.session(id)).applyHistoryTransaction({
      operationId: `to ${to[0]}`,
      transaction: { type: 'replace_suffix', expectedSuffix: from.map(item), replacement: to.map(item) },
    }),
}

const aiSdk: Bridge = {
  name: 'ai-sdk',
  write: async (memory, id) => (await new UnforgetChats(memory).load(id)).save(messagesOfEveryKind),
  read: async (memory, id) => (await new UnforgetChats(memory).load(id)).messages,
  async addTurn(memory, id, turn) {
    for (;;) {
      const chat = await new UnforgetChats(memory).load(id)
      const next = [...chat.messages, ui('user', `question ${turn}`), ui('assistant', `answer ${turn}`)]
      const refused = await chat.save(next).then(
        () => null,
        (error: { code?: unknown }) => error,
      )
      if (refused === null) return
      if (refused.code !== 'VERSION_CONFLICT') throw refused
    }
  },
  async replaceEnd(memory, id, from, to) {
    const chat = await new UnforgetChats(memory).load(id)
    const kept = chat.messages.slice(0, chat.messages.length - from.length)
    await chat.save([...kept, ...to.map((text) => ui('user', text))])
  },
}

const langchain: Bridge = {
  name: 'langchain',
  write: (memory, id) => new UnforgetChatMessageHistory(memory.session(id)).addMessages(messagesOfEveryClass()),
  read: (memory, id) => new UnforgetChatMessageHistory(memory.session(id)).getMessages(),
  addTurn: (memory, id, turn) =>
    new UnforgetChatMessageHistory(memory.session(id)).addMessages([
      new HumanMessage(`question ${turn}`),
      new AIMessage(`answer ${turn}`),
    ]),
}

export const bridges: readonly Bridge[] = [openaiAgents, aiSdk, langchain]
export const replacing: readonly Bridge[] = bridges.filter(({ replaceEnd }) => replaceEnd !== undefined)

export function bridgeNamed(name: string): Bridge {
  const found = bridges.find((one) => one.name === name)
  if (found === undefined) throw new Error(`there is no bridge ${name}`)
  return found
}

/** The texts of a conversation, whichever bridge wrote it. */
export async function textsOf({ read }: Bridge, memory: MemoryStore, id: string): Promise<string[]> {
  const json = (await read(memory, id)).map((one) => JSON.stringify(one))
  return json.map((text) => text.match(/(?:question|answer|end) \d[\d. ]*/)?.[0] ?? text)
}
