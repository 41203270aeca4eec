import type { Damage, Usage } from './backend.ts'
import type { ChatMessage, Entry, EntryKind, Summary, SummaryInput, SummaryRole } from './entries.ts'
import type { TrimBudget } from './trim-budget.ts'

/**
 * Identifies one exact state of a session.
 *
 * Every write makes a new version. A version from before a deletion or an expiry never matches again. Treat it as
 * opaque: store it, pass it back in `ifVersion` or `atLeast`, and do not parse it.
 */
export type Version = string

/**
 * Identifies the path that a session reads.
 *
 * Appending keeps the epoch. Rollback, rewind, trim, clear and compact start a new one. Treat it as opaque, and pass it
 * back in `ifEpoch`.
 */
export type Epoch = string

/**
 * Options of every call that writes to one session.
 *
 * @example
 * ```ts
 * const seen = await memory.getHistory('user-42')
 * // Refused if a rollback, a clear or another change of the path came first. Safe to retry: it applies once.
 * await memory.addMessages('user-42', answer, { operationId: requestId, ifEpoch: seen.epoch })
 * ```
 */
export interface WriteOptions {
  /**
   * Names this operation, so that a retry applies once. The same operation again returns the first result and changes
   * nothing; the same id with other content is refused (`OPERATION_CONFLICT`). A session remembers at least its last
   * 256 operations. Default: a random id, which covers the store's own retries within this call.
   */
  operationId?: string | undefined
  /**
   * Apply the write only if the session is at exactly this version; otherwise `VERSION_CONFLICT`. `null` means that the
   * session must not exist. Default: no condition.
   */
  ifVersion?: Version | null | undefined
  /**
   * Apply the write only if the path has not changed since this epoch; otherwise `VERSION_CONFLICT`. Concurrent appends
   * never cause a conflict. `null` means that the session does not exist or is still in its first epoch. Default: no
   * condition.
   */
  ifEpoch?: Epoch | null | undefined
}

/** Options of every call that reads one session. */
export interface ReadOptions {
  /** The id of a snapshot to read instead of the present state. The session itself does not change. */
  at?: string | undefined
  /**
   * A version seen earlier. If the session no longer holds what was there at that version, the read throws
   * `MEMORY_LOST` instead of returning less. Use it where a whole session can vanish, such as on a Redis that evicts
   * keys.
   */
  atLeast?: Version | null | undefined
}

/** What every write returns: where the session stands after it. */
export interface Written {
  /** The version to pass as `ifVersion`; `null` if there is no session and the call did not begin one. */
  version: Version | null
  /** The epoch to pass as `ifEpoch`; `null` if there is no session and the call did not begin one. */
  epoch: Epoch | null
}

/** The result of `addMessages`. */
export interface Added extends Written {
  /** The seq of each message, in the order given. Consecutive; empty if no messages were given. */
  seqs: number[]
}

/** The result of `recordToolCall` and `addSummary`. */
export interface AddedOne extends Written {
  /** The seq of the new entry. */
  seq: number
}

/**
 * Selects one page of what the path reads: `first` or `last`, with `before` or `after` or neither.
 *
 * `{ last: 50 }` is the newest page. `{ last: 50, before: page.seqs[0] }` is the page before it, and
 * `{ first: 50, after: page.seqs.at(-1) }` the page after it. Pages follow the order of the path, not the numbers. A
 * seq that the path does not read is refused (`SEQ_NOT_FOUND`).
 */
export interface PageOptions {
  /** Return exactly the oldest n items, or all if there are fewer; 0 returns none. */
  first?: number | undefined
  /** Return exactly the newest n items, or all if there are fewer; 0 returns none. Not together with `first`. */
  last?: number | undefined
  /** The seq of an entry: only what comes before it. */
  before?: number | undefined
  /** The seq of an entry: only what comes after it. Not together with `before`. */
  after?: number | undefined
}

/** Options of `getHistory`: a page or a budget, not both. Default: the whole history. */
export interface HistoryOptions<Item extends object = ChatMessage> extends ReadOptions, PageOptions, TrimBudget<Item> {}

/** Options of `getEntries`. Default: every entry that the path reads. */
export interface EntriesOptions extends ReadOptions, PageOptions {
  /** Return only entries of these kinds; `first` and `last` count only those. Default: all kinds. */
  kinds?: readonly EntryKind[] | undefined
}

