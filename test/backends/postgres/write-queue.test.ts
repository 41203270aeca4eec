import { expect, test } from 'vitest'
import { type Append, plainAppend } from '../../../src/backends/postgres/plain-append.ts'
import { type Reply, toReply } from '../../../src/backends/postgres/reply.ts'
import { WriteQueue } from '../../../src/backends/postgres/write-queue.ts'
import { MemoryStoreBackendError } from '../../../src/core/errors.ts'
import { entryFormats } from '../../../src/core/seal-entry.ts'

interface Sent {
  readonly bodies: string[]
  readonly deadline: number
  readonly mayWait: boolean
  refuse(): void
  answer(replies?: readonly string[]): void
}

function append(session: string, body: string): Append {
  const entry = { kind: 'message' as const, format: entryFormats.plain, body, bytes: null }
  const made = plainAppend(session, { operation: { id: body, digest: '' }, append: [entry] })
  return made ?? expect.fail('not a plain append')
}

/** The statements are answered with the bodies that they append, each as what `append` would tell. */
function bodyOf(reply: Reply): string {
  return reply.status === 'APPENDED' ? reply.version : expect.fail(reply.status)
}

/** For a write that the test does not wait for: it may be rejected at its deadline, when another file already runs in this worker. */
function leave(write: Promise<string>): void {
  write.catch((error: unknown) => {
    if (!(error instanceof MemoryStoreBackendError && error.code === 'TIMEOUT')) throw error
  })
}

/** A queue, and the statements that it sends, each to be answered by the test. */
function watched() {
  const sent: Sent[] = []
  const queue = new WriteQueue((appends, deadline, mayWait) => {
    const bodies = appends.flatMap((one) => one.bodies)
    return new Promise((resolve, reject) => {
      const refuse = () => reject(new MemoryStoreBackendError('BACKEND_FAILED', 'refused', { applied: 'no' }))
      sent.push({ bodies, deadline, mayWait, refuse, answer: (replies = bodies) => resolve(replies.map(toReply)) })
    })
  })
  const inAMinute = performance.now() + 60_000
  const alone = async (session: string, body: string, deadline = inAMinute) => {
    const reply = await queue.alone(session, deadline, (mayWait) => {
      return new Promise((resolve, reject) => {
        const answer = ([reply = body]: readonly string[] = []) => resolve(toReply(reply))
        sent.push({ bodies: [body], deadline, mayWait, refuse: () => reject(new Error('refused')), answer })
      })
    })
    return bodyOf(reply)
  }
  const add = async (session: string, body: string, deadline = inAMinute) =>
    bodyOf(await queue.append(append(session, body), deadline))
  return { sent, add, alone }
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
  for (let body = 0; body < 200; body++) leave(add('busy', `${body}`))
  leave(add('other', 'o'))
  expect(sent.map(({ bodies }) => bodies)).toEqual([['0'], ['o']])
  sent[0]?.answer()
  await expect.poll(() => sent[2]?.bodies).toEqual(Array.from({ length: 64 }, (_, index) => `${index + 1}`))
})

test('what is too long for one statement goes in several', async () => {
  const { sent, add } = watched()
  leave(add('s', '1'))
  const long = 'x'.repeat(600_000)
  leave(add('s', `${long}a`))
  leave(add('s', `${long}b`))
  sent[0]?.answer()
  await expect.poll(() => sent[1]?.bodies).toEqual([`${long}a`])
  sent[1]?.answer()
  await expect.poll(() => sent[2]?.bodies).toEqual([`${long}b`])
})

test('those of a locked session are sent again by themselves, and hold up no other session', async () => {
  const { sent, add } = watched()
  for (const session of ['a', 'b', 'c', 'd']) leave(add(session, session))
  const [locked, free] = [add('locked', '1'), add('free', '2')]
  for (const statement of sent.slice(0, 4)) statement.answer()
  await expect.poll(() => sent[4]?.bodies).toEqual(['1', '2'])
  sent[4]?.answer(['["BUSY"]', '2'])
  expect(await free).toBe('2')
  await expect.poll(() => sent[5]?.bodies).toEqual(['1'])
  leave(add('free', '3'))
  leave(add('locked', '4'))
  expect(sent.slice(6).map(({ bodies }) => bodies)).toEqual([['3']])
  sent[5]?.answer()
  expect(await locked).toBe('1')
  await expect.poll(() => sent[7]?.bodies).toEqual(['4'])
})

test('what was never sent by its deadline is told so, however long the statement before it hangs', async () => {
  const { sent, add } = watched()
  leave(add('s', '1'))
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
  leave(add('s', '1'))
  const [soon, later] = [performance.now() + 30_000, performance.now() + 50_000]
  leave(add('s', '2', later))
  leave(add('s', '3', soon))
  sent[0]?.answer()
  await expect.poll(() => sent[1]?.deadline).toBe(later)
})

test('of locked sessions, four are waited for and the others asked for again, so that connections are left', async () => {
  const { sent, add } = watched()
  const busy = '["BUSY"]'
  const locked = ['a', 'b', 'c', 'd'].map((session) => add(session, session))
  const others = ['e', 'f', 'g'].map((session) => add(session, session))
  expect(sent.map(({ mayWait }) => mayWait)).toEqual([true, true, true, true])
  await expect.poll(() => sent[4]).toMatchObject({ bodies: ['e', 'f', 'g'], mayWait: false })
  sent[4]?.answer(['e', busy, busy])
  expect(await others[0]).toBe('e')
  await expect.poll(() => sent.slice(5).flatMap(({ bodies }) => bodies)).toEqual(['f', 'g'])
  expect(sent.slice(5).every(({ mayWait }) => !mayWait)).toBe(true)
  for (const statement of sent) statement.answer()
  expect(await Promise.all([...locked, ...others])).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
})

