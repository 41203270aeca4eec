import type { SessionCopy } from '../core/backend.ts'
import { type MemoryLostError, SessionExistsError } from '../core/errors.ts'
import type { MemoryStore } from '../core/memory-store.ts'
import { fingerprint } from './fingerprint.ts'
import { Progress } from './progress.ts'
import { wholeOrNothing } from './whole-or-nothing.ts'
import { countEntries } from './wording.ts'

export interface Stores {
  readonly from: MemoryStore
  readonly to: MemoryStore
}

/** What became of the sessions of a store that was copied. */
export interface Copied {
  readonly copied: number
  /** Those that were there before. */
  readonly present: number
  readonly entries: number
  readonly damaged: readonly MemoryLostError[]
}

/** Copies the sessions that the other store does not have. One that it has is left as it is. */
export async function copySessions({ from, to }: Stores, ids: readonly string[], signal: AbortSignal): Promise<Copied> {
  using progress = new Progress('copying')
  const damaged: MemoryLostError[] = []
  let copied = 0
  let present = 0
  let entries = 0
  for (const [index, id] of ids.entries()) {
    signal.throwIfAborted()
    progress.show(index, ids.length, countEntries(entries))
    if ((await to.sessionInfo(id)) !== null) {
      present += 1
      continue
    }
    const copy = await wholeOrNothing(from, id, damaged)
    if (copy === null) continue
    if (!(await bring(to, copy))) present += 1
    else copied += 1
    entries += copy.entries.length
  }
  return { copied, present, entries, damaged }
}

/** A session that both stores were asked for. A fingerprint is `null` where there is no such session, or not all of it. */
export interface Compared {
  readonly id: string
  readonly from: string | null
  readonly to: string | null
}

/** Reads every session in both stores once more. */
export async function* compareSessions(
  { from, to }: Stores,
  ids: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Compared> {
  using progress = new Progress('comparing')
  for (const [index, id] of ids.entries()) {
    signal.throwIfAborted()
    progress.show(index, ids.length, '')
    const [here, there] = await Promise.all([from, to].map((store) => wholeOrNothing(store, id)))
    yield { id, from: here ? fingerprint(here) : null, to: there ? fingerprint(there) : null }
  }
}

/** `false` if somebody began the session meanwhile. */
async function bring(to: MemoryStore, copy: SessionCopy): Promise<boolean> {
  try {
    await to.importSession(copy)
    return true
  } catch (error) {
    if (error instanceof SessionExistsError) return false
    throw error
  }
}
