import fc from 'fast-check'
import type { ChatMessage } from 'unforget'
import { describe, expect, test } from 'vitest'
import { showWith } from '../../src/core/history.ts'
import { outlineOf } from '../../src/core/outline.ts'
import type { TrimBudget } from '../../src/core/trim-budget.ts'
import { planTrim } from '../../src/core/trim-plan.ts'

const plan = (messages: readonly ChatMessage[], budget: TrimBudget) =>
  planTrim(
    messages.map((message, index) =>
      outlineOf({ kind: 'message', seq: index + 1, at: 0, message }, showWith(), {
        maxTokens: budget.maxTokens,
      }),
    ),
    budget,
  )

/** Conversations with parallel and nested calls, calls still pending, results that come late, reused ids and orphans. */
const conversations: fc.Arbitrary<ChatMessage[]> = fc
  .array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom<ChatMessage>({ role: 'user', content: 'u' }, { role: 'assistant', content: 'a' }),
      },
      { weight: 1, arbitrary: fc.constant<ChatMessage>({ role: 'system', content: 's' }) },
      {
        weight: 3,
        arbitrary: fc.uniqueArray(fc.constantFrom('1', '2', '3', '4'), { minLength: 1, maxLength: 3 }).map(call),
      },
      { weight: 4, arbitrary: fc.constantFrom('1', '2', '3', '4').map(result) },
    ),
    { maxLength: 24 },
  )
  .map((messages) => messages.map((message, index) => ({ ...message, index })))

function call(ids: string[]): ChatMessage {
  return { role: 'assistant', content: null, toolCalls: ids.map((id) => ({ id, name: 'tool' })) }
}
function result(id: string): ChatMessage {
  return { role: 'tool', toolCallId: id, content: 'r' }
}

const budgets: fc.Arbitrary<TrimBudget> = fc.record({
  maxEntries: fc.integer({ min: 1, max: 5 }),
  startOn: fc.constantFrom(undefined, 'user'),
})

/** Which call each result answers: the last one of its id before it. Written as plainly as possible. */
function pairs(messages: readonly ChatMessage[]): [call: number, result: number][] {
  const callsOf = (id: string) =>
    messages.flatMap(({ toolCalls }, index) => (toolCalls?.some((one) => one.id === id) ? [index] : []))
  return messages.flatMap(({ toolCallId }, index): [number, number][] => {
    if (toolCallId === undefined) return []
    const calls = callsOf(toolCallId)
    const answered = calls.findLast((at) => at < index)
    return answered === undefined ? [] : [[answered, index]]
  })
}

describe('every cut of generated conversations', () => {
  test('parts no call from its results, in either direction', () => {
    return fc.assert(
      fc.asyncProperty(conversations, async (messages) => {
        for (let maxEntries = 1; maxEntries <= messages.length; maxEntries++) {
          const { cut } = await plan(messages, { maxEntries })
          for (const [a, b] of pairs(messages)) expect(a < cut).toBe(b < cut)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('keeps as much as fits, or the newest group alone and says so', () => {
    return fc.assert(
      fc.asyncProperty(conversations, async (messages) => {
        const newest = (await plan(messages, { maxEntries: 1 })).cut
        for (let maxEntries = 1; maxEntries <= messages.length + 1; maxEntries++) {
          const { cut, overBudget } = await plan(messages, { maxEntries })
          const kept = messages.length - cut
          expect(overBudget).toBe(kept > maxEntries)
          if (messages.length > 0) expect(kept).toBeGreaterThan(0)
          if (overBudget) expect(cut).toBe(newest)
          const more = await plan(messages, { maxEntries: maxEntries + 1 })
          expect(more.cut).toBeLessThanOrEqual(cut)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('begins with a user message if asked, wherever one can begin', () => {
    return fc.assert(
      fc.asyncProperty(conversations, fc.integer({ min: 1, max: 5 }), async (messages, maxEntries) => {
        const { cut, overBudget } = await plan(messages, { maxEntries, startOn: 'user' })
        const isUser = (index: number) => messages.slice(index).find(({ role }) => role !== 'system')?.role === 'user'
        const free = await Promise.all(
          messages.map(
            async (_, index) => (await plan(messages, { maxEntries: messages.length - index })).cut === index,
          ),
        )
        const starts = [...messages.keys()].filter((index) => free[index] && isUser(index))
        const fitting = starts.find((index) => messages.length - index <= maxEntries)
        const expected = fitting ?? starts.at(-1) ?? (await plan(messages, { maxEntries })).cut
        expect(cut).toBe(expected)
        expect(overBudget).toBe(messages.length - cut > maxEntries)
      }),
      { numRuns: 1000 },
    )
  })

  test('does not orphan the result of a call that is still waited for', () => {
    return fc.assert(
      fc.asyncProperty(conversations, fc.constantFrom('1', '2', '3', '4'), async (messages, id) => {
        const answered = messages.findLastIndex(({ toolCallId }) => toolCallId === id)
        const waiting = messages.findLastIndex(({ toolCalls }) => toolCalls?.some((one) => one.id === id))
        const after = messages.slice(waiting + 1)
        const user = after.findIndex(({ role }) => role === 'user')
        const wentOn = user !== -1 && after.slice(user).some(({ role }) => role === 'assistant')
        fc.pre(waiting > answered && !wentOn)
        expect((await plan(messages, { maxEntries: 1 })).cut).toBeLessThanOrEqual(waiting)
      }),
      { numRuns: 1000 },
    )
  })

  test('a plan made of a part of the conversation stands, where it says so', () => {
    return fc.assert(
      fc.asyncProperty(conversations, fc.nat(5), budgets, async (messages, skip, budget) => {
        const withoutEarly = messages.filter(
          ({ toolCallId }, index) =>
            toolCallId === undefined ||
            messages.slice(0, index).some(({ toolCalls }) => toolCalls?.some(({ id }) => id === toolCallId)),
        )
        const window = withoutEarly.slice(skip)
        const part = await plan(window, budget)
        fc.pre(part.settled)
        const whole = await plan(withoutEarly, budget)
        expect(whole.cut).toBe(part.cut + withoutEarly.length - window.length)
        expect(whole.overBudget).toBe(part.overBudget)
      }),
      { numRuns: 300 },
    )
  })
})

test('others get their turn while a plan over 1,000,000 messages is made', async () => {
  const user = outlineOf({ kind: 'message', seq: 1, at: 0, message: { role: 'user', content: 'u' } }, showWith(), {})
  const messages = Array.from({ length: 1_000_000 }, () => user)
  let turns = 0
  const count = () => {
    turns += 1
    immediate = setImmediate(count)
  }
  let immediate = setImmediate(count)
  const { cut } = await planTrim(messages, { maxEntries: 10 })
  clearImmediate(immediate)
  expect(cut).toBe(messages.length - 10)
  expect(turns).toBeGreaterThan(1)
})
