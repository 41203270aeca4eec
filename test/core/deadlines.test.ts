import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { setTimeout as pause } from 'node:timers/promises'
import { type BackendErrorCode, type Committed, MemoryStore, MemoryStoreBackendError } from 'unforget'
import { faulty } from 'unforget/faults'
import { MemoryBackend } from 'unforget/memory'
import { expect, onTestFinished, test } from 'vitest'

const turns = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ role: 'user' as const, content: `${index}` }))

test('deadlines.1: the longest timeout there is does not end at once', async () => {
  const store = new MemoryStore(new MemoryBackend(), { timeout: 2 ** 31 - 1 })
  for (let count = 1; count <= 50; count++) expect((await store.addMessages('s', turns(1))).seqs).toEqual([count])
})

test('deadlines.2: every attempt is published', async () => {
  const heard: unknown[] = []
  const listen = (message: unknown) => heard.push(message)
  subscribe('unforget:retry', listen)
  onTestFinished(() => void unsubscribe('unforget:retry', listen))
  const backend = faulty(new MemoryBackend(), [
    { do: 'fail before', at: 1, of: 'commit' },
    { do: 'fail after', at: 2, of: 'commit' },
  ])
  await new MemoryStore(backend).addMessages('s', turns(1))
  expect(heard).toMatchObject([
    { method: 'commit', session: 's', attempt: 1 },
    { method: 'commit', session: 's', attempt: 2 },
  ])
})

test('deadlines.2: what is told in the end is why it failed, not that there was no time to try again', async () => {
  const failure = (code: BackendErrorCode) =>
    new MemoryStoreBackendError(code, 'as planned', { applied: 'no', retryable: true })
  const backend = faulty(new MemoryBackend(), [
    { do: 'fail before', at: 1, of: 'commit', error: failure('OUT_OF_MEMORY') },
    { do: 'fail before', at: 2, of: 'commit', times: Number.POSITIVE_INFINITY, error: failure('TIMEOUT') },
  ])
  const store = new MemoryStore(backend, { timeout: 1000 })
  await expect(store.addMessages('s', turns(1))).rejects.toMatchObject({ code: 'OUT_OF_MEMORY', applied: 'no' })
  expect(backend.pending).toEqual([])
})

/** Locked by others until little time is left; a second attempt would get no answer. */
class LockedBackend extends MemoryBackend {
  readonly timeout = 4000
  attempts = 0

  override async commit(): Promise<Committed> {
    this.attempts += 1
    await pause(this.timeout * 0.76)
    throw new MemoryStoreBackendError('TIMEOUT', 'as planned', {
      applied: this.attempts === 1 ? 'no' : 'unknown',
      retryable: true,
    })
  }
}

test('deadlines.2: a write that others kept out says so, and is not tried again with little time left', async () => {
  const backend = new LockedBackend()
  const store = new MemoryStore(backend, { timeout: backend.timeout })
  await expect(store.addMessages('s', turns(1))).rejects.toMatchObject({ code: 'TIMEOUT', applied: 'no' })
  expect(backend.attempts).toBe(1)
})

test('compaction.3: a summary that takes longer than the deadline is not too late when the path changed meanwhile', async () => {
  const store = new MemoryStore(new MemoryBackend(), { timeout: 200 })
  await store.addMessages('s', turns(8))
  let asked = 0
  const { removed } = await store.compact('s', {
    keep: 1,
    summarize: async () => {
      asked += 1
      if (asked === 1) await store.trim('s', { maxEntries: 5 })
      const began = performance.now()
      while (performance.now() - began < 300) await store.sessionInfo('s')
      return 'sum'
    },
  })
  expect([asked, removed]).toEqual([2, 4])
  expect((await store.getHistory('s')).map(({ content }) => content)).toEqual(['sum', '7'])
})
