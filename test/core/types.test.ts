import { type ChatMessage, openMemory } from 'unforget'
import { expect, test } from 'vitest'

interface OwnPart {
  type: 'text'
  text: string
}
interface OwnMessage {
  role: 'user' | 'assistant'
  content: string | OwnPart[]
  createdBy?: string
}

test('messages typed by an interface of the user are taken as they are, literals with fields of their own too', async () => {
  await using memory = await openMemory('memory:')
  const own: OwnMessage[] = [{ role: 'user', content: [{ type: 'text', text: 'hello' }], createdBy: 'me' }]
  await memory.addMessages('s', own)
  await memory.session('s').addMessages([
    { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: { name: 'f' } }] },
    { role: 'tool', content: 'r', tool_call_id: 'c' },
  ])
  const history: ChatMessage[] = await memory.getHistory('s')
  await memory.addMessages('t', history)
  expect(await memory.getHistory('t')).toEqual(history)
})

test('what is no message is refused by the compiler', async () => {
  await using memory = await openMemory('memory:')
  // @ts-expect-error there is no such role
  await expect(memory.addMessages('s', [{ role: 'robot', content: 'x' }])).rejects.toMatchObject({
    code: 'INVALID_ENTRY',
  })
  // @ts-expect-error there is no content
  await expect(memory.addMessages('s', [{ role: 'user' }])).rejects.toMatchObject({ code: 'INVALID_ENTRY' })
})
