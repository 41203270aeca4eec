import { afterAll, beforeAll, expect, test } from 'vitest'
import { textOf } from '../../../examples/chat-server/chat-message.ts'
import { type Answer, ChatClient, readAnswer } from './chat-client.ts'
import type { ChatServer } from './start-chat-server.ts'

export function killedWorkerTests(start: (options?: readonly string[]) => Promise<ChatServer>): void {
  let server: ChatServer
  beforeAll(async () => {
    server = await start(['--lease', '3000'])
  })
  afterAll(() => server.stop())

  test('a worker is killed in the middle of an answer: the same request again is answered by the other, once', async () => {
    const wang = new ChatClient(server.url, 'wang')
    await wang.ask('killed', { requestId: 'before', text: 'My name is Wang' })
    const turn = { requestId: 'the-request', text: 'What is my name?' }
    const held = server.model.hold('answer', turn.text, 4)
    const response = await wang.turn('killed', turn)
    const worker = Number(response.headers.get('x-worker'))
    await held.reached
    process.kill(worker, 'SIGKILL')
    await expect(readAnswer(response)).rejects.toThrow()
    held.release()

    const answer = await untilAnswered(() => wang.turn('killed', turn))
    expect(answer.worker).not.toBe(worker)
    expect(answer.message.metadata?.worker).not.toBe(worker)
    expect(textOf(answer.message)).toContain('Your name is Wang.')
    const conversation = await wang.conversation('killed')
    expect(conversation).toHaveLength(4)
    expect(conversation[3]?.message).toEqual(expect.objectContaining({ id: answer.message.id }))
    expect(server.model.answersTo(turn.text)).toBe(2)

    const again = await wang.ask('killed', turn)
    expect(again.message).toEqual(answer.message)
    expect(server.model.answersTo(turn.text)).toBe(2)

    expect(await server.line(/ended/)).toBe(`worker ${worker} ended (SIGKILL), another one starts`)
    for (let listening = 0; listening < 3; listening++) await server.line(/listens$/)
  })

  /** Tries again as the page does: when the connection breaks, and when the server says that it may. */
  async function untilAnswered(send: () => Promise<Response>): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await readAnswer(await send())
      } catch (error) {
        if (attempt === 10) throw error
      }
    }
  }
}
