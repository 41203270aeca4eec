import type { Entry } from '../../core/entries.ts'
import { isHistory } from '../../core/history.ts'
import type { MemoryStore } from '../../core/memory-store.ts'
import type { Entries } from '../../core/types.ts'

export interface TurnOptions {
  /** Every kind of entry, not just the conversation. */
  readonly all: boolean
  readonly at?: string | undefined
}

/** Reads backwards from the end until `isEnough`, or until everything is read. */
export async function readTurns(
  memory: MemoryStore,
  session: string,
  { all, at }: TurnOptions,
  isEnough: (turns: readonly Entry[], read: readonly Entry[]) => boolean,
): Promise<{ turns: Entry[]; read: Entries }> {
  for (let last = 256; ; last *= 4) {
    const read = await memory.getEntries(session, { at, last })
    const turns = all ? [...read] : read.filter(isHistory)
    if (read.length < last || isEnough(turns, read)) return { turns, read }
  }
}
