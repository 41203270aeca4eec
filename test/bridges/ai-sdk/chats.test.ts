import { type UIMessage, validateUIMessages } from 'ai'
import { type UIMessage as UIMessage6, validateUIMessages as validateUIMessages6 } from 'ai-6'
import { type MemoryStore, MemoryStoreBackendError, openMemory, MemoryStore as Store } from 'unforget'
import { loadChat, UnforgetChats } from 'unforget/ai-sdk'
import { faulty } from 'unforget/faults'
import { describe, expect, test } from 'vitest'
import { everyBackend } from '../../backends/every-backend.ts'
import { messagesOfEveryKind } from './messages-of-every-kind.ts'

const { cases } = await everyBackend()

const said = (role: UIMessage['role'], text: string): UIMessage => ({ id: text, role, parts: [{ type: 'text', text }] })
const turns = [said('user', 'q1'), said('assistant', 'a1'), said('user', 'q2'), said('assistant', 'a2')]
const next = [said('user', 'q3'), said('assistant', 'a3')]
const edited = [...turns.slice(0, 2), said('user', 'q2, edited'), said('assistant', 'a2, edited')]
const conflict = { code: 'VERSION_CONFLICT' }

/** A chat with two turns, loaded. */
async function twoTurns(store: MemoryStore, id = 'chat') {
  const chats = new UnforgetChats(store)
  await (await chats.load(id)).save(turns)
  return { chats, chat: await chats.load(id), textsNow: async () => (await chats.load(id)).messages.map(textOf) }
}

const textOf = ({ parts }: UIMessage) => parts.map((part) => (part.type === 'text' ? part.text : part.type)).join(' ')

test('a store of any type has chats of any version', async () => {
  const chats = new UnforgetChats<UIMessage6>(await openMemory<UIMessage6>('memory:'))
  const messages: UIMessage6[] = (await chats.load('chat')).messages
  const own = new UnforgetChats(await openMemory('memory:'))
  expect([...messages, ...(await own.load('chat')).messages]).toEqual([])
})

