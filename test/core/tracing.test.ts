import { tracingChannel } from 'node:diagnostics_channel'
import { inspect } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { MemoryBackend } from '../../src/backends/memory/index.ts'
import { faulty } from '../../src/faults/index.ts'
import { type CallTrace, MemoryStore } from '../../src/index.ts'

/** The calls of this test, as they end. */
function listen(): CallTrace[] {
  const calls: CallTrace[] = []
  const { asyncEnd } = tracingChannel<unknown, CallTrace>('unforget:call')
  const end = (call: unknown) => void calls.push(call as CallTrace)
  asyncEnd.subscribe(end)
  onTestFinished(() => void asyncEnd.unsubscribe(end))
  return calls
}

test('tracing.1: a call is published with its method, session, time and error, and never with content', async () => {
  const calls = listen()
  await using memory = new MemoryStore(new MemoryBackend())
  await memory.addMessages('a', [{ role: 'user', content: 'my secret' }])
  expect(await memory.getHistory('a')).toHaveLength(1)
  await memory.session('a').getEntries()
  await memory.listSessions()
  await expect(memory.fork('a', 'a')).rejects.toMatchObject({ code: 'SESSION_EXISTS' })
  await expect(memory.getHistory('a', { at: '?' })).rejects.toMatchObject({ code: 'SNAPSHOT_NOT_FOUND' })
  expect(calls.map(({ method, session, attempt, error }) => [method, session, attempt, error])).toMatchObject([
    ['addMessages', 'a', 1, undefined],
    ['getHistory', 'a', 1, undefined],
    ['getEntries', 'a', 1, undefined],
    ['listSessions', null, 1, undefined],
    ['fork', 'a', 1, { code: 'SESSION_EXISTS' }],
    ['getHistory', 'a', 1, { code: 'SNAPSHOT_NOT_FOUND' }],
  ])
  for (const { duration } of calls) expect(duration).toBeGreaterThan(0)
  expect(inspect(calls, { depth: 9, showHidden: true })).not.toContain('my secret')
})

test('tracing.1: a call says how many attempts it took, and others at the same time do not', async () => {
  const calls = listen()
  const backend = faulty(new MemoryBackend(), [{ do: 'fail after', of: 'commit', at: 1, times: 2 }])
  await using memory = new MemoryStore(backend)
  const add = memory.addMessages('a', [{ role: 'user', content: 'x' }])
  await memory.getHistory('b')
  await add
  expect(calls.map(({ method, attempt }) => [method, attempt])).toEqual([
    ['getHistory', 1],
    ['addMessages', 3],
  ])
})

test('tracing.1: a turn is a call, and so is what is called in it', async () => {
  const calls = listen()
  await using memory = new MemoryStore(new MemoryBackend())
  await memory.withTurn('a', (turn) => turn.addMessages([{ role: 'user', content: 'x' }]))
  expect(calls.map(({ method }) => method)).toEqual(['addMessages', 'withTurn'])
})
