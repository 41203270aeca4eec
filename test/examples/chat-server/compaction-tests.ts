import { afterAll, beforeAll, expect, test } from 'vitest'
import { textOf } from '../../../examples/chat-server/chat-message.ts'
import { ChatClient } from './chat-client.ts'
import type { ChatServer } from './start-chat-server.ts'

export function compactionTests(start: (options?: readonly string[]) => Promise<ChatServer>): void {
  let server: ChatServer
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server.stop())

  test('a long conversation is compacted in the background, and the answer of a turn that runs meanwhile is kept', async () => {
    const wang = new ChatClient(server.url, 'wang')
    const summary = server.model.hold('summary', '')
    await wang.ask('long', { requestId: 'name', text: 'My name is Wang' })
    for (const number of [1, 2, 3, 4]) {
      await wang.ask('long', { requestId: `long-${number}`, text: `${number} ${'many words '.repeat(70)}` })
    }
    await summary.reached
    const before = await wang.conversation('long')

    const answer = server.model.hold('answer', 'What is my name?', 3)
    const turn = wang.ask('long', { requestId: 'meanwhile', text: 'What is my name?' })
    await answer.reached
    summary.release()
    await server.line(/compacted \d+ messages of long$/)
    answer.release()
    const { message } = await turn
    expect(textOf(message)).toContain('Your name is Wang.')

    const after = await wang.conversation('long')
    expect(after[0]?.message).toMatchObject({ role: 'system', metadata: { earlier: { snapshot: expect.any(String) } } })
    expect(after.at(-1)?.message.id).toBe(message.id)
    expect(after.length).toBeLessThan(before.length)
    const { snapshot = '', upTo = 0 } = after[0]?.message.metadata?.earlier ?? {}
    const earlier = await wang.conversation('long', `?snapshot=${snapshot}&upTo=${upTo}`)
    const all = [...earlier, ...after.slice(1)].map(({ message: { id } }) => id)
    expect(all.slice(0, -2)).toEqual(before.map(({ message: { id } }) => id))

    const { message: next } = await wang.ask('long', { requestId: 'after', text: 'And what is my name?' })
    expect(textOf(next)).toContain('Your name is Wang.')
  })
}
