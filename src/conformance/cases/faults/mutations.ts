import type { FullStore, StoreMethod } from '../../case.ts'
import { turns } from '../../samples.ts'

/** One way to change a memory, on the session that `prepare` made. */
export interface Mutation {
  readonly method: StoreMethod
  readonly act: (store: FullStore) => Promise<unknown>
}

export const mutations: readonly Mutation[] = [
  { method: 'addMessages', act: (store) => store.addMessages('s', turns(1200, 100)) },
  { method: 'recordToolCall', act: (store) => store.recordToolCall('s', { id: 'call', name: 'tool' }) },
  { method: 'addSummary', act: (store) => store.addSummary('s', { text: 'by hand', embedding: [1, 0] }) },
  { method: 'trim', act: (store) => store.trim('s', { maxEntries: 3 }) },
  { method: 'clear', act: (store) => store.clear('s') },
  { method: 'compact', act: (store) => store.compact('s', { keep: 2, summarise: () => 'summary' }) },
  { method: 'saveSnapshot', act: (store) => store.saveSnapshot('s', { id: 'third' }) },
  { method: 'rollbackToSnapshot', act: (store) => store.rollbackToSnapshot('s', 'first') },
  { method: 'deleteSnapshot', act: (store) => store.deleteSnapshot('s', 'first') },
  { method: 'rewind', act: (store) => store.rewind('s', { to: 2 }) },
  { method: 'fork', act: (store) => store.fork('s', 'forked') },
  { method: 'expire', act: (store) => store.expire('s', { at: 4_000_000_000_000 }) },
  { method: 'deleteSession', act: (store) => store.deleteSession('s') },
]

/** A session with turns, two snapshots and something that nobody reads any more. */
export async function prepare(store: FullStore): Promise<void> {
  await store.addMessages('s', turns(4))
  await store.saveSnapshot('s', { id: 'first' })
  await store.addMessages('s', turns(3, 5))
  await store.saveSnapshot('s', { id: 'second' })
  await store.addMessages('s', turns(2, 8))
}

/** All that can be read, without what differs from one run to the next. */
export async function look(store: FullStore): Promise<unknown> {
  const ids = ['s', 'forked']
  return Promise.all(
    ids.map(async (id) => {
      const snapshots = await store.listSnapshots(id)
      return {
        entries: (await store.getEntries(id)).map(({ at, ...entry }) => entry),
        snapshots: snapshots.map(({ id: name, automatic, entries }) => [automatic ? 'automatic' : name, entries]),
        expiresAt: (await store.sessionInfo(id))?.expiresAt,
      }
    }),
  )
}

export const lookNeeds: readonly StoreMethod[] = [
  'addMessages',
  'saveSnapshot',
  'getEntries',
  'listSnapshots',
  'sessionInfo',
]