/**
 * The state that a list was read at. These properties are not enumerable, so the list prints and compares as a plain
 * array.
 */
export interface ReadState {
  /** The version at the time of the read; `null` if there is no such session. */
  readonly version: Version | null
  /** The epoch at the time of the read; `null` if there is no such session. */
  readonly epoch: Epoch | null
}

/** The result of `getHistory`: an array of messages, oldest first, with the state it was read at. */
export interface History<Item extends object = ChatMessage> extends Array<Item>, ReadState {
  /** The seq of each message, in the same order. */
  readonly seqs: readonly number[]
  /** True if the newest group of messages alone exceeds the budget. It is kept whole. Always false without a budget. */
  readonly overBudget: boolean
}

/** The result of `getEntries`: an array of entries in the order of the path, with the state it was read at. */
export interface Entries<Message extends object = ChatMessage> extends Array<Entry<Message>>, ReadState {}

/** Options of `trim`. At least one of `maxEntries` and `maxTokens` is required. */
export interface TrimOptions<Item extends object = ChatMessage> extends WriteOptions, TrimBudget<Item> {}

/** The result of `trim`. */
export interface Trimmed extends Written {
  /** How many messages were cut. */
  removed: number
  /** True if the newest group of messages alone exceeds the budget. It is kept whole. */
  overBudget: boolean
}

/** Options of `compact`. At least one of `keep` and `keepTokens` is required; with both, both hold. */
export interface CompactOptions<Item extends object = ChatMessage> extends WriteOptions {
  /**
   * Keep at most this many of the newest messages as they are. Fewer are kept if the cut would separate a tool call
   * from its results. A newest group that alone is larger is kept whole, unless this is 0. Default: no limit.
   */
  keep?: number | undefined
  /**
   * Keep the newest messages that together have at most this many tokens as they are. Leading system messages and the
   * summary do not count. A newest group that alone is larger is kept whole. Needs `countTokens`. Default: no limit.
   */
  keepTokens?: number | undefined
  /** Returns the number of tokens of one message, from 0 on. Required with `keepTokens`. */
  countTokens?: ((message: Item) => number) | undefined
  /**
   * Returns the summary of the turns to replace, as text or with an embedding. It receives them oldest first, with any
   * earlier summary among them. If it throws, `compact` rejects with that error and nothing changes. Its time does not
   * count against the store's timeout.
   */
  summarize: (turns: Item[]) => string | SummaryInput | Promise<string | SummaryInput>
  /**
   * The role of the summary in the history, now and on every later read: `user` for providers that take no system
   * message among the turns. A store with `summaryMessage` decides for itself. Default: `system`.
   */
  summaryRole?: SummaryRole | undefined
}

/** The result of `compact`. */
export interface Compacted extends Written {
  /** The seq of the summary; `null` if there was nothing to compact. */
  seq: number | null
  /** How many messages the summary replaces. */
  removed: number
}

/** Options of `saveSnapshot`. */
export interface SnapshotOptions extends WriteOptions {
  /** The id of the snapshot: any text that no snapshot of this session has. Default: a random id. */
  id?: string | undefined
  /** A note for people, returned by `listSnapshots`. Default: `null`. */
  label?: string | null | undefined
}

/** A saved state of a session. */
export interface Snapshot {
  /** Unique within the session. */
  id: string
  /** The note given when it was saved; `null` if there was none. */
  label: string | null
  /** True if a rollback made it, of the state that it left. A session keeps the newest ten of those. */
  automatic: boolean
  /** When it was saved, by the backend's clock, in milliseconds since 1970. */
  at: number
}

/** The result of `saveSnapshot`. */
export interface SavedSnapshot extends Snapshot, Written {}

/** A snapshot as `listSnapshots` returns it. */
export interface ListedSnapshot extends Snapshot {
  /** How many entries it reads, of all kinds. */
  entries: number
}

/** The result of `rollbackToSnapshot`. */
export interface RolledBack extends Written {
  /** The id of the automatic snapshot of the state that was left. Roll back to it to undo the rollback. */
  leftBehind: string
}

/** Options of `rewind`. */
export interface RewindOptions extends WriteOptions {
  /** The seq of the last entry to keep; 0 keeps none. */
  to: number
}

