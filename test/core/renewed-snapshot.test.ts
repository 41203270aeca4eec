import { type Change, type Committed, MemoryStore, type SnapshotList } from 'unforget'
import { MemoryBackend } from 'unforget/memory'
import { expect, test } from 'vitest'

const turns = Array.from({ length: 5 }, (_, index) => ({ role: 'user' as const, content: `turn ${index}` }))

/** Lets something happen between what an operation read and what it commits. */
class Interrupted extends MemoryBackend {
  interrupt: (() => Promise<void>) | undefined

  override async commit(session: string, change: Change): Promise<Committed> {
    const { interrupt } = this
    this.interrupt = undefined
    await interrupt?.()
    return super.commit(session, change)
  }
}

/** Lets something happen after the snapshots were listed. */
class InterruptedAfterList extends MemoryBackend {
  interrupt: (() => Promise<void>) | undefined

  override async snapshots(session: string): Promise<SnapshotList> {
    const list = await super.snapshots(session)
    const { interrupt } = this
    this.interrupt = undefined
    await interrupt?.()
    return list
  }
}

test('snapshots.7: a rollback does not take another snapshot of the same id for the one it read', async () => {
  const backend = new Interrupted()
  const store = new MemoryStore(backend)
  await store.addMessages('s', turns)
  await store.saveSnapshot('s', { id: 'latest' })
  await store.clear('s')
  backend.interrupt = async () => {
    await store.deleteSnapshot('s', 'latest')
    await store.saveSnapshot('s', { id: 'latest' })
  }
  await store.rollbackToSnapshot('s', 'latest')
  expect(await store.getHistory('s')).toEqual([])
  expect((await store.verify()).damage).toEqual([])
})

test('snapshots.4: a rollback to a snapshot that is deleted meanwhile is refused', async () => {
  const backend = new Interrupted()
  const store = new MemoryStore(backend)
  await store.addMessages('s', turns)
  await store.saveSnapshot('s', { id: 'p' })
  backend.interrupt = async () => {
    await store.deleteSnapshot('s', 'p')
  }
  await expect(store.rollbackToSnapshot('s', 'p')).rejects.toMatchObject({ code: 'SNAPSHOT_NOT_FOUND' })
  expect(await store.getHistory('s')).toEqual(turns)
})

test('snapshots.8: a path that changes under a trim is computed again', async () => {
  const backend = new Interrupted()
  const store = new MemoryStore(backend)
  await store.addMessages('s', turns)
  const { id } = await store.saveSnapshot('s')
  await store.addMessages('s', turns)
  backend.interrupt = async () => {
    await store.rollbackToSnapshot('s', id)
  }
  expect((await store.trim('s', { maxEntries: 2 })).removed).toBe(3)
  expect(await store.getHistory('s')).toEqual(turns.slice(-2))
})

test.each(['verify', 'exportSession'] as const)(
  '%s does not take what was swept with a snapshot for lost because another one has its id now',
  async (method) => {
    const backend = new InterruptedAfterList()
    const store = new MemoryStore(backend)
    await store.addMessages('s', turns)
    await store.saveSnapshot('s', { id: 'latest' })
    await store.rewind('s', { to: 1 })
    backend.interrupt = async () => {
      await store.deleteSnapshot('s', 'latest')
      await store.saveSnapshot('s', { id: 'latest' })
    }
    const found = await store[method]('s')
    expect('damage' in found ? found.damage : found.entries.length).toEqual(method === 'verify' ? [] : 1)
  },
)
