import { join } from 'node:path'
import { HumanMessage } from '@langchain/core/messages'
import { type MemoryStore, openMemory } from 'unforget'
import { UnforgetChats } from 'unforget/ai-sdk'
import { UnforgetChatMessageHistory } from 'unforget/langchain'
import { UnforgetSession } from 'unforget/openai-agents'
import { describe, expect, test } from 'vitest'
import { everyBackend } from '../backends/every-backend.ts'
import { unforget } from '../cli/support/run-cli.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { messagesOfEveryKind } from './ai-sdk/messages-of-every-kind.ts'
import { messagesOfEveryClass } from './langchain/messages-of-every-class.ts'
import { itemsOfEveryKind } from './openai-agents/items-of-every-kind.ts'

const { cases } = await everyBackend()

interface Bridge {
  readonly name: string
  write(memory: MemoryStore, id: string): Promise<unknown>
  read(memory: MemoryStore, id: string): Promise<unknown>
  addOne(memory: MemoryStore, id: string): Promise<unknown>
}

const bridges: Bridge[] = [
  {
    name: 'openai-agents',
    write: (memory, id) => new UnforgetSession(memory.session(id)).addItems(itemsOfEveryKind),
    read: (memory, id) => new UnforgetSession(memory.session(id)).getItems(),
    addOne: (memory, id) => new UnforgetSession(memory.session(id)).addItems([{ role: 'user', content: 'more' }]),
  },
  {
    name: 'ai-sdk',
    write: async (memory, id) => (await new UnforgetChats(memory).load(id)).save(messagesOfEveryKind),
    read: async (memory, id) => (await new UnforgetChats(memory).load(id)).messages,
    addOne: async (memory, id) => {
      const chat = await new UnforgetChats(memory).load(id)
      await chat.save([...chat.messages, { id: 'more', role: 'user', parts: [{ type: 'text', text: 'more' }] }])
    },
  },
  {
    name: 'langchain',
    write: (memory, id) => new UnforgetChatMessageHistory(memory.session(id)).addMessages(messagesOfEveryClass()),
    read: (memory, id) => new UnforgetChatMessageHistory(memory.session(id)).getMessages(),
    addOne: (memory, id) => new UnforgetChatMessageHistory(memory.session(id)).addMessage(new HumanMessage('more')),
  },
]

describe.each(cases)('on %s, what unforget does to sessions works on those of', (_name, open) => {
  test.each(bridges)('$name', async ({ write, read, addOne }) => {
    const { store } = await open()
    await write(store, 'a')
    const written = await read(store, 'a')
    const { id } = await store.saveSnapshot('a')
    await addOne(store, 'a')
    expect(await read(store, 'a')).not.toEqual(written)
    await store.rollbackToSnapshot('a', id)
    await store.fork('a', 'b')
    const other = await openMemory('memory:')
    await other.importSession(await store.exportSession('a'))
    expect([await read(store, 'a'), await read(store, 'b'), await read(other, 'a')]).toEqual([
      written,
      written,
      written,
    ])
    await addOne(other, 'a')
    expect(await store.verify()).toMatchObject({ ok: true, sessions: 2 })
    await store.expire('b', { at: Date.now() - 1 })
    expect(await read(store, 'b')).toEqual([])
    await store.deleteSession('a')
    expect(await read(store, 'a')).toEqual([])
  })
})

test.each(bridges)('the command line shows, verifies and copies what $name stored', async ({ write, read }) => {
  const cwd = await temporaryFolder()
  const memory = await openMemory(`sqlite:${join(cwd, 'agent.db')}`)
  await write(memory, 'user-42')
  const written = await read(memory, 'user-42')
  await memory.close()
  expect(await unforget(['verify', 'agent.db'], { cwd })).toMatchObject({ code: 0 })
  expect(await unforget(['copy', 'agent.db', 'copy.db'], { cwd })).toMatchObject({ stderr: '', code: 0 })
  expect(await unforget(['history', 'copy.db', 'user-42'], { cwd })).toMatchObject({ stderr: '', code: 0 })
  const copy = await openMemory(`sqlite:${join(cwd, 'copy.db')}`)
  expect(await read(copy, 'user-42')).toEqual(written)
  await copy.close()
})
