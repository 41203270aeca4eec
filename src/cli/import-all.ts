import type { MemoryStore } from '../core/memory-store.ts'
import type { Imported } from '../core/types.ts'
import type { ReadSession } from './read-transfer.ts'

/** So many sessions, or entries, are imported at once: they share a transaction where the backend can do that. */
const sessionsAtOnce = 64
const entriesAtOnce = 10_000

/** Imports session by session. If it ends early, for whatever reason, what it imported is taken back. */
export async function importAll(
  memory: MemoryStore,
  sessions: AsyncIterable<ReadSession>,
): Promise<{ sessions: number; entries: number }> {
  const done = new Map<string, Imported>()
  let entries = 0
  let batch: ReadSession[] = []
  const flush = async () => {
    const results = await Promise.allSettled(
      batch.map(async ({ copy }) => done.set(copy.id, await memory.importSession(copy))),
    )
    for (const result of results) if (result.status === 'rejected') throw result.reason
    for (const { copy } of batch) entries += copy.entries.length
    batch = []
  }
  try {
    for await (const session of sessions) {
      batch.push(session)
      const size = batch.reduce((sum, { copy }) => sum + copy.entries.length, 0)
      if (batch.length >= sessionsAtOnce || size >= entriesAtOnce) await flush()
    }
    await flush()
    return { sessions: done.size, entries }
  } catch (error) {
    await takeBack(memory, done)
    throw error
  }
}

/** What somebody has written to since is theirs, and stays. */
async function takeBack(memory: MemoryStore, done: ReadonlyMap<string, Imported>): Promise<void> {
  for (const [id, { version }] of done) {
    if ((await memory.sessionInfo(id))?.version === version) await memory.deleteSession(id)
  }
}
