import { channel } from 'node:diagnostics_channel'

interface Events {
  /** A call to the backend failed and is retried. */
  retry: { method: string; session: string | null; attempt: number; error: unknown }
  /** The path changed during an operation that computes a new one, so it starts over. */
  conflict: { method: string; session: string }
  /** A read found memory missing or unreadable. */
  lost: { session: string; seqs: readonly number[]; reason: string }
  /** A call took more than a fifth of the store's `timeout`. */
  slow: { method: string; milliseconds: number }
  /** Space could not be reclaimed; the operation itself succeeded. */
  unswept: { session: string | null; error: unknown }
  /** A turn could not be renewed or ended. Its lease ends on its own. */
  turn: { method: 'renewTurn' | 'endTurn'; session: string; error: unknown }
}

/** Publishes on the `node:diagnostics_channel` named `unforget:<event>`. Never carries content. */
export function publish<E extends keyof Events>(event: E, message: Events[E]): void {
  const published = channels[event]
  if (published.hasSubscribers) published.publish(message)
}

const channels = {
  retry: channel('unforget:retry'),
  conflict: channel('unforget:conflict'),
  lost: channel('unforget:lost'),
  slow: channel('unforget:slow'),
  unswept: channel('unforget:unswept'),
  turn: channel('unforget:turn'),
}
