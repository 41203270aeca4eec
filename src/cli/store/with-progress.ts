import type { MemoryStore } from '../../core/memory-store.ts'
import type { Progress as Done } from '../../core/types.ts'
import { Progress } from '../terminal/progress.ts'
import { countEntries } from '../terminal/wording.ts'
import { allSessions } from './find-session.ts'

/** Runs work on one session or all, with a progress bar that counts sessions; the signal ends it early. */
export async function withProgress<T>(
  memory: MemoryStore,
  { what, session, signal }: { what: string; session: string | undefined; signal: AbortSignal },
  work: (onProgress: (done: Done) => void) => Promise<T>,
): Promise<T> {
  const total = session === undefined && process.stderr.isTTY ? await countSessions(memory) : null
  using progress = new Progress(what)
  return await work(({ sessions, entries }) => {
    signal.throwIfAborted()
    progress.show(sessions, total, countEntries(entries))
  })
}

async function countSessions(memory: MemoryStore): Promise<number> {
  let sessions = 0
  for await (const _ of allSessions(memory)) sessions += 1
  return sessions
}
