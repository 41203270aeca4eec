import type { Damage, EpochCause, Usage } from './backend.ts'
import type {
  ChatMessage,
  Entry,
  EntryInput,
  EntryKind,
  MessageInput,
  Summary,
  SummaryInput,
  SummaryRole,
} from './entries.ts'
import type { Range } from './path.ts'
import type { TrimBudget } from './trim-budget.ts'

/**
 * Identifies one exact state of a session.
 *
 * Every write makes a new version. A version from before a deletion or an expiry never matches again. Treat it as
 * opaque: store it, pass it back in `ifVersion` or `atLeast`, and do not parse it.
 */
export type Version = string

/**
 * Identifies the content of a session since something was last taken back.
 *
 * Rollback, rewind and clear take something back and start a new epoch. Appending, trimming and compacting continue
 * the current one. Treat it as opaque, and pass it back in `ifEpoch`.
 */
export type Epoch = string

/**
 * Options of every call that writes to one session.
 *
 * @example
 * ```ts
 * const seen = await memory.getHistory('user-42')
 * // Rejected if a rollback, a rewind or a clear came first. Safe to retry: it applies once.
 * await memory.addMessages('user-42', answer, { operationId: requestId, ifEpoch: seen.epoch })
 * ```
 */
export interface WriteOptions {
  /**
   * Names this operation, so that a retry applies once. The same operation again returns the first result and changes
   * nothing; the same id with other content is rejected (`OPERATION_CONFLICT`). A session remembers at least the last
   * 256 operations that were named, no matter what else is written. `operation` returns what it did. Default: a random
   * id, which covers the store's own retries within this call.
   */
  operationId?: string | undefined
  /**
   * Apply the write only if the session is at exactly this version; otherwise `VERSION_CONFLICT`. `null` means that the
   * session must not exist. Default: no condition.
   */
  ifVersion?: Version | null | undefined
  /**
   * Apply the write only if nothing was taken back since this epoch (by a rollback, a rewind or a clear); otherwise
   * `VERSION_CONFLICT`. Concurrent appends, trims and compactions never cause a conflict. `null` means that the session
   * does not exist, or that nothing was taken back in it yet. Default: no condition.
   */
  ifEpoch?: Epoch | null | undefined
}

/** What describes a session to people, such as in a sidebar. It is not part of the conversation. */
export interface SessionDetails {
  /**
   * The owner, for `listSessions` and `deleteSessions`: any well-formed, non-empty text. `null`: no owner.
   */
  owner?: string | null | undefined
  /** Any text of at most 16 KiB. `null`: none. */
  title?: string | null | undefined
  /** A JSON object of at most 16 KiB, without bytes. `null`: none. */
  metadata?: Record<string, unknown> | null | undefined
}

/**
 * Options of a write that can create a session. `owner`, `title` and `metadata` apply if this write creates the
 * session; if the session exists, they are ignored. `describe` changes them.
 */
export interface BeginOptions extends WriteOptions, SessionDetails {}

/** Options of `describe`: at least one of `owner`, `title` and `metadata`. `null` removes it, and the others stay. */
export interface DescribeOptions extends WriteOptions, SessionDetails {}

/** Options of every call that reads one session. */
export interface ReadOptions {
  /** The id of a snapshot to read instead of the current state. The session itself does not change. */
  at?: string | undefined
  /**
   * A version seen earlier. If the session no longer holds what was there at that version, the read throws
   * `MEMORY_LOST` instead of returning less. Use it where a whole session can vanish, such as on a Redis that evicts
   * keys.
   */
  atLeast?: Version | null | undefined
}

/** Options of calls that may take a long time. */
export interface SignalOptions {
  /**
   * Ends the call: it rejects with the reason of the signal, after the slice it is reading or writing at the latest.
   * Default: none.
   */
  signal?: AbortSignal | undefined
}

/** What every write returns: where the session stands after it. */
export interface Written {
  /** The version to pass as `ifVersion`; `null` if there is no session and the call did not create one. */
  version: Version | null
  /** The epoch to pass as `ifEpoch`; `null` if there is no session and the call did not create one. */
  epoch: Epoch | null
}

/** The result of `addMessages` and `addEntries`. */
export interface Added extends Written {
  /** The seq of each message or entry, in the order given. Consecutive; empty if none were given. */
  seqs: number[]
}

/** The result of `recordToolCall` and `addSummary`. */
export interface AddedOne extends Written {
  /** The seq of the new entry. */
  seq: number
}

