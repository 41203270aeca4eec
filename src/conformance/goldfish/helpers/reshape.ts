import type { ChatMessage } from '../../../core/entries.ts'
import type { History } from '../../../core/types.ts'
import type { Bowl, Goldfish } from '../goldfish.ts'
import { shared } from './bowl.ts'

/** Another history, with the same metadata. */
export function withItems(history: History, items: ChatMessage[], seqs = history.seqs): History {
  const { version, epoch, overBudget } = history
  const hidden = { version, epoch, overBudget, seqs }
  return Object.defineProperties(
    items,
    Object.fromEntries(Object.entries(hidden).map(([name, value]) => [name, { value }])),
  ) as History
}

/** Only those items. */
export function pick(history: History, keep: (message: ChatMessage, seq: number, index: number) => boolean): History {
  const kept = [...history.keys()].filter((index) =>
    keep(history[index] as ChatMessage, history.seqs[index] as number, index),
  )
  return withItems(
    history,
    kept.map((index) => history[index] as ChatMessage),
    kept.map((index) => history.seqs[index] as number),
  )
}

/** Every item changed. */
export function alter(history: History, change: (message: ChatMessage) => ChatMessage): History {
  return withItems(history, history.map(change))
}

/** The seqs of a session that are no longer shown. */
export function lost(bowl: Bowl, session: string): Set<number> {
  return shared(bowl, `lost ${session}`, () => new Set<number>())
}

/** Shows everything but what was lost. */
export const showsWhatIsLeft: NonNullable<Goldfish['store']> = (sound, bowl) => ({
  async getHistory(session, options) {
    const gone = lost(bowl, session)
    return pick(await sound.getHistory(session, options), (_, seq) => !gone.has(seq))
  },
})

/** A deadline for a call that a goldfish makes on its own. */
export const soon = (): number => performance.now() + 1000

export const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
