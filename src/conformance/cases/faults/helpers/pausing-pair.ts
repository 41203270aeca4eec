import assert from 'node:assert/strict'
import type { SessionCopy } from '../../../../core/backend.ts'
import type { CaseContext, FullStore } from '../../../case.ts'
import { turns } from '../../helpers/samples.ts'
import { contentOf } from './paired-operations.ts'

/** Two handles on one memory. One can be paused before a call to the backend. */
export interface PausingPair {
  readonly store: FullStore
  readonly sound: FullStore
  /** Has `meanwhile` happen before the n-th call that the work makes to the backend. */
  pauseAt<T>(call: number, work: () => Promise<T>, meanwhile: () => Promise<unknown>): Promise<T>
  /** How many calls the work makes to the backend. */
  countCalls(work: () => Promise<unknown>): Promise<number>
}

export async function openPair({ withFaults }: CaseContext, on: FullStore): Promise<PausingPair> {
  let before = async () => {}
  const every = { at: 1, times: Number.POSITIVE_INFINITY } as const
  const pause = { do: 'pause', ...every, meanwhile: () => before() } as const
  const { store, sound } = await withFaults([pause], { on, timeout: 60_000 })
  const watch = async <T>(work: () => Promise<T>, at: (call: number) => Promise<unknown>) => {
    let calls = 0
    before = async () => {
      calls += 1
      await at(calls)
    }
    const result = await work()
    before = async () => {}
    return { result, calls }
  }
  return {
    store,
    sound,
    async pauseAt(call, work, meanwhile) {
      const { result, calls } = await watch(work, async (now) => now === call && (await meanwhile()))
      assert.ok(calls >= call, `the operation makes ${call} calls to its backend`)
      return result
    },
    countCalls: async (work) => (await watch(work, async () => {})).calls,
  }
}

/** What a call resolves to, or the code of what it is rejected with. */
export async function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return { resolved: await call }
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code === undefined || code === 'MEMORY_LOST') throw error
    return { rejected: code }
  }
}

/** A session with a bit of everything, two snapshots and an automatic one, to be imported repeatedly. */
export async function makeCopy(store: FullStore, long = 0): Promise<SessionCopy> {
  const session = 'prepared'
  await store.addMessages(session, [{ role: 'system', content: 'rules' }, ...turns(5 + long)])
  await store.recordToolCall(session, { id: 'call', name: 'tool' })
  await store.addSummary(session, { text: 'by hand', embedding: [1, 0] })
  await store.addEntries(session, [{ kind: 'record', record: { type: 'state', step: 1 } }])
  await store.saveSnapshot(session, { id: 'first' })
  await store.addMessages(session, turns(2, 10))
  await store.saveSnapshot(session, { id: 'second' })
  await store.addMessages(session, turns(2, 20))
  await store.rollbackToSnapshot(session, 'second')
  await store.addMessages(session, turns(2, 30))
  return store.exportSession(session)
}

/** The prepared session under another name, with entries that nobody reads if needed. */
export async function begin(store: FullStore, copy: SessionCopy, session: string, isSwept = false): Promise<string> {
  await store.importSession({ ...copy, id: session })
  if (isSwept) {
    await store.addMessages(session, turns(1, 40))
    await store.rewind(session, { to: copy.head.end })
  }
  return session
}

/** Everything that can be read of sessions, without what differs between runs. */
export function look(store: FullStore, sessions: readonly string[]): Promise<unknown> {
  return Promise.all(
    sessions.map(async (session) => {
      const contents = async (at?: string) => (await store.getEntries(session, { at })).map(contentOf)
      const info = await store.sessionInfo(session)
      if (info === null) return null
      const snapshots: unknown[] = []
      for (const { id, automatic } of await store.listSnapshots(session)) {
        snapshots.push([automatic ? 'automatic' : id, await contents(id)])
      }
      const { expiresAt, owner, title, metadata } = info
      return { expiresAt, owner, title, metadata, entries: await contents(), snapshots }
    }),
  )
}
