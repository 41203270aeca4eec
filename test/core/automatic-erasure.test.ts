import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterEach, expect, test, vi } from 'vitest'
import { MemoryBackend } from '../../src/backends/memory/memory-backend.ts'
import type { Reclaimed, ReclaimScope } from '../../src/core/backend.ts'
import { MemoryStore, MemoryStoreBackendError } from '../../src/core/index.ts'

const said = [{ role: 'user' as const, content: 'hello' }]

afterEach(() => {
  vi.useRealTimers()
})

class Watched extends MemoryBackend {
  readonly scopes: ReclaimScope[] = []
  readonly #answer: (call: number) => Promise<Reclaimed>

  constructor(answer: (call: number) => Promise<Reclaimed>) {
    super()
    this.#answer = answer
  }

  override reclaim(scope: ReclaimScope): Promise<Reclaimed> {
    return this.#answer(this.scopes.push(scope))
  }
}

const done = { entries: 0, done: true }

test('ttl.7: it erases slice by slice until nothing is left, and then at a write ten minutes later', async () => {
  const backend = new Watched(async (call) => ({ entries: 1, done: call >= 3 }))
  await using store = new MemoryStore(backend)
  await vi.waitFor(() => expect(backend.scopes).toEqual(['outdated', 'outdated', 'outdated']))
  await store.addMessages('s', said)
  expect(backend.scopes.length).toBe(3)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 60_000 })
  await store.getHistory('s')
  expect(backend.scopes.length).toBe(3)
  await store.addMessages('s', said)
  await vi.waitFor(() => expect(backend.scopes.length).toBe(4))
  await store.addMessages('s', said)
  expect(backend.scopes.length).toBe(4)
})

test('ttl.7: a backend that may only read is asked once, and its refusal is no failure', async () => {
  const published: unknown[] = []
  const note = (message: unknown) => published.push(message)
  subscribe('unforget:unswept', note)
  const readOnly = new MemoryStoreBackendError('READ_ONLY', 'it is read-only', { applied: 'no' })
  const backend = new Watched(() => Promise.reject(readOnly))
  const store = new MemoryStore(backend)
  await vi.waitFor(() => expect(backend.scopes.length).toBe(1))
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60 * 60_000 })
  await store.getHistory('s')
  await store.close()
  unsubscribe('unforget:unswept', note)
  expect(backend.scopes.length).toBe(1)
  expect(published).toEqual([])
})

test('ttl.7: a failure is published and fails no call', async () => {
  const published: unknown[] = []
  const note = (message: unknown) => published.push(message)
  subscribe('unforget:unswept', note)
  const error = new Error('a backend with a bug')
  await using store = new MemoryStore(new Watched(() => Promise.reject(error)))
  await store.addMessages('s', said)
  await vi.waitFor(() => expect(published).toEqual([{ session: null, error }]))
  unsubscribe('unforget:unswept', note)
})

test('ttl.7: close waits for the slice that is under way, and no other follows', async () => {
  let answer: (reclaimed: Reclaimed) => void = () => {}
  const backend = new Watched(() => new Promise((resolve) => (answer = resolve)))
  const store = new MemoryStore(backend)
  await vi.waitFor(() => expect(backend.scopes.length).toBe(1))
  const events: string[] = []
  const closing = store.close().then(() => events.push('closed'))
  await new Promise((resolve) => setImmediate(resolve))
  events.push('answered')
  answer({ ...done, done: false })
  await closing
  expect(events).toEqual(['answered', 'closed'])
  expect(backend.scopes.length).toBe(1)
})
