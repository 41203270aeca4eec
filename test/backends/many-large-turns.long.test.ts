import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { everyBackend } from './every-backend.ts'

const megabytes = 4
const turn = (number: number) => ({
  role: number % 2 === 1 ? ('user' as const) : ('assistant' as const),
  content: `${number} `.padEnd(megabytes * 2 ** 20, 'abcdefgh'),
})
const numbersOf = (messages: readonly { content?: unknown }[]) =>
  messages.map(({ content }) => Number.parseInt(String(content), 10))
const upTo = (last: number, from = 1) => Array.from({ length: last - from + 1 }, (_, index) => from + index)

const { cases } = await everyBackend()

describe.each(cases)('%s', (name, open) => {
  const count = name === 'redis' ? 80 : 20

  test(`${count} turns of ${megabytes} MB are read, verified and trimmed under the default timeout`, async () => {
    const { store: memory } = await open()
    const session = randomUUID()
    for (const number of upTo(count)) await memory.addMessages(session, [turn(number)])

    expect(numbersOf(await memory.getHistory(session))).toEqual(upTo(count))
    expect(numbersOf(await memory.getHistory(session, { last: 5 }))).toEqual(upTo(count, count - 4))
    expect(numbersOf(await memory.getHistory(session, { maxEntries: 5 }))).toEqual(upTo(count, count - 4))
    expect(await memory.verify(session)).toMatchObject({ ok: true, entries: count })
    expect(await memory.stats()).toMatchObject({ entries: count })
    expect((await memory.exportSession(session)).entries.length).toBe(count)
    expect(await memory.trim(session, { maxEntries: 3 })).toMatchObject({ removed: count - 3 })
    await memory.sweep(session)
    expect(numbersOf(await memory.getHistory(session))).toEqual(upTo(count, count - 2))
    expect(await memory.stats()).toMatchObject({ entries: 3, sweepable: { entries: 0 } })
    expect(await memory.deleteSession(session)).toBe(true)
  })
})
