import type { SessionCopy } from '../../core/backend.ts'
import { MemoryLostError, MemoryStoreBackendError, quote, SessionExistsError } from '../../core/errors.ts'
import type { MemoryStore } from '../../core/memory-store.ts'
import { CannotRun } from '../command/run-command.ts'
import { count, countEntries } from '../terminal/wording.ts'

/** What became of the sessions that a store was given. */
export interface Tally {
  brought: number
  /** Of those, how many took the place of another. */
  replaced: number
  /** Those that were there before, and stay. */
  present: number
  /** Of those that were brought. */
  entries: number
}

export function newTally(): Tally {
  return { brought: 0, replaced: 0, present: 0, entries: 0 }
}

/** The version of a session in a store; `lost` if not even that can be read. */
export async function versionIn(store: MemoryStore, id: string): Promise<string | null> {
  try {
    return (await store.sessionInfo(id))?.version ?? null
  } catch (error) {
    if (error instanceof MemoryLostError) return 'lost'
    throw error
  }
}

/** Writes a session into a store, with `replaces` after the one that is there was deleted. `false` if somebody began it meanwhile. */
export async function bringSession(
  to: MemoryStore,
  copy: SessionCopy,
  { tally, replaces }: { tally: Tally; replaces: boolean },
): Promise<boolean> {
  try {
    if (replaces) await to.deleteSession(copy.id)
    await to.importSession(copy)
  } catch (error) {
    if (error instanceof SessionExistsError) return false
    if (!(error instanceof MemoryStoreBackendError)) throw error
    throw new CannotRun(`session ${quote(copy.id)} was not written: ${error.message}`, { cause: error })
  }
  tally.brought += 1
  tally.entries += copy.entries.length
  if (replaces) tally.replaced += 1
  return true
}

export function sayTally(verb: string, { brought, replaced, present, entries }: Tally): string {
  const instead = replaced === 0 ? '' : `, ${replaced.toLocaleString('en')} in place of another version`
  const already = present === 0 ? '' : `, ${present.toLocaleString('en')} there already`
  return `${verb} ${count(brought, 'session')}, ${countEntries(entries)}${instead}${already}`
}
