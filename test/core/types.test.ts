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

test('a store without a type takes messages of any interface, and literals with fields of their own too', async () => {
  await using memory = await openMemory('memory:')
  const own: OwnMessage[] = [{ role: 'user', content: [{ type: 'text', text: 'hello' }], createdBy: 'me' }]
  await memory.addMessages('s', own)
  await memory.session('s').addMessages([
    { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: { name: 'f' } }] },
    { role: 'tool', content: 'r', tool_call_id: 'c' },
    { role: 'developer', content: 'be brief' },
    { type: 'function_call', call_id: 'd', name: 'f', arguments: '{}' },
  ])
  const history: ChatMessage[] = await memory.getHistory('s')
  const [first] = history
  expect([first?.role, first?.content]).toEqual(['user', [{ type: 'text', text: 'hello' }]])
  await memory.addMessages('t', history)
  expect(await memory.getHistory('t')).toEqual(history)
})

test('a store with a type takes and returns messages of that type, and no others', async () => {
  await using memory = await openMemory<OwnMessage>('memory:')
  const own: OwnMessage[] = [{ role: 'user', content: 'hello', createdBy: 'me' }]
  await memory.addMessages('s', own)
  // @ts-expect-error there is no such role
  await memory.addMessages('s', [{ role: 'robot', content: 'x' }])
  // @ts-expect-error a ChatMessage is not an OwnMessage
  await memory.session('s').addMessages([] as ChatMessage[])
  const [message] = await memory.getHistory('s')
  if (message?.role === 'user' && 'createdBy' in message) expect(message.createdBy satisfies string).toBe('me')
  const [entry] = await memory.getEntries('s')
  if (entry?.kind === 'message') expect(entry.message satisfies OwnMessage).toEqual(own[0])
  const { removed } = await memory.rewind('s', { to: 1 })
  expect(removed.map((one) => one.kind === 'message' && (one.message satisfies OwnMessage).content)).toEqual(['x'])
})

test('what is no object is refused by the compiler', async () => {
  await using memory = await openMemory('memory:')
  // @ts-expect-error text is not a message
  await expect(memory.addMessages('s', ['hello'])).rejects.toMatchObject({ code: 'INVALID_ENTRY' })
})

test('a summary appears as a SummaryMessage, or as the message that the store is told to make of it', async () => {
  interface Line {
    by: string
    parts: string[]
  }
  const lines: Line[] = [
    { by: 'me', parts: ['a'] },
    { by: 'you', parts: ['b'] },
  ]
  await using plain = await openMemory<Line>('memory:')
  await plain.addMessages('s', lines)
  await plain.compact('s', { keep: 1, summarize: (old) => `${old.length} lines`, summaryRole: 'user' })
  const [summary, last] = await plain.getHistory('s')
  // @ts-expect-error it may be a summary
  expect(last?.by).toBe('you')
  if (summary !== undefined && 'role' in summary) expect(summary.role satisfies 'system' | 'user').toBe('user')
  expect(summary).toEqual({ role: 'user', content: '1 lines' })

  await using shown = await openMemory<Line>('memory:', {
    summaryMessage: ({ text }) => ({ by: 'sum', parts: [text] }),
  })
  await shown.addMessages('s', lines)
  await shown.compact('s', { keep: 1, summarize: () => 'one line' })
  const history: Line[] = await shown.getHistory('s')
  expect(history.map(({ by }) => by)).toEqual(['sum', 'you'])
  const own = shown.session<OwnMessage>('t')
  await own.addMessages([{ role: 'user', content: 'x' }])
  const mixed: (OwnMessage | Line)[] = await own.getHistory()
  expect(mixed).toEqual([{ role: 'user', content: 'x' }])
})

test('budgets count, and summarize receives, what summaryMessage makes of a summary', async () => {
  await using memory = await openMemory('memory:', {
    summaryMessage: ({ text }) => ({ role: 'user', content: `<${text}>` }),
  })
  await memory.addMessages(
    's',
    ['a', 'b', 'c'].map((content) => ({ role: 'user', content })),
  )
  await memory.compact('s', { keep: 2, summarize: () => 'sum' })
  const countTokens = ({ content }: ChatMessage) => String(content).length
  const texts = async (maxTokens: number) =>
    (await memory.getHistory('s', { maxTokens, countTokens })).map(({ content }) => content)
  expect(await texts(7)).toEqual(['<sum>', 'b', 'c'])
  expect(await texts(6)).toEqual(['<sum>', 'c'])
  const asked: unknown[] = []
  await memory.compact('s', {
    keep: 1,
    summarize: (old) => {
      asked.push(...old.map(({ content }) => content))
      return 'all'
    },
  })
  expect(asked).toEqual(['<sum>', 'b'])
  const broken = new Error('no message')
  await using throwing = await openMemory('memory:', {
    summaryMessage: () => {
      throw broken
    },
  })
  await throwing.addMessages('s', [{ role: 'user', content: 'a' }])
  await throwing.compact('s', { keep: 0, summarize: () => 'sum' })
  await expect(throwing.getHistory('s')).rejects.toBe(broken)
  await expect(openMemory('memory:', { summaryMessage: 'x' as never })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
  })
})
