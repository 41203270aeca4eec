import { EventEmitter, once } from 'node:events'
import { expect, test } from 'vitest'
import type { ChatMessage } from '../../../examples/chat-server/chat-message.ts'
import { compactSession } from '../../../examples/chat-server/compact-session.ts'
import { startModelServer } from '../../../examples/chat-server/model-server.ts'
import { type ChatMemory, openChatMemory } from '../../../examples/chat-server/open-chat-memory.ts'

test('a conversation is compacted as soon as it is long, also while another worker looks at it when it was short', async () => {
  const model = await startModelServer(() => Promise.resolve())
  const memory = await openChatMemory('memory:')
  await memory.addMessages('long', [message(0), message(1)])

  const steps = new EventEmitter()
  const looked = once(steps, 'looked')
  const goOn = once(steps, 'go on')
  const late = new Proxy(memory, {
    get: (store, name: keyof ChatMemory) => {
      if (name !== 'getHistory') return store[name].bind(store)
      return async (session: string) => {
        const history = await store.getHistory(session)
        steps.emit('looked')
        await goOn
        return history
      }
    },
  })
  const first = compactSession(late, model.url, 'long')
  await looked

  await memory.addMessages('long', [message(2), message(3), message(4)])
  expect(await compactSession(memory, model.url, 'long')).toBeGreaterThan(0)
  steps.emit('go on')
  expect(await first).toBe(0)
  await memory.close()
  model.close()
})

function message(number: number): ChatMessage {
  const role = number % 2 === 0 ? 'user' : 'assistant'
  const parts = [{ type: 'text', text: 'many words '.repeat(70) }] as const
  return { id: `message-${number}`, role, metadata: { parent: '' }, parts: [...parts] }
}
