import type { SessionCopy } from '../../core/backend.ts'
import { checkCopy } from '../../core/check-copy.ts'
import { InvalidEntryError, type MemoryLostError } from '../../core/errors.ts'
import type { MemoryStore } from '../../core/memory-store.ts'
import { Progress } from '../terminal/progress.ts'
import { countEntries } from '../terminal/wording.ts'
import { bringSession, newTally, type Tally, versionIn } from './bring-session.ts'
import { fingerprint } from './fingerprint.ts'
import { wholeOrNothing } from './whole-or-nothing.ts'

export interface Stores {
  readonly from: MemoryStore
  readonly to: MemoryStore
}

/** The outcome of copying the sessions of a store. */
export interface Copied {
  readonly tally: Tally
  /** Sessions that no store would accept, and why. */
  readonly refused: Map<string, string>
}

/** Copies the sessions that the target does not have, and with `replace` those it has in another version. All others are left unchanged. */
export async function copySessions(
  { from, to }: Stores,
  ids: readonly string[],
  { replace, signal }: { replace: boolean; signal: AbortSignal },
): Promise<Copied> {
  using progress = new Progress('copying')
  const tally = newTally()
  const refused = new Map<string, string>()
  for (const [index, id] of ids.entries()) {
    signal.throwIfAborted()
    progress.show(index, ids.length, countEntries(tally.entries))
    const there = await versionIn(to, id)
    if (there !== null && (!replace || there === (await versionIn(from, id)))) {
      tally.present += 1
      continue
    }
    const copy = await wholeOrNothing(from, id)
    if (copy === null) continue
    const reason = whyRefused(copy)
    if (reason !== null) {
      refused.set(id, reason)
      continue
    }
    if (!(await bringSession(to, copy, { tally, replaces: there !== null }))) tally.present += 1
  }
  return { tally, refused }
}

/** A session compared in both stores. A fingerprint is `null` if the session is missing or incomplete. */
export interface Compared {
  readonly id: string
  readonly from: string | null
  readonly to: string | null
  /** What is wrong with it in the source store. */
  readonly damage: MemoryLostError | undefined
}

/** Reads every session again in both stores. */
export async function* compareSessions(
  { from, to }: Stores,
  ids: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Compared> {
  using progress = new Progress('comparing')
  for (const [index, id] of ids.entries()) {
    signal.throwIfAborted()
    progress.show(index, ids.length, '')
    const damaged: MemoryLostError[] = []
    const [here, there] = await Promise.all([wholeOrNothing(from, id, damaged), wholeOrNothing(to, id)])
    yield { id, from: here && fingerprint(here), to: there && fingerprint(there), damage: damaged[0] }
  }
}

/** Found before anything is deleted: a session that no store would accept. */
function whyRefused(copy: SessionCopy): string | null {
  try {
    checkCopy(copy)
    return null
  } catch (error) {
    if (error instanceof InvalidEntryError) return error.message
    throw error
  }
}
