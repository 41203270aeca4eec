import { expect, test } from 'vitest'
import { AppendQueue } from '../../../src/backends/postgres/append-queue.ts'
import { type Append, plainAppend } from '../../../src/backends/postgres/plain-append.ts'
import { entryFormats } from '../../../src/core/encode-entry.ts'

interface Sent {
  readonly bodies: string[]
  readonly deadline: number
  answer(replies?: readonly string[]): void
}

function append(session: string, body: string): Append {
  const entry = { kind: 'message' as const, format: entryFormats.plain, body, bytes: null }
  const made = plainAppend(session, { operation: { id: body, digest: '' }, append: [entry] })
  return made ?? expect.fail('not a plain append')
}

/** A queue, and the statements that it sends, each to be answered by the test. */
function watched() {
  const sent: Sent[] = []
  const queue = new AppendQueue((appends, deadline) => {
    const bodies = appends.flatMap((one) => one.bodies)
    return new Promise((resolve) => sent.push({ bodies, deadline, answer: (replies = bodies) => resolve(replies) }))
  })
  const inAMinute = performance.now() + 60_000
  return {
    sent,
    add: (session: string, body: string, deadline = inAMinute) => queue.add(append(session, body), deadline),
  }
}

test('what waits for others of its session goes together, in order, when they are done', async () => {
  const { sent, add } = watched()
  const first = add('s', '1')
  const later = ['2', '3', '4'].map((body) => add('s', body))
  expect(sent.map(({ bodies }) => bodies)).toEqual([['1']])
  sent[0]?.answer()
  expect(await first).toBe('1')
  await expect.poll(() => sent[1]?.bodies).toEqual(['2', '3', '4'])
  sent[1]?.answer()
  expect(await Promise.all(later)).toEqual(['2', '3', '4'])
})

test('a session with many waiting does not keep others from being sent', async () => {
  const { sent, add } = watched()
  for (let body = 0; body < 200; body++) void add('busy', `${body}`)
  void add('other', 'o')
  expect(sent.map(({ bodies }) => bodies)).toEqual([['0'], ['o']])
  sent[0]?.answer()
  await expect.poll(() => sent[2]?.bodies).toEqual(Array.from({ length: 64 }, (_, index) => `${index + 1}`))
})

test('what is too long for one statement goes in several', async () => {
  const { sent, add } = watched()
  void add('s', '1')
  const long = 'x'.repeat(600_000)
  void add('s', `${long}a`)
  void add('s', `${long}b`)
  sent[0]?.answer()
  await expect.poll(() => sent[1]?.bodies).toEqual([`${long}a`])
  sent[1]?.answer()
  await expect.poll(() => sent[2]?.bodies).toEqual([`${long}b`])
})

test('those of a locked session are sent again by themselves, and hold up no other session', async () => {
  const { sent, add } = watched()
  for (const session of ['a', 'b', 'c', 'd']) void add(session, session)
  const [locked, free] = [add('locked', '1'), add('free', '2')]
  for (const statement of sent.slice(0, 4)) statement.answer()
  await expect.poll(() => sent[4]?.bodies).toEqual(['1', '2'])
  sent[4]?.answer(['["BUSY"]', '2'])
  expect(await free).toBe('2')
  await expect.poll(() => sent[5]?.bodies).toEqual(['1'])
  void add('free', '3')
  void add('locked', '4')
  expect(sent.slice(6).map(({ bodies }) => bodies)).toEqual([['3']])
  sent[5]?.answer()
  expect(await locked).toBe('1')
  await expect.poll(() => sent[7]?.bodies).toEqual(['4'])
})

test('what was never sent by its deadline is told so, however long the statement before it hangs', async () => {
  const { sent, add } = watched()
  void add('s', '1')
  const waits = add('s', '2', performance.now() + 30)
  await expect(waits).rejects.toMatchObject({ code: 'TIMEOUT', applied: 'no' })
  const waitsToo = add('s', '3', performance.now() + 30)
  await expect(waitsToo).rejects.toMatchObject({ code: 'TIMEOUT', applied: 'no' })
  const last = add('s', '4')
  sent[0]?.answer()
  await expect.poll(() => sent[1]?.bodies).toEqual(['4'])
  sent[1]?.answer()
  expect(await last).toBe('4')
})

test('a statement has as long as the one of its appends that has longest', async () => {
  const { sent, add } = watched()
  void add('s', '1')
  const [soon, later] = [performance.now() + 30_000, performance.now() + 50_000]
  void add('s', '2', later)
  void add('s', '3', soon)
  sent[0]?.answer()
  await expect.poll(() => sent[1]?.deadline).toBe(later)
})
