import type { WriteOptions, Written } from '../../../../core/types.ts'
import type { FullStore } from '../../../case.ts'
import { turns } from '../../helpers/samples.ts'

type Write = (store: FullStore, session: string, options: WriteOptions) => Promise<Written | null>

/** Every way to write to a session made by `beginForWrites`. */
export const everyWrite: Readonly<Record<string, Write>> = {
  addMessages: (store, session, options) => store.addMessages(session, turns(2, 50), options),
  recordToolCall: (store, session, options) => store.recordToolCall(session, { id: 'c', name: 'n' }, options),
  addSummary: (store, session, options) => store.addSummary(session, { text: 't', embedding: [1, 2] }, options),
  addEntries: (store, session, options) =>
    store.addEntries(session, [{ kind: 'record', record: { type: 'r' } }], options),
  trim: (store, session, options) => store.trim(session, { maxEntries: 2, ...options }),
  clear: (store, session, options) => store.clear(session, options),
  compact: (store, session, options) => store.compact(session, { keep: 1, summarize: () => 'sum', ...options }),
  saveSnapshot: (store, session, options) => store.saveSnapshot(session, { label: 'l', ...options }),
  rollbackToSnapshot: (store, session, options) => store.rollbackToSnapshot(session, 'p', options),
  deleteSnapshot: (store, session, options) => store.deleteSnapshot(session, 'p', options),
  rewind: (store, session, options) => store.rewind(session, { to: 2, ...options }),
  describe: (store, session, options) => store.describe(session, { title: 't', ...options }),
  expire: (store, session, options) => store.expire(session, { at: distant, ...options }),
}

const distant = Date.UTC(2500, 0)

/** Six turns and two snapshots, the second of everything. */
export async function beginForWrites(store: FullStore, session: string): Promise<void> {
  await store.addMessages(session, turns(5))
  await store.saveSnapshot(session, { id: 'p' })
  await store.addMessages(session, turns(1, 6))
  await store.saveSnapshot(session, { id: 'q' })
}
