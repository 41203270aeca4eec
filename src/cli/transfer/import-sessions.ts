import type { MemoryLostError } from '../../core/errors.ts'
import type { MemoryStore } from '../../core/memory-store.ts'
import { bringSession, type Tally, versionIn } from './bring-session.ts'
import { fingerprint } from './fingerprint.ts'
import type { ReadSession } from './read-transfer.ts'
import { wholeOrNothing } from './whole-or-nothing.ts'

/** A session that the store already has, but with different content. */
export interface Conflict {
  readonly line: number
  readonly session: string
  readonly reason: string
}

export interface ImportOptions {
  /** Counts as it goes, so that the result is known if the import ends early. */
  readonly tally: Tally
  /** A session that differs in the store is deleted there first. */
  readonly replace: boolean
  readonly onConflict: (conflict: Conflict) => void
}

/** Maximum sessions, or bytes of the file, imported at once: they share a transaction if the backend supports it. */
const sessionsAtOnce = 64
const bytesAtOnce = 4_000_000

/** Imports what the store does not have. Existing sessions are only compared, so repeating an import continues where the last one ended. */
export async function importSessions(
  to: MemoryStore,
  sessions: AsyncIterable<ReadSession>,
  options: ImportOptions,
): Promise<void> {
  let batch: ReadSession[] = []
  let bytes = 0
  const flush = async () => {
    const results = await Promise.allSettled(batch.map((one) => importSession(to, one, options)))
    for (const result of results) if (result.status === 'rejected') throw result.reason
    batch = []
    bytes = 0
  }
  for await (const session of sessions) {
    batch.push(session)
    bytes += session.bytes
    if (batch.length >= sessionsAtOnce || bytes >= bytesAtOnce) await flush()
  }
  await flush()
}

async function importSession(to: MemoryStore, session: ReadSession, options: ImportOptions): Promise<void> {
  const { tally, replace, onConflict } = options
  const { copy, line } = session
  let found = await compareIn(to, session)
  if (found === 'absent' || (found !== 'same' && replace)) {
    if (await bringSession(to, copy, { tally, replaces: found !== 'absent' })) return
    found = await compareIn(to, session)
  }
  if (found === 'same') tally.present += 1
  else
    onConflict({
      line,
      session: copy.id,
      reason: found === 'absent' ? 'was created and deleted meanwhile' : found.reason,
    })
}

async function compareIn(to: MemoryStore, { copy }: ReadSession): Promise<'absent' | 'same' | { reason: string }> {
  if ((await versionIn(to, copy.id)) === null) return 'absent'
  const damaged: MemoryLostError[] = []
  const there = await wholeOrNothing(to, copy.id, damaged)
  if (damaged[0] !== undefined) return { reason: `is damaged in the store (${damaged[0].reason})` }
  if (there === null) return 'absent'
  const [wanted, kept] = [fingerprint(copy), fingerprint(there)]
  if (wanted === kept) return 'same'
  return { reason: `differs in the store (${wanted} in the file, ${kept} in the store)` }
}
