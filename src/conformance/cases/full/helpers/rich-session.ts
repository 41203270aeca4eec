import type { FullStore } from '../../../case.ts'
import { turns } from '../../helpers/samples.ts'

/** A session with a bit of everything: rollbacks, a compaction, summaries, bytes, snapshots of both kinds, and entries that nobody reads. */
export async function fill(store: FullStore, session = 's'): Promise<void> {
  await store.addMessages(session, turns(9))
  await store.recordToolCall(session, { id: 'c', name: 'n', result: { bytes: new Uint8Array([255, 0, 254]) } })
  await store.addSummary(session, { text: 'sum', embedding: Float32Array.of(0.1, -0, 3e-45) })
  await store.saveSnapshot(session, { id: 'first', label: 'lone \ud800 and \0' })
  await store.addMessages(session, turns(2, 20))
  await store.rollbackToSnapshot(session, 'first')
  await store.addMessages(session, turns(3, 30))
  await store.compact(session, { keep: 2, summarize: () => ({ text: 'compacted', embedding: [1, 0, 0] }) })
  await store.saveSnapshot(session, { id: 'second' })
  await store.addMessages(session, turns(2, 40))
  await store.rewind(session, { to: (await store.getHistory(session)).seqs.at(-2) ?? 0 })
  await store.addMessages(session, [{ role: 'user', content: 'bytes', data: new Uint8Array([1, 2, 3]) }])
  await store.expire(session, { ttl: 1_000_000 })
}

/** What a store must carry for `fill`. */
export const toFill = ['versions', 'bytes'] as const

export async function look(store: FullStore, session: string) {
  const snapshots = await store.listSnapshots(session)
  const then: unknown[] = []
  for (const { id } of snapshots) then.push(await store.getEntries(session, { at: id }))
  return {
    info: await store.sessionInfo(session),
    entries: await store.getEntries(session),
    history: await store.getHistory(session),
    recalled: await store.recall(session, [1, 0, 0]),
    snapshots,
    then,
  }
}
