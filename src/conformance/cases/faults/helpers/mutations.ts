import type { FullStore } from '../../../case.ts'
import { isSame } from '../../helpers/same.ts'
import { turns } from '../../helpers/samples.ts'

/** One way to change a session that `prepare` made. */
export interface Mutation {
  /** Without spaces: the ids of cases have it. */
  readonly name: string
  readonly act: (store: FullStore, session: string) => Promise<unknown>
}

export const mutations: readonly Mutation[] = [
  { name: 'addMessages', act: (store, session) => store.addMessages(session, turns(1200, 100)) },
  { name: 'recordToolCall', act: (store, session) => store.recordToolCall(session, { id: 'call', name: 'tool' }) },
  { name: 'addSummary', act: (store, session) => store.addSummary(session, { text: 'by hand', embedding: [1, 0] }) },
  {
    name: 'addEntries',
    act: (store, session) =>
      store.addEntries(session, [
        { kind: 'record', record: { type: 'state' } },
        { kind: 'message', message: { role: 'user', content: 'with it' } },
      ]),
  },
  { name: 'trim', act: (store, session) => store.trim(session, { maxEntries: 3 }) },
  { name: 'clear', act: (store, session) => store.clear(session) },
  { name: 'compact', act: (store, session) => store.compact(session, { keep: 2, summarize: () => 'summary' }) },
  { name: 'saveSnapshot', act: (store, session) => store.saveSnapshot(session, { id: 'third' }) },
  { name: 'rollbackToSnapshot', act: (store, session) => store.rollbackToSnapshot(session, 'first') },
  { name: 'deleteSnapshot', act: (store, session) => store.deleteSnapshot(session, 'first') },
  { name: 'rewind', act: (store, session) => store.rewind(session, { to: 2 }) },
  {
    name: 'edit',
    act: (store, session) => store.rewind(session, { before: 3, add: turns(2, 60), snapshot: { id: 'left' } }),
  },
  { name: 'fork', act: (store, session) => store.fork(session, forkOf(session)) },
  { name: 'expire', act: (store, session) => store.expire(session, { at: 4_000_000_000_000 }) },
  { name: 'describe', act: (store, session) => store.describe(session, { owner: 'ann', metadata: { a: 1 } }) },
  { name: 'deleteSession', act: (store, session) => store.deleteSession(session) },
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
      const { expiresAt, owner, metadata } = (await store.sessionInfo(id)) ?? {}
      return {
        entries: (await store.getEntries(id)).map(({ at, ...entry }) => entry),
        snapshots: snapshots.map(({ id: name, automatic, entries }) => [automatic ? 'automatic' : name, entries]),
        expiresAt,
        owner,
        metadata,
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
