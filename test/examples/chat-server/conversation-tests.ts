import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { textOf } from '../../../examples/chat-server/chat-message.ts'
import { type Answer, ChatClient } from './chat-client.ts'
import type { ChatServer } from './start-chat-server.ts'

export function conversationTests(start: (options?: readonly string[]) => Promise<ChatServer>): void {
  let server: ChatServer
  let wang: ChatClient

  beforeAll(async () => {
    server = await start()
    wang = new ChatClient(server.url, 'wang')
  })
  afterAll(() => server.stop())

  const texts = async (session: string) => (await wang.conversation(session)).map(({ message }) => textOf(message))

  test('the page is served, and loads nothing from elsewhere', async () => {
    const page = await wang.call('/')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'")
    const html = await page.text()
    expect(html).toContain('New conversation')
    for (const [, file = ''] of html.matchAll(/(?:src|href)="(\/[^"]+)"/g))
      expect((await wang.call(file)).status).toBe(200)
  })

  test('an answer with a tool call is kept as it was streamed, and the next one knows of it', async () => {
    const { message } = await wang.ask('tools', { requestId: 'tools-1', text: 'What is the weather in Paris?' })
    expect(message.parts).toMatchObject([
      { type: 'step-start' },
      { type: 'tool-weather', state: 'output-available', input: { city: 'Paris' }, output: { sky: 'cloudy' } },
      { type: 'step-start' },
      { type: 'text', text: expect.stringContaining('It is cloudy in Paris') },
    ])
    const [, kept] = await wang.conversation('tools')
    expect(message).toMatchObject(kept?.message ?? {})

    await wang.ask('tools', { requestId: 'tools-2', text: 'My name is Wang' })
    const last = await wang.ask('tools', { requestId: 'tools-3', text: 'What is my name?' })
    expect(textOf(last.message)).toContain('Your name is Wang.')
  })

  test('requests at once, on two workers, are whole turns one after the other', async () => {
    const workers = new Set<number>()
    for (let round = 1; workers.size < 2; round++) {
      expect(round).toBeLessThan(50)
      workers.clear()
      for (const { worker } of await askAtOnce(`at-once-${round}`)) workers.add(worker)
    }
  })

  /** Asks four questions, three of them while the first is being answered, and checks that each was asked about whole turns. */
  async function askAtOnce(session: string): Promise<Answer[]> {
    const { model } = server
    const ask = (number: number) => {
      const text = `question ${number} of ${session}`
      return wang.ask(session, { requestId: text, text })
    }
    const first = model.hold('answer', `question 0 of ${session}`, 3)
    const zero = ask(0)
    await first.reached
    const others = [1, 2, 3].map(ask)
    await wang.sidebar()
    first.release()
    const answers = await Promise.all([zero, ...others])

    const conversation = (await wang.conversation(session)).map(({ message }) => message)
    expect(conversation).toHaveLength(8)
    for (const [number, { message }] of answers.entries()) {
      const place = conversation.findIndex(({ id }) => id === message.id)
      const [question] = conversation.slice(place - 1, place)
      expect(question && textOf(question)).toBe(`question ${number} of ${session}`)
      const call = model.server.calls.find(({ messages }) => messages.at(-1)?.id === question?.id)
      expect(call?.messages).toEqual(conversation.slice(0, place))
    }
    return answers
  }

  describe('a request that comes again', () => {
    test('gets the first answer, from whichever worker, and the model is not asked', async () => {
      const turn = { requestId: 'again-1', text: 'Where is order 7?' }
      const first = await wang.ask('again', turn)
      const calls = server.model.server.calls.length
      const workers = new Set<number>()
      for (let attempt = 1; workers.size < 2; attempt++) {
        expect(attempt).toBeLessThan(100)
        const again = await wang.ask('again', turn)
        expect(again.message).toEqual(first.message)
        workers.add(again.worker)
      }
      expect(server.model.server.calls.length).toBe(calls)
      expect(await wang.conversation('again')).toHaveLength(2)
    })

    test('while the first one is being answered, it waits for that answer', async () => {
      const turn = { requestId: 'left-1', text: 'a client that leaves' }
      const held = server.model.hold('answer', turn.text, 3)
      const leaving = new AbortController()
      const response = await wang.turn('left', turn, leaving.signal)
      await held.reached
      leaving.abort()
      await expect(response.text()).rejects.toThrow()
      const again = wang.ask('left', turn)
      held.release()
      expect(textOf((await again).message)).toBe((await texts('left'))[1])
      expect(server.model.answersTo(turn.text)).toBe(1)
      expect(await wang.conversation('left')).toHaveLength(2)
    })
  })

  describe('edit and regenerate', () => {
    test('each leaves what was there as an alternative that can be shown again', async () => {
      await wang.ask('edit', { requestId: 'edit-1', text: 'A question' })
      await wang.ask('edit', { requestId: 'edit-2', text: 'What follows' })
      const before = await wang.conversation('edit')
      const [, answer] = before

      const other = { requestId: 'edit-3', replaces: answer?.seq ?? 0 }
      const regenerated = await wang.ask('edit', other)
      expect((await wang.ask('edit', other)).message).toEqual(regenerated.message)
      const shown = await wang.conversation('edit')
      expect(shown.map(({ message }) => textOf(message))).toEqual(['A question', textOf(regenerated.message)])
      expect(shown[1]?.alternatives).toEqual([answer?.seq, shown[1]?.seq])

      for (const text of ['An edited question', 'Edited once more']) {
        const [question] = await wang.conversation('edit')
        await wang.ask('edit', { requestId: text, text, replaces: question?.seq ?? 0 })
      }
      const [edited] = await wang.conversation('edit')
      expect(edited && textOf(edited.message)).toBe('Edited once more')
      expect(edited?.alternatives).toHaveLength(3)

      const show = (seq = 0) => wang.call('/api/sessions/edit/shown', { seq })
      expect((await show(edited?.alternatives[0])).status).toBe(200)
      expect((await show(edited?.alternatives[0])).status).toBe(200)
      expect(await texts('edit')).toEqual(['A question', textOf(regenerated.message)])
      await show(answer?.seq)
      const back = await wang.conversation('edit')
      expect(back.map(({ message }) => message)).toEqual(before.map(({ message }) => message))
      expect(back.map(({ alternatives }) => alternatives.length)).toEqual([3, 2, 1, 1])
      expect((await show(9999)).status).toBe(404)
    })

    test('a message that is no longer shown is not replaced', async () => {
      await wang.ask('stale', { requestId: 'stale-1', text: 'One' })
      await wang.ask('stale', { requestId: 'stale-2', text: 'Two', replaces: 1 })
      const stale = await wang.turn('stale', { requestId: 'stale-3', text: 'Three', replaces: 1 })
      expect(stale.status).toBe(409)
      expect((await texts('stale'))[0]).toBe('Two')
    })
  })

  test("the sidebar lists an owner's sessions, the last written first, and nobody else's can be read or written", async () => {
    const li = new ChatClient(server.url, 'li')
    await li.ask('li-1', { requestId: 'l1', text: 'The first conversation of Li' })
    await li.ask('li-2', { requestId: 'l2', text: 'Another one, which begins with a long sentence about nothing' })
    expect(await li.sidebar()).toMatchObject([
      { id: 'li-2', title: 'Another one, which begins with a long s…' },
      { id: 'li-1', title: 'The first conversation of Li' },
    ])
    await li.ask('li-1', { requestId: 'l3', text: 'More' })
    expect((await li.sidebar()).map(({ id }) => id)).toEqual(['li-1', 'li-2'])
    expect((await wang.sidebar()).map(({ id }) => id)).not.toContain('li-1')
    expect((await wang.call('/api/sessions/li-1')).status).toBe(404)
    expect((await wang.turn('li-1', { requestId: 'l1', text: 'Let me see' })).status).toBe(404)
    expect((await wang.call('/api/sessions/li-1/shown', { seq: 1 })).status).toBe(404)
    expect(await li.conversation('li-1')).toHaveLength(4)
  })

  test.each([
    ['nothing to do', { requestId: 'x' }],
    ['no request id', { text: 'x' }],
    ['an empty text', { requestId: 'x', text: ' ' }],
  ])('a turn with %s is refused', async (_, body) => {
    const response = await wang.call('/api/sessions/refused/turns', body)
    expect(response.status).toBe(400)
    expect((await wang.call('/api/sessions/refused')).status).toBe(404)
  })
}
