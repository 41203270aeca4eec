import { join } from 'node:path'
import { openMemory } from 'unforget'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Text, a record of a tool call, bytes, or several messages at once: which of them stand next to each other differs from one group of rows to the next. */
const inputs = Array.from({ length: 150 }, (_, index) => {
  if (index % 41 === 40) return { kind: 'toolCall' as const, toolCall: { id: `${index}`, name: 'tool' } }
  const bytes = index % 53 === 50 ? { data: Uint8Array.of(index) } : {}
  return { kind: 'message' as const, message: { role: 'user', content: `${index} é🙂`, ...bytes } }
})

test('appends that share their inserts are kept one by one, in order, by session', async () => {
  const url = `sqlite:${join(await temporaryFolder(), 'shared.db')}`
  const memory = await openMemory(url)
  const sessionOf = (index: number) => (index % 3 === 0 ? 'a' : 'b')
  for (const session of ['a', 'b'])
    await memory.addEntries(session, [{ kind: 'message', message: { content: 'first' } }])
  const added = await Promise.all(inputs.map((input, index) => memory.addEntries(sessionOf(index), [input])))
  await memory.close()

  const again = await openMemory(url)
  for (const session of ['a', 'b']) {
    const own = inputs.flatMap((input, index) => (sessionOf(index) === session ? [{ input, index }] : []))
    const [, ...entries] = await again.getEntries(session)
    expect(entries.map(({ at, ...entry }) => entry)).toEqual(
      own.map(({ input }, place) => ({ ...input, seq: place + 2 })),
    )
    expect(own.flatMap(({ index }) => added[index]?.seqs)).toEqual(own.map((_, place) => place + 2))
  }
  expect(await again.verify()).toMatchObject({ ok: true })
  await again.close()
})
