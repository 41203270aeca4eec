import type { SessionCopy } from '../../core/backend.ts'
import { MemoryLostError, MemoryStoreBackendError, quote, SessionExistsError } from '../../core/errors.ts'
import type { MemoryStore } from '../../core/memory-store.ts'
import { CannotRun } from '../command/run-command.ts'
import { count, countEntries } from '../terminal/wording.ts'

/** The outcome of writing sessions into a store. */
export interface Tally {
  brought: number
  /** How many of those replaced another version. */
  replaced: number
  /** Sessions that already existed and stay. */
  present: number
  /** Of the sessions that were written. */
  entries: number
}

export function newTally(): Tally {
  return { brought: 0, replaced: 0, present: 0, entries: 0 }
}

/** The version of a session in a store; `lost` if it cannot be read. */
export async function versionIn(store: MemoryStore, id: string): Promise<string | null> {
  try {
    return (await store.sessionInfo(id))?.version ?? null
  } catch (error) {
    if (error instanceof MemoryLostError) return 'lost'
    throw error
  }
}

/** Writes a session into a store; with `replaces`, deletes the existing one first. `false` if somebody created it meanwhile. */
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
  const instead = replaced === 0 ? '' : `, ${replaced.toLocaleString('en')} replaced`
  const already = present === 0 ? '' : `, ${present.toLocaleString('en')} already present`
  return `${verb} ${count(brought, 'session')}, ${countEntries(entries)}${instead}${already}`
}