test('of those that are refused together, each is tried, one after the other, and only its own is refused', async () => {
  const { sent, add } = watched()
  leave(add('s', '1'))
  const settling = Promise.allSettled(['2', '3', '4', '5'].map((body) => add('s', body)))
  sent[0]?.answer()
  await expect.poll(() => sent[1]?.bodies).toEqual(['2', '3', '4', '5'])
  sent[1]?.refuse()
  await expect.poll(() => sent[2]?.bodies).toEqual(['2', '3'])
  sent[2]?.answer()
  await expect.poll(() => sent[3]?.bodies).toEqual(['4', '5'])
  sent[3]?.refuse()
  await expect.poll(() => sent[4]?.bodies).toEqual(['4'])
  sent[4]?.refuse()
  await expect.poll(() => sent[5]?.bodies).toEqual(['5'])
  sent[5]?.answer()
  expect((await settling).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
})

test('a write that shares no statement keeps its place among the appends of its session, and waits for no other session', async () => {
  const { sent, add, alone } = watched()
  const bodies = () => sent.map((statement) => statement.bodies.join())
  const all = [add('s', '1'), alone('s', '2'), add('s', '3'), add('s', '4'), alone('s', '5'), alone('s', '6')]
  for (const session of ['a', 'b', 'c', 'd']) all.push(add(session, session))
  all.push(alone('e', 'e'))
  expect(bodies()).toEqual(['1', 'a', 'b', 'c', 'e'])
  sent[0]?.answer()
  await expect.poll(bodies).toEqual(['1', 'a', 'b', 'c', 'e', '2', 'd'])
  sent[6]?.answer()
  sent[5]?.refuse()
  await expect(all[1]).rejects.toThrow('refused')
  await expect.poll(() => bodies().slice(7)).toEqual(['3,4'])
  sent[7]?.answer(['3', '4'])
  await expect.poll(() => bodies().slice(8)).toEqual(['5'])
  sent[8]?.answer()
  await expect.poll(() => bodies().slice(9)).toEqual(['6'])
  for (const statement of sent) statement.answer()
  const others = await Promise.all(all.filter((_, index) => index !== 1))
  expect(others).toEqual(['1', '3', '4', '5', '6', 'a', 'b', 'c', 'd', 'e'])
})

test('a write that shares no statement is sent though those before it came too late', async () => {
  const { sent, add, alone } = watched()
  for (const session of ['a', 'b', 'c', 'd']) leave(add(session, session))
  const late = add('s', '1', performance.now() + 30)
  const lone = alone('s', '2')
  await expect(late).rejects.toMatchObject({ code: 'TIMEOUT', applied: 'no' })
  await expect.poll(() => sent.at(-1)?.bodies).toEqual(['2'])
  sent.at(-1)?.answer()
  expect(await lone).toBe('2')
  leave(alone('t', '3'))
  const behind = alone('t', '4', performance.now() + 30)
  await expect(behind).rejects.toMatchObject({ code: 'TIMEOUT', applied: 'no' })
})

test('of those that are refused together, none is sent before one of its session that was found locked', async () => {
  const { sent, add } = watched()
  for (const session of ['a', 'b', 'c', 'd']) leave(add(session, session))
  const ofOne = ['1', '2', '3', '4'].map((body) => add('s', body))
  const bad = add('t', 'bad')
  sent[0]?.answer()
  await expect.poll(() => sent[4]?.bodies).toEqual(['1', '2', '3', '4', 'bad'])
  sent[4]?.refuse()
  await expect.poll(() => sent[5]?.bodies).toEqual(['1', '2'])
  sent[5]?.answer(['["BUSY"]', '["BUSY"]'])
  await expect.poll(() => sent[6]?.bodies).toEqual(['bad'])
  sent[6]?.refuse()
  await expect(bad).rejects.toThrow('refused')
  await expect.poll(() => sent[7]?.bodies).toEqual(['1', '2', '3', '4'])
  sent[7]?.answer()
  expect(await Promise.all(ofOne)).toEqual(['1', '2', '3', '4'])
})

test('of writes that share no statement four wait for locks; others are asked for again, in their place', async () => {
  const { sent, add, alone } = watched()
  const busy = ['["BUSY"]']
  const locked = ['a', 'b', 'c', 'd', 'e'].map((session) => alone(session, session))
  const behind = add('e', 'behind')
  expect(sent.map(({ mayWait }) => mayWait)).toEqual([true, true, true, true, false])
  sent[4]?.answer(busy)
  await expect.poll(() => sent[5]).toMatchObject({ bodies: ['e'], mayWait: false })
  sent[0]?.answer()
  sent[5]?.answer(busy)
  await expect.poll(() => sent[6]).toMatchObject({ bodies: ['e'], mayWait: true })
  for (const statement of sent) statement.answer()
  expect(await Promise.all(locked)).toEqual(['a', 'b', 'c', 'd', 'e'])
  await expect.poll(() => sent[7]?.bodies).toEqual(['behind'])
  sent[7]?.answer()
  expect(await behind).toBe('behind')
})