describe.each(cases)('on %s', (_name, open) => {
  test('messages of every kind come back equal, and both versions of the SDK accept them', async () => {
    const { store } = await open()
    const chats = new UnforgetChats(store)
    await (await chats.load('chat')).save(messagesOfEveryKind)
    const { id, messages } = await chats.load('chat')
    expect(id).toBe('chat')
    expect(messages).toStrictEqual(messagesOfEveryKind)
    expect(await validateUIMessages({ messages })).toEqual(messagesOfEveryKind)
    await expect(validateUIMessages6({ messages })).resolves.toHaveLength(messages.length)
  })

  test('a save appends, and nothing is written if nothing differs', async () => {
    const { store } = await open()
    const { chat, textsNow } = await twoTurns(store)
    const { epoch, version } = await store.getHistory('chat')
    await chat.save(chat.messages)
    await chat.save(messagesWithKeysTurned(chat.messages))
    expect((await store.getHistory('chat')).version).toBe(version)
    await store.addMessages('other', turns)
    const unchanged = await loadChat(store.session('other'))
    await store.addMessages('other', next)
    expect((await unchanged.save(unchanged.messages)).messages).toEqual(turns)
    expect(await store.getHistory('other')).toEqual([...turns, ...next])
    chat.messages.push(...next)
    const saved = await chat.save(chat.messages)
    expect((await store.getHistory('chat')).epoch).toBe(epoch)
    await saved.save([...saved.messages, said('user', 'q4')])
    expect(await textsNow()).toEqual(['q1', 'a1', 'q2', 'a2', 'q3', 'a3', 'q4'])
  })

  test('an edit, a regeneration and a removal replace the end, in one commit', async () => {
    const { store } = await open()
    const { chat, textsNow } = await twoTurns(store)
    const second = await chat.save(edited)
    expect(await textsNow()).toEqual(['q1', 'a1', 'q2, edited', 'a2, edited'])
    const third = await second.save([...edited.slice(0, 3), said('assistant', 'a2, again')])
    expect(await textsNow()).toEqual(['q1', 'a1', 'q2, edited', 'a2, again'])
    const fourth = await third.save(turns.slice(0, 1))
    expect(await textsNow()).toEqual(['q1'])
    const changed = { ...turns[0], parts: [{ type: 'text', text: 'q1, in place' }] } as UIMessage
    await (await fourth.save([changed, ...next])).save([])
    expect(await textsNow()).toEqual([])
    const causes = (await store.paths('chat'))?.epochs.map(({ cause }) => cause) ?? []
    expect(causes.at(-1)).toBe('rewind')
    expect((await store.paths('chat'))?.end).toBe(4 + 2 + 1 + 0 + 3)
  })

  test('a process that ends at any call to the backend leaves the old end or the new one', async () => {
    const { backend, store } = await open()
    const end = new MemoryStoreBackendError('BACKEND_FAILED', 'ended', { applied: 'unknown', retryable: false })
    const seen = new Set<string>()
    for (const kind of ['fail before', 'fail after'] as const) {
      for (let at = 1; ; at++) {
        const id = `${kind} ${at}`
        const { textsNow } = await twoTurns(store, id)
        const ending = faulty(backend, [{ do: kind, at: at + 1, times: Number.POSITIVE_INFINITY, error: end }])
        const chat = await new UnforgetChats(new Store(ending)).load(id)
        const failed = await chat.save(edited).then(
          () => false,
          () => true,
        )
        if (!failed) break
        seen.add(JSON.stringify(await textsNow()))
      }
    }
    expect(seen).toEqual(new Set([turns, edited].map((messages) => JSON.stringify(messages.map(textOf)))))
  })

  test('of two saves from one load, one is refused', async () => {
    const { store } = await open()
    const { chats, chat, textsNow } = await twoTurns(store)
    const others = await chats.load('chat')
    const results = await Promise.allSettled([chat.save([...turns, ...next]), others.save(edited)])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await expect(chat.save([...turns, said('user', 'q5')])).rejects.toMatchObject(conflict)
    await expect(others.save(turns.slice(0, 1))).rejects.toMatchObject(conflict)
    expect([[...turns, ...next].map(textOf), edited.map(textOf)]).toContainEqual(await textsNow())
    const fresh = [await chats.load('new'), await chats.load('new')]
    const begun = await Promise.allSettled(fresh.map((one, index) => one.save([said('user', `first ${index}`)])))
    expect(begun.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test.each<[string, (store: MemoryStore, chat: string) => Promise<unknown>]>([
    ['a message of another', (store, id) => store.addMessages(id, [said('user', 'another')])],
    ['a rewind', (store, id) => store.rewind(id, { before: 4 })],
    ['a rewind and the same message again', (store, id) => store.rewind(id, { before: 4, add: turns.slice(3) })],
    ['a clear', (store, id) => store.clear(id)],
    ['a deletion', (store, id) => store.deleteSession(id)],
    ['a new chat of the same id', async (store, id) => [await store.deleteSession(id), await twoTurns(store, id)]],
    [
      'another, compacted',
      async (store, id) => [
        await store.addMessages(id, next),
        await store.compact(id, { keep: 0, summarize: () => 'all' }),
      ],
    ],
  ])('%s meanwhile refuses a save, which changes nothing', async (_what, meanwhile) => {
    const { store } = await open()
    for (const messages of [[...turns, ...next], edited]) {
      const { chat, textsNow } = await twoTurns(store)
      await meanwhile(store, 'chat')
      const before = await textsNow()
      await expect(chat.save(messages)).rejects.toMatchObject(conflict)
      expect(await textsNow()).toEqual(before)
      await store.deleteSession('chat')
    }
  })

  test('a compaction, a trim or a new title meanwhile costs no answer', async () => {
    const { store } = await open()
    const { chats, chat, textsNow } = await twoTurns(store)
    await store.compact('chat', { keep: 2, summarize: () => 'summary' })
    await store.describe('chat', { title: 'Weather' })
    const saved = await chat.save([...turns, ...next])
    expect(await textsNow()).toEqual(['summary', 'q2', 'a2', 'q3', 'a3'])
    await store.compact('chat', { keep: 0, summarize: () => 'summary of all' })
    await saved.save([...saved.messages, said('user', 'q4')])
    expect(await textsNow()).toEqual(['summary of all', 'q4'])
    const { messages } = await chats.load('chat')
    expect(messages[0]).toEqual({
      id: expect.stringMatching(/^summary-\d+$/),
      role: 'system',
      parts: [{ type: 'text', text: 'summary of all' }],
    })
    await expect(validateUIMessages({ messages })).resolves.toHaveLength(2)
    await expect(validateUIMessages6({ messages })).resolves.toHaveLength(2)
    await store.compact('chat', { keep: 0, summarize: () => 'asked', summaryRole: 'user' })
    const endsWithSummary = await chats.load('chat')
    expect(endsWithSummary.messages.map(({ role }) => role)).toEqual(['user'])
    await store.describe('chat', { title: 'Rain' })
    const given = [...endsWithSummary.messages, said('assistant', 'a4')]
    const answered = await endsWithSummary.save(given)
    given.push(said('user', 'never saved'))
    expect(answered.messages).toHaveLength(2)
    expect(await textsNow()).toEqual(['asked', 'a4'])
    const trimmed = await chats.load('chat')
    await trimmed.save([...trimmed.messages, ...next])
    const again = await chats.load('chat')
    await store.trim('chat', { maxEntries: 1 })
    await again.save([...again.messages, said('user', 'q5')])
    expect(await textsNow()).toEqual(['asked', 'a3', 'q5'])
  })

  test('an edit of a message that was compacted meanwhile is saved, and one of a message that was kept', async () => {
    const { store } = await open()
    for (const [keep, expected] of [
      [1, ['q1', 'a1', 'q2, edited', 'a2, edited']],
      [2, ['summary', 'q2, edited', 'a2, edited']],
    ] as const) {
      const { chat, textsNow } = await twoTurns(store, `keep ${keep}`)
      await store.compact(`keep ${keep}`, { keep, summarize: () => 'summary' })
      await chat.save(edited)
      expect(await textsNow()).toEqual(expected)
    }
    const { chat, textsNow } = await twoTurns(store, 'later')
    await store.compact('later', { keep: 1, summarize: () => 'summary' })
    const saved = await chat.save([...turns, ...next])
    await saved.save(edited)
    expect(await textsNow()).toEqual(['q1', 'a1', 'q2, edited', 'a2, edited'])
  })

  test('a save with an operation id applies once, also after its answer was lost', async () => {
    const { store } = await open()
    const { chat, textsNow } = await twoTurns(store)
    for (const messages of [
      [...turns, ...next],
      [...turns, ...next],
    ])
      await chat.save(messages, { operationId: 'turn 3' })
    expect(await textsNow()).toEqual(['q1', 'a1', 'q2', 'a2', 'q3', 'a3'])
    await expect(chat.save(edited, { operationId: 'turn 3' })).rejects.toMatchObject({ code: 'OPERATION_CONFLICT' })
  })

  test('a turn saves, a save begins a chat with its owner, and what cannot be stored is refused with its place', async () => {
    const { store } = await open()
    await store.withTurn('chat', async (turn) =>
      (await loadChat(turn)).save(turns, { owner: 'wang', title: 'Weather' }),
    )
    expect((await store.listSessions({ owner: 'wang' })).sessions).toMatchObject([{ id: 'chat', title: 'Weather' }])
    const chat = await new UnforgetChats(store).load('chat')
    const bad = { ...said('user', 'now'), metadata: { when: new Date(0) } }
    await expect(chat.save([...turns, bad])).rejects.toMatchObject({
      code: 'INVALID_ENTRY',
      path: 'messages[4].metadata.when',
    })
  })
})

test("a summary that the store's own summaryMessage makes is shown as it is", async () => {
  const memory = await openMemory<UIMessage>('memory:', {
    summaryMessage: ({ text }) => ({ id: 'own', role: 'assistant', parts: [{ type: 'text', text }] }),
  })
  await memory.addMessages('chat', turns)
  await memory.compact('chat', { keep: 1, summarize: () => 'summary' })
  const { messages } = await new UnforgetChats(memory).load('chat')
  expect(messages[0]).toEqual({ id: 'own', role: 'assistant', parts: [{ type: 'text', text: 'summary' }] })
})

function messagesWithKeysTurned(messages: readonly UIMessage[]): UIMessage[] {
  return messages.map((message) => Object.fromEntries(Object.entries(message).reverse()) as unknown as UIMessage)
}
