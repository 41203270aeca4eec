import { expect, test } from 'vitest'
import type { SnapshotList } from '../../src/core/backend.ts'
import { MemoryStore } from '../../src/core/memory-store.ts'
import { everyBackend, type OpenedBackend } from './every-backend.ts'

const { cases } = await everyBackend()
const soon = () => performance.now() + 60_000

/** Each rewind cuts one of three turns and saves what it leaves, so that every path has one range more than the last. */
async function rewindOften({ store }: OpenedBackend, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const { seqs } = await store.addMessages('s', [
      { role: 'user', content: `kept ${round}` },
      { role: 'assistant', content: 'kept' },
      { role: 'user', content: 'cut' },
    ])
    await store.rewind('s', { before: seqs[2] ?? 0, snapshot: { id: `${round}` } })
  }
}

test.each(cases)('on %s, snapshots of a long chain of rewinds count what they read', async (_name, open) => {
  const opened = await open()
  await rewindOften(opened, 24)
  const { store } = opened
  for (const { id, entries } of await store.listSnapshots('s')) {
    expect(entries).toBe((await store.getEntries('s', { at: id })).length)
  }
  expect((await store.verify('s')).damage).toEqual([])
  const copy = await store.exportSession('s')
  expect(copy.epochs.at(-1)?.path).toHaveLength(25)
})

test.each(cases.filter(([name]) => name !== 'memory'))(
  'on %s, the paths of a long chain of rewinds are put together when they are asked for',
  async (_name, open) => {
    const opened = await open()
    await rewindOften(opened, 24)
    const { epochs } = await opened.backend.snapshots('s', soon())
    const long = epochs.filter(({ difference }) => difference !== null)
    expect(long.length).toBeGreaterThan(15)
    for (const epoch of long) expect(Object.getOwnPropertyDescriptor(epoch, 'path')?.get).toBeTypeOf('function')
  },
)

test('listSnapshots asks for no path that is stored as a difference', async () => {
  const opened = await (cases.find(([name]) => name === 'sqlite')?.[1] ?? expect.fail())()
  await rewindOften(opened, 24)
  const { backend } = opened
  const unreadable = new Proxy(backend, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (name !== 'snapshots') return typeof value === 'function' ? value.bind(target) : value
      return async (session: string): Promise<SnapshotList> => {
        const list = await target.snapshots(session, soon())
        const epochs = list.epochs.map((epoch) =>
          epoch.difference === null
            ? epoch
            : Object.defineProperty(epoch, 'path', { get: () => expect.fail(`path of epoch ${epoch.number}`) }),
        )
        return { ...list, epochs }
      }
    },
  })
  expect(await new MemoryStore(unreadable).listSnapshots('s')).toHaveLength(24)
})
