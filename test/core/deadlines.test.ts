import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type Change, type Committed, MemoryStore, MemoryStoreBackendError, MemoryStoreError } from 'unforget'
import { MemoryBackend } from 'unforget/memory'
import { expect, onTestFinished, test } from 'vitest'

const turn = [{ role: 'user' as const, content: 'once' }]

/** A sound backend behind a connection that fails: before a commit, after it, or for ever. */
class Unreliable extends MemoryBackend {
  readonly faults: ('before' | 'after' | 'hang')[]

  constructor(...faults: ('before' | 'after' | 'hang')[]) {
    super()
    this.faults = faults
  }

  override async commit(session: string, change: Change): Promise<Committed> {
    const fault = this.faults.shift()
    const cut = (applied: 'no' | 'unknown') =>
      new MemoryStoreBackendError('BACKEND_FAILED', 'the connection was cut', { applied, retryable: true })
    if (fault === 'before') throw cut('no')
    if (fault === 'hang') return new Promise<Committed>(() => {})
    const committed = await super.commit(session, change)
    if (fault === 'after') throw cut('unknown')
    return committed
  }
}

test('deadlines.1: a backend that never answers is not waited for', async () => {
  const store = new MemoryStore(new Unreliable('hang'), { timeout: 40 })
  await expect(store.addMessages('s', turn)).rejects.toMatchObject({ code: 'TIMEOUT', applied: 'unknown' })
  expect((await store.addMessages('s', turn)).seqs).toEqual([1])
})

test('deadlines.1: the longest timeout there is does not end at once', async () => {
  const store = new MemoryStore(new MemoryBackend(), { timeout: 2 ** 31 - 1 })
  for (let turns = 1; turns <= 50; turns++) expect((await store.addMessages('s', turn)).seqs).toEqual([turns])
})

test('deadlines.2: what failed before or after it was applied is applied once', async () => {
  const heard: unknown[] = []
  const listen = (message: unknown) => heard.push(message)
  subscribe('unforget:retry', listen)
  onTestFinished(() => void unsubscribe('unforget:retry', listen))
  const backend = new Unreliable('before', 'after', 'after', 'before')
  const store = new MemoryStore(backend)
  expect((await store.addMessages('s', turn)).seqs).toEqual([1])
  expect(await store.getHistory('s')).toEqual(turn)
  expect((await store.saveSnapshot('s')).automatic).toBe(false)
  expect((await store.listSnapshots('s')).length).toBe(1)
  expect(backend.faults).toEqual([])
  expect(heard.length).toBe(4)
})

test('deadlines.2: what stays unknown is told as unknown, though the last attempt wrote nothing', async () => {
  const faults = ['after', ...Array.from({ length: 1000 }, () => 'before' as const)] as const
  const store = new MemoryStore(new Unreliable(...faults), { timeout: 60 })
  const failed = store.addMessages('s', turn)
  await expect(failed).rejects.toMatchObject({ code: 'BACKEND_FAILED', applied: 'unknown' })
  expect(MemoryStoreError.is(await failed.catch((error: unknown) => error))).toBe(true)
})