/** The result of `rewind`. */
export interface Rewound<Message extends object = ChatMessage> extends Written {
  /** Exactly the entries that were cut, in the order of the path. */
  removed: Entry<Message>[]
}

/** Options of `fork`. */
export interface ForkOptions {
  /** The id of a snapshot of the source to copy instead of its present state. */
  at?: string | undefined
  /** Names this operation in the target session, so that a retry applies once. Default: a random id. */
  operationId?: string | undefined
}

/** The result of `fork`: the version and epoch of the new session. */
export interface Forked extends Written {
  /** How many entries were copied, of all kinds. */
  entries: number
}

/** Options of `recall`. */
export interface RecallOptions extends ReadOptions {
  /** Return at most this many summaries. Default: 5. */
  k?: number | undefined
}

/** A summary that `recall` found. */
export interface Recalled {
  /** The seq of the summary. */
  seq: number
  /** Cosine similarity to the query, from -1 to 1; 0 if either vector is all zeros. */
  score: number
  /** The summary, with its embedding. */
  summary: Summary
}

/**
 * Options of `expire`, exactly one of:
 *
 * - `ttl`: expire this many milliseconds after the last write. Every write moves the end.
 * - `at`: expire at this moment, a `Date` or milliseconds since 1970. Writes do not move it.
 * - `never`: do not expire, even if the store has a `ttl`.
 */
export type ExpireOptions = WriteOptions & ({ ttl: number } | { at: Date | number } | { never: true })

/** The result of `expire`. */
export interface Expiry extends Written {
  /** When the session expires, in milliseconds since 1970, if nothing is written until then; `null` for never. */
  expiresAt: number | null
}

/** What is known about a session without reading its entries. */
export interface SessionInfo {
  /** The id of the session. */
  id: string
  /** The version to pass as `ifVersion`. */
  version: Version
  /** The epoch to pass as `ifEpoch`. */
  epoch: Epoch
  /** How many entries the path reads now, of all kinds. */
  entries: number
  /** When the session began, by the backend's clock, in milliseconds since 1970. */
  createdAt: number
  /** When the session was last written, by the backend's clock, in milliseconds since 1970. */
  updatedAt: number
  /** The time to live in milliseconds, which every write restarts; `null` if there is none. */
  ttl: number | null
  /** When the session expires, in milliseconds since 1970; `null` for never. */
  expiresAt: number | null
}

/** One page of `listSessions`. */
export interface SessionPage {
  /** The sessions on this page, in the backend's order. */
  sessions: SessionInfo[]
  /** The ids of sessions on this page whose state is lost. */
  damaged: string[]
  /** Pass it to get the next page; `null` on the last page. */
  cursor: string | null
}

/** Options of `importSession`. */
export interface ImportOptions {
  /** Names this operation in the new session, so that a retry applies once. Default: a random id. */
  operationId?: string | undefined
}

/** The result of `importSession`: the version and epoch that the session was exported with. */
export interface Imported extends Written {
  /** How many entries were written, those that only snapshots read included. */
  entries: number
}

/** The result of `stats`. `entries` and `bytes` count what the sessions and their snapshots read. */
export interface Stats extends Usage {
  /** How many sessions there are, without damaged and expired ones. */
  sessions: number
  /** How many snapshots they have, automatic ones included. */
  snapshots: number
  /** What `sweep` would remove. */
  sweepable: Usage
  /** The ids of sessions of which something is lost. They are not counted. */
  damaged: string[]
}

/** How far `verify` or `sweep` is. */
export interface Progress {
  /** How many sessions are done. */
  sessions: number
  /** How many entries were read (`verify`) or removed (`sweep`) so far. */
  entries: number
}

/** Options of `verify` and `sweep`. */
export interface ProgressOptions {
  /** Called after every slice and every session. If it throws, the work stops there and rejects with that error. */
  onProgress?: ((progress: Progress) => void) | undefined
}

/** The result of `sweep`. */
export interface Swept {
  /** How many entries were removed. */
  entries: number
  /** The ids of sessions whose state is lost. Nothing of theirs was touched. */
  damaged: string[]
}

/** The result of `verify`. */
export interface Verified {
  /** True if no damage was found. */
  ok: boolean
  /** How many sessions were read. */
  sessions: number
  /** How many entries were checked, whole or damaged. */
  entries: number
  /** Every damaged place that was found. */
  damage: Damage[]
}
