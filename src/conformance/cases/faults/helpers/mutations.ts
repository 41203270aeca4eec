import type { FullStore, StoreMethod } from '../../../case.ts'
import { isSame } from '../../helpers/same.ts'
import { turns } from '../../helpers/samples.ts'

/** One way to change a session that `prepare` made. */
export interface Mutation {
  readonly method: StoreMethod
  readonly act: (store: FullStore, session: string) => Promise<unknown>
}

export const mutations: readonly Mutation[] = [
  { method: 'addMessages', act: (store, session) => store.addMessages(session, turns(1200, 100)) },
  { method: 'recordToolCall', act: (store, session) => store.recordToolCall(session, { id: 'call', name: 'tool' }) },
  { method: 'addSummary', act: (store, session) => store.addSummary(session, { text: 'by hand', embedding: [1, 0] }) },
  { method: 'trim', act: (store, session) => store.trim(session, { maxEntries: 3 }) },
  { method: 'clear', act: (store, session) => store.clear(session) },
  { method: 'compact', act: (store, session) => store.compact(session, { keep: 2, summarize: () => 'summary' }) },
  { method: 'saveSnapshot', act: (store, session) => store.saveSnapshot(session, { id: 'third' }) },
  { method: 'rollbackToSnapshot', act: (store, session) => store.rollbackToSnapshot(session, 'first') },
  { method: 'deleteSnapshot', act: (store, session) => store.deleteSnapshot(session, 'first') },
  { method: 'rewind', act: (store, session) => store.rewind(session, { to: 2 }) },
  { method: 'fork', act: (store, session) => store.fork(session, forkOf(session)) },
  { method: 'expire', act: (store, session) => store.expire(session, { at: 4_000_000_000_000 }) },
  { method: 'deleteSession', act: (store, session) => store.deleteSession(session) },
]

/** A session with turns, two snapshots and something that nobody reads anymore. */
export async function prepare(store: FullStore, session: string): Promise<void> {
  await store.addMessages(session, turns(4))
  await store.saveSnapshot(session, { id: 'first' })
  await store.addMessages(session, turns(3, 5))
  await store.saveSnapshot(session, { id: 'second' })
  await store.addMessages(session, turns(2, 8))
}

/** Everything that can be read, without what differs between runs. */
export async function look(store: FullStore, session: string): Promise<unknown> {
  const ids = [session, forkOf(session)]
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

/** The same, once it no longer changes: an abandoned call may still be running on the server. */
export async function lookWhenStill(store: FullStore, session: string): Promise<unknown> {
  for (let before = await look(store, session); ; ) {
    const now = await look(store, session)
    if (isSame(now, before)) return now
    before = now
  }
}

function forkOf(session: string): string {
  return `${session}, forked`
}
