import type { Damage, Usage } from './backend.ts'
import type { ChatMessage, Entry, EntryKind, Summary, SummaryInput } from './entries.ts'
import type { TrimBudget } from './trim-budget.ts'

/** Where a session stands. Opaque; made anew by every write, never the same again after a deletion or an expiry. */
export type Version = string
/** Which path a session reads. Opaque; appending keeps it, whatever changes the path renews it. */
export type Epoch = string

export interface WriteOptions {
  /** The same operation again returns the first result and changes nothing. Made up where it is not given. */
  operationId?: string | undefined
  /** Apply only to exactly this state; `null`: only if there is no such session. */
  ifVersion?: Version | null | undefined
  /** Apply only if the path did not change since; never conflicts with those who append. */
  ifEpoch?: Epoch | null | undefined
}

export interface ReadOptions {
  /** Read a snapshot instead of the present. */
  at?: string | undefined
  /** The version last seen: less than that is a `MemoryLostError`. */
  atLeast?: Version | null | undefined
}

/** What every write returns. Both are `null` only where there is no session and the call did not begin one. */
export interface Written {
  version: Version | null
  epoch: Epoch | null
}
export interface Added extends Written {
  seqs: number[]
}
export interface AddedOne extends Written {
  seq: number
}

/**
 * A part of what the path reads, in its order: what comes before or after an entry, the first or the last n of that. `{ last: 50 }` is the newest page,
 * `{ last: 50, before: seq }` with the first seq of a page the one before it, `{ first: 50, after: seq }` with the last seq of a page the one after it. An entry that
 * the path does not read is a `SeqNotFoundError`.
 */
export interface PageOptions {
  /** Exactly the oldest n; 0 is none. */
  first?: number | undefined
  /** Exactly the newest n; 0 is none. Not together with `first`. */
  last?: number | undefined
  /** The seq of an entry: only what comes before it. */
  before?: number | undefined
  /** The seq of an entry: only what comes after it. Not together with `before`. */
  after?: number | undefined
}

/** A page or a budget, not both. */
export interface HistoryOptions extends ReadOptions, PageOptions, TrimBudget {}
export interface EntriesOptions extends ReadOptions, PageOptions {
  kinds?: readonly EntryKind[] | undefined
}

/** What was read beside the items: not enumerable, so that a list compares and prints as a plain array. */
export interface ReadState {
  readonly version: Version | null
  readonly epoch: Epoch | null
}
export interface History extends Array<ChatMessage>, ReadState {
  /** The seq of each message. */
  readonly seqs: readonly number[]
  /** The newest group alone exceeds the budget and was kept whole. */
  readonly overBudget: boolean
}
export interface Entries extends Array<Entry>, ReadState {}

export interface TrimOptions extends WriteOptions, TrimBudget {}
export interface Trimmed extends Written {
  /** How many messages were cut. */
  removed: number
  overBudget: boolean
}

export interface CompactOptions extends WriteOptions {
  /** At most so many of the newest messages stay as they are; fewer where a tool call and its results would be parted. */
  keep: number
  /** Gets the turns to replace, oldest first, an earlier summary among them. If it throws, nothing changes. */
  summarise: (turns: ChatMessage[]) => string | SummaryInput | Promise<string | SummaryInput>
}
export interface Compacted extends Written {
  /** The seq of the summary; `null` if there was nothing to compact. */
  seq: number | null
  /** How many messages it stands in for. */
  removed: number
}

export interface SnapshotOptions extends WriteOptions {
  /** Any text; made up where it is not given. */
  id?: string | undefined
  label?: string | null | undefined
}
export interface Snapshot {
  id: string
  label: string | null
  /** Made by a rollback, of the state it left. Only the newest ten of those are kept. */
  automatic: boolean
  at: number
}
export interface SavedSnapshot extends Snapshot, Written {}
export interface ListedSnapshot extends Snapshot {
  /** How many entries it reads. */
  entries: number
}
export interface RolledBack extends Written {
  /** The id of the automatic snapshot of what was left. */
  leftBehind: string
}

export interface RewindOptions extends WriteOptions {
  /** The seq of the last entry to keep; 0 keeps none. */
  to: number
}
export interface Rewound extends Written {
  removed: Entry[]
}

export interface ForkOptions {
  at?: string | undefined
  operationId?: string | undefined
}
export interface Forked extends Written {
  entries: number
}

export interface RecallOptions extends ReadOptions {
  /** How many at most; 5 where it is not given. */
  k?: number | undefined
}
export interface Recalled {
  seq: number
  /** Cosine similarity, from -1 to 1; 0 for a vector of zeros. */
  score: number
  summary: Summary
}

export type ExpireOptions = WriteOptions & ({ ttl: number } | { at: Date | number } | { never: true })
export interface Expiry extends Written {
  expiresAt: number | null
}

export interface SessionInfo {
  id: string
  version: Version
  epoch: Epoch
  /** How many entries it reads now, of all kinds. */
  entries: number
  createdAt: number
  updatedAt: number
  /** Slides on every write. */
  ttl: number | null
  expiresAt: number | null
}
export interface SessionPage {
  sessions: SessionInfo[]
  /** The ids of sessions on this page whose state is lost. */
  damaged: string[]
  /** Where the next page begins; `null` after the last. */
  cursor: string | null
}

export interface ImportOptions {
  operationId?: string | undefined
}
export interface Imported extends Written {
  entries: number
}

/** `entries` and `bytes` are what the sessions and their snapshots read. */
export interface Stats extends Usage {
  sessions: number
  snapshots: number
  /** What `sweep` would remove. */
  sweepable: Usage
  /** Sessions of which something is lost; they are not counted. */
  damaged: string[]
}

export interface Progress {
  sessions: number
  entries: number
}
export interface ProgressOptions {
  /** Told again and again how much is done. If it throws, the work ends there with that error. */
  onProgress?: ((progress: Progress) => void) | undefined
}

export interface Swept {
  entries: number
  /** Sessions whose state is lost: nothing of theirs was touched. */
  damaged: string[]
}

export interface Verified {
  ok: boolean
  sessions: number
  /** How many entries were read and found whole or damaged. */
  entries: number
  /** Every damaged place that was found. */
  damage: Damage[]
}