/**
 * Selects one page of what is on the path: `first` or `last`, with `before` or `after` or neither.
 *
 * `{ last: 50 }` is the newest page. `{ last: 50, before: page.seqs[0] }` is the page before it, and
 * `{ first: 50, after: page.seqs.at(-1) }` the page after it. Pages follow the order of the path, not the numbers. A
 * seq that is not on the path is rejected (`SEQ_NOT_FOUND`).
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
export interface HistoryOptions<Item extends object = ChatMessage>
  extends ReadOptions,
    PageOptions,
    TrimBudget<Item>,
    SignalOptions {}

/** Options of `getEntries`. Default: every entry on the path. */
export interface EntriesOptions extends ReadOptions, PageOptions, SignalOptions {
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

/** The result of `getEntries`: an array of entries in path order, with the state it was read at. */
export interface Entries<Message extends object = ChatMessage> extends Array<Entry<Message>>, ReadState {}

/** Options of `trim`. At least one of `maxEntries` and `maxTokens` is required. */
export interface TrimOptions<Item extends object = ChatMessage> extends WriteOptions, TrimBudget<Item> {
  /** What happens to the records before the cut. Default: `keep`. */
  records?: 'keep' | 'cut' | undefined
}

/** The result of `trim`. */
export interface Trimmed extends Written {
  /** How many messages were cut. */
  removed: number
  /** True if the newest group of messages alone exceeds the budget. It is kept whole. */
  overBudget: boolean
}

/** Options of `compact`. At least one of `keep` and `keepTokens` is required; with both, both hold. */
export interface CompactOptions<Item extends object = ChatMessage> extends WriteOptions, SignalOptions {
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
  /** Returns the number of tokens of one message, 0 or more. Required with `keepTokens`. */
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
export interface SnapshotOptions extends BeginOptions {
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
  /** True if a rollback made it to keep the state it left. A session keeps the ten newest of these. */
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

/** What `rewind` does besides the cut, in the same commit. */
export interface RewindExtras<Message extends object = ChatMessage> extends BeginOptions {
  /**
   * Messages to append in place of what is cut. With `to: 0`, or if there is nothing to cut, they may create a session.
   * Default: none.
   */
  add?: readonly MessageInput<Message>[] | undefined
  /** Entries of any kind to append in place of what is cut, as for `addEntries`; instead of `add`. Default: none. */
  entries?: readonly EntryInput<Message>[] | undefined
  /**
   * Saves the state that it leaves as a snapshot: `true`, or its `id` (default: random) and `label` (default: `null`).
   * It is kept as one that `saveSnapshot` made. Default: `false`.
   */
  snapshot?: boolean | { id?: string | undefined; label?: string | null | undefined } | undefined
}

/**
 * Options of `rewind`, exactly one of `to` and `before`, and those of `RewindExtras`:
 *
 * - `to`: the seq of the last entry to keep; 0 keeps none.
 * - `before`: the seq of the first entry to cut. To edit a message, cut before it: the preceding seq may be on another
 *   branch.
 */
export type RewindOptions<Message extends object = ChatMessage> = RewindExtras<Message> &
  ({ to: number; before?: undefined } | { to?: undefined; before: number })

/** The result of `rewind`. */
export interface Rewound<Message extends object = ChatMessage> extends Written {
  /** Exactly the entries that were cut, in path order. */
  removed: Entry<Message>[]
  /** The seq of each message of `add`, or of each of `entries`, in the order given. */
  seqs: number[]
  /** The snapshot of the state that was left; `null` if none was requested. */
  snapshot: Snapshot | null
}

/** Options of `fork`. */
export interface ForkOptions {
  /** The id of a snapshot of the source to copy instead of its current state. */
  at?: string | undefined
  /** The seq of the last entry to copy. Default: the last one on the path. */
  to?: number | undefined
  /** Names this operation in the target session, so that a retry applies once. Default: a random id. */
  operationId?: string | undefined
  /** Copy only if the source is at exactly this version; otherwise `VERSION_CONFLICT`. Default: no condition. */
  ifVersion?: Version | null | undefined
}

/** Options of `deleteSession`. */
export interface DeleteOptions {
  /**
   * Erase only if the session is at exactly this version; otherwise `VERSION_CONFLICT`. `null` means that there must be
   * none. Default: no condition.
   */
  ifVersion?: Version | null | undefined
}

/** One epoch of a session, as `paths` returns it. */
export interface PathEpoch {
  /** 1, 2, 3 and so on. Each change of the path started another one. */
  number: number
  /** What started it; `null` if it was written by 0.1. */
  cause: EpochCause | null
  /** When it started, by the backend's clock, in milliseconds since 1970; `null` if it was written by 0.1. */
  at: number | null
  /** The entries that it reads, in order. The last range is open: it reads what was appended during the epoch. */
  ranges: Range[]
  /** True for the epoch that the session is in. */
  present: boolean
}

/** A snapshot as `paths` returns it. */
export interface PathSnapshot extends Snapshot {
  /** The number of the epoch that it reads. */
  epoch: number
  /** The last seq that it reads of the open range of that epoch. */
  end: number
}

/** The result of `paths`: how the log of a session was read over time. */
export interface SessionPaths {
  /** The version at the time of the read. */
  version: Version
  /** The epoch to pass as `ifEpoch`, at the time of the read. */
  epoch: Epoch
  /** The last seq of the log; 0 if nothing was ever added. */
  end: number
  /** The epochs that are kept, ascending: the current one, and those that snapshots need. */
  epochs: PathEpoch[]
  /** The snapshots in the order they were saved, including automatic ones. */
  snapshots: PathSnapshot[]
}

/** The result of `fork`: the version and epoch of the new session. */
export interface Forked extends Written {
  /** How many entries were copied, of all kinds. */
  entries: number
}

/** Options of `withTurn`. */
export interface TurnOptions extends SignalOptions {
  /**
   * How long to wait for the turn, in milliseconds; otherwise `SESSION_BUSY`. 0 looks once. Default: 30,000.
   */
  wait?: number | undefined
  /**
   * How long the turn is held without being renewed, by the backend's clock, in milliseconds. It is renewed every third
   * of it. A process that is killed frees its turn after this time; one that is stopped or cut off for longer has lost
   * it. Default: 15,000.
   */
  lease?: number | undefined
}

/** The result of `operation`: what a write that a caller named did. */
export interface OperationResult<Message extends object = ChatMessage> {
  /** The version after it. */
  version: Version
  /** The epoch after it. */
  epoch: Epoch
  /** When it was applied, by the backend's clock, in milliseconds since 1970. */
  at: number
  /** The seqs of the entries that it added to this session; empty if it added none. */
  seqs: number[]
  /** The entries that it added to this session, in order, even if they were cut since. */
  entries: Entry<Message>[]
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
 * - `at`: expire at this moment, a `Date` or milliseconds since 1970. Writes do not move it. A moment that has passed is
 *   accepted: the session has then expired, and is absent from this call on. If it passed more than a day ago, the
 *   session is erased without the day that other expired sessions are kept.
 * - `never`: do not expire, even if the store has a `ttl`.
 */
export type ExpireOptions = WriteOptions & ({ ttl: number } | { at: Date | number } | { never: true })

/** The result of `expire`. */
export interface Expiry extends Written {
  /** When the session expires unless it is written before, in milliseconds since 1970; `null` for never. */
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
  /** How many entries are on the path now, of all kinds. */
  entries: number
  /** When the session was created, by the backend's clock, in milliseconds since 1970. */
  createdAt: number
  /** When the session was last written, by the backend's clock, in milliseconds since 1970. */
  updatedAt: number
  /** The time to live in milliseconds, which every write restarts; `null` if there is none. */
  ttl: number | null
  /** When the session expires, in milliseconds since 1970; `null` for never. */
  expiresAt: number | null
  /** The owner; `null` if it has none. */
  owner: string | null
  /** The title; `null` if it has none. */
  title: string | null
  /** The metadata, with its keys in the order given; `null` if it has none. */
  metadata: Record<string, unknown> | null
}

/** Options of `listSessions`. */
export interface ListOptions {
  /**
   * List only the sessions of this owner, most recently written first. Default: all sessions, in the backend's order.
   */
  owner?: string | undefined
  /** How many sessions on a page. Default: 1,000. */
  limit?: number | undefined
  /** The `cursor` of the page before, of the same list. Default: the first page. */
  cursor?: string | null | undefined
}

/** One page of `listSessions`. */
export interface SessionPage {
  /** The sessions on this page: with `owner` most recently written first, otherwise in the backend's order. */
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
  /** How many entries were written, including those that only snapshots read. */
  entries: number
}

/** The result of `stats`. `entries` and `bytes` count what the sessions and their snapshots read. */
export interface Stats extends Usage {
  /** How many sessions there are, without damaged and expired ones. */
  sessions: number
  /** How many snapshots they have, including automatic ones. */
  snapshots: number
  /** What `sweep` would remove. */
  sweepable: Usage
  /** The ids of sessions that have lost something. They are not counted. */
  damaged: string[]
}

/** How far `verify` or `sweep` has gotten. */
export interface Progress {
  /** How many sessions are done. */
  sessions: number
  /** How many entries were read (`verify`) or removed (`sweep`) so far. */
  entries: number
}

/** Options of `verify` and `sweep`. */
export interface ProgressOptions extends SignalOptions {
  /** Called after every slice and every session. If it throws, the work stops there and rejects with that error. */
  onProgress?: ((progress: Progress) => void) | undefined
}

/** The result of `sweep`. */
export interface Swept {
  /** How many entries were removed. */
  entries: number
  /** The ids of sessions with lost state. They were not touched. */
  damaged: string[]
}

/** The result of `verify`. */
export interface Verified {
  /** True if no damage was found. */
  ok: boolean
  /** How many sessions were read. */
  sessions: number
  /** How many entries were checked, intact or damaged. */
  entries: number
  /** Every damaged place that was found. */
  damage: Damage[]
}
