import type { ClosedRange, Path, PathPlan } from './path.ts'
import type { SessionHead, SessionState } from './session-state.ts'

/**
 * What a stored entry is. A `compaction` is a summary that replaces turns in the history; a `summary` is there for
 * `recall` alone. A backend needs the kind only to find summaries.
 */
export type StoredKind = 'message' | 'toolCall' | 'summary' | 'compaction' | 'record'

/** An entry as a backend keeps it. The backend stores body and bytes as they are and never looks inside. */
export interface EncodedEntry {
  /** What the entry is. */
  readonly kind: StoredKind
  /** How body and bytes are encoded. A newer version of this package may write another number. */
  readonly format: number
  /** Well-formed text of any length. */
  readonly body: string
  /** The bytes in the entry; `null` if there are none. */
  readonly bytes: Uint8Array | null
}

/** An entry in the log of a session. It never changes. */
export interface StoredEntry extends EncodedEntry {
  /** The place in the log: 1, 2, 3 and so on. Never reused. */
  readonly seq: number
  /** When it was appended, by the backend's clock, in milliseconds since 1970. */
  readonly at: number
}

/** An entry of a copy that is not published yet. */
export interface StagedEntry extends EncodedEntry {
  /** The seq that it will have once the copy is published. */
  readonly seq: number
  /** When the original was appended; `null` for the moment it is staged, by the backend's clock. */
  readonly at: number | null
}

/** A snapshot as a backend keeps it: an epoch, and the seq where it ended. */
export interface SnapshotRecord {
  /** Unique within the session. */
  readonly id: string
  /** A note for people. */
  readonly label: string | null
  /** True if a rollback or a rewind made it, not a caller. */
  readonly automatic: boolean
  /** The number of the epoch whose path it reads. */
  readonly epoch: number
  /** The last seq that it reads: where the open range of that path ends. */
  readonly end: number
  /** When it was saved, by the backend's clock, in milliseconds since 1970. */
  readonly at: number
  /** Orders the snapshots of a session, and distinguishes two that had the same id at different times. */
  readonly number: number
}

/** What started an epoch: the session itself, or an operation that changed the path. */
export type EpochCause = 'begin' | 'rollback' | 'rewind' | 'trim' | 'clear' | 'compact'

/** The path of one epoch. A backend keeps it once, however many snapshots read it. */
export interface EpochRecord {
  /** The number of the epoch, starting at 1. */
  readonly number: number
  /** What the session read in that epoch. */
  readonly path: Path
  /** What started it; `null` if it was written by 0.1. */
  readonly cause: EpochCause | null
  /** When it started, by the backend's clock, in milliseconds since 1970; `null` if it was written by 0.1. */
  readonly at: number | null
}

/** An epoch as a backend keeps it. */
export interface KeptEpoch extends EpochRecord {
  /**
   * The number of the epoch that this one is, or may later be, stored as a difference from. That one must be kept as
   * long as this one. `null` if it is stored whole.
   */
  readonly base: number | null
  /**
   * With a base: the path is the first `entries` entries of that of the base, then `own`. A backend may put `path`
   * together when it is read, because many long ones take far more than their differences.
   */
  readonly difference: { readonly entries: number; readonly own: Path } | null
}

/** A path that starts an epoch. */
export interface NewPath {
  /** The whole path. */
  readonly plan: PathPlan
  /** What changes the path. */
  readonly cause: EpochCause
  /**
   * The same path as a difference: the first `entries` entries of the path of the epoch with the number `epoch`, then
   * `own`. A backend may store an epoch like this once it is no longer the current one, so that the bytes of many
   * rollbacks grow only with their number.
   */
  readonly base?: { readonly epoch: number; readonly entries: number; readonly own: PathPlan }
}

/** What describes a session to people and to a sidebar. It is not part of the conversation. */
export interface SessionAbout {
  /** The owner: any well-formed, non-empty text; `null` for none. */
  readonly owner: string | null
  /** Any text; `null` for none. */
  readonly title: string | null
  /** The text of a JSON object; `null` for none. */
  readonly metadata: string | null
}

/**
 * A whole session: its head, and everything that its path and its snapshots read. Every list ascends, by `number` or
 * `seq`.
 */
export interface SessionContent {
  /** The state without the path, which is that of the epoch with the number `head.epoch`. */
  readonly head: SessionHead
  /** The current epoch, and each one that a snapshot reads. */
  readonly epochs: readonly EpochRecord[]
  /** All snapshots, automatic ones included. */
  readonly snapshots: readonly SnapshotRecord[]
  /** Each entry that any of them reads, once. */
  readonly entries: readonly StoredEntry[]
  /** Owner, title and metadata. */
  readonly about: SessionAbout
}

/** A whole session outside of a store, as `exportSession` returns it. */
export interface SessionCopy extends SessionContent {
  /** The id of the session. */
  readonly id: string
}

/** What a commit did. The backend remembers it with the operation, and returns it when the operation is repeated. */
export interface Committed {
  /** The version after the commit. */
  readonly version: string
  /** The epoch after the commit. */
  readonly epoch: string
  /**
   * The seq of the first entry appended; the others follow without a gap. Without one, the next seq to be given out.
   */
  readonly first: number
  /** How many entries were appended. */
  readonly count: number
  /** When it was applied, by the backend's clock, in milliseconds since 1970. */
  readonly at: number
  /** What the change asked to remember, as it was given. */
  readonly answer: string | null
}

/** An operation that was applied. */
export interface OperationRecord {
  /**
   * A digest of the operation's content. It is shortened once the session is gone, so that it reveals nothing about it.
   */
  readonly digest: string
  /** What the first attempt returned. */
  readonly committed: Committed
  /**
   * True if the session that it was applied to has ended. The session of this id, if there is one, then has other
   * entries under the same seqs. It need not be known of an operation that no caller named.
   */
  readonly ended: boolean
}

/**
 * One atomic change of one session. All of it happens, or none of it.
 *
 * The order of checks is part of the contract: a known operation first, then the conditions, and only then anything is
 * written. `advance` in src/core/advance.ts is the meaning of a change, in code.
 */
export interface Change {
  /**
   * Names the change, so that a retry applies once. The same `id` with the same `digest` returns the first result, and
   * with another digest it is rejected (`OperationConflictError`). `answer` is remembered with the result. The digest is
   * empty if no caller named the operation: then only the store itself repeats it, soon after a failure.
   */
  readonly operation: { readonly id: string; readonly digest: string; readonly answer?: string }
  /**
   * Apply only if the session is at this version; `null`: only if there is no session. Otherwise
   * `VersionConflictError`.
   */
  readonly ifVersion?: string | null
  /**
   * Apply only if nothing was taken back since (`epochOf`); `null`: only if there is no session, or nothing was taken
   * back yet. Otherwise `VersionConflictError`.
   */
  readonly ifEpoch?: string | null
  /** Apply only if the session still has this path (`pathTokenOf`). Otherwise `VersionConflictError`. */
  readonly ifPath?: string
  /**
   * Apply only if the turn of the session is held under this token, and its lease has not ended by the backend's clock.
   * Otherwise `TurnLostError`. It is the first condition to be checked.
   */
  readonly ifTurn?: string
  /**
   * Apply only if the session has this snapshot; with a number, only if it is that one and not another saved since
   * under the same id. Otherwise `SnapshotNotFoundError`.
   */
  readonly ifSnapshot?: { readonly id: string; readonly number?: number }
  /** Entries to append, in this order. They get the next seqs. */
  readonly append?: readonly EncodedEntry[]
  /**
   * Starts the next epoch with this path. Without it, the path stays. Rollback, rewind and clear take something back:
   * they renew `takenBack` as well. Comes with `ifPath`.
   */
  readonly path?: NewPath
  /** Saves the state before this change as a snapshot. An id that is taken is rejected (`SnapshotExistsError`). */
  readonly putSnapshot?: { readonly id: string; readonly label: string | null; readonly automatic: boolean }
  /** The ids of snapshots to delete. Ids that do not exist are ignored. */
  readonly dropSnapshots?: readonly string[]
  /** The store's own time to live in milliseconds, for sessions that `expire` has not given one. */
  readonly ttl?: number
  /** The session's own expiry from now on: sliding, at a fixed moment, or never. */
  readonly expire?: { readonly ttl: number } | { readonly at: number } | 'never'
  /** Owner, title and metadata if this change creates the session; ignored if it exists. */
  readonly begin?: SessionAbout
  /** The parts of owner, title and metadata to replace. The others stay. */
  readonly describe?: Partial<SessionAbout>
  /**
   * Creates the session as it was elsewhere, including its head. Comes with `ifVersion: null`, and with no other
   * change.
   */
  readonly restore?: SessionContent
  /**
   * Creates the session from the entries that were staged under this token. Alone, they are its log from 1 to `count`;
   * with a `restore` that has no entries, they are the entries of that. Comes with `ifVersion: null`. If not exactly
   * `count` entries are staged, the change is rejected (`CopyLostError`).
   */
  readonly staged?: { readonly copy: string; readonly count: number }
}

/** What to read, besides the state of the session. */
export interface Want {
  /** The id of an operation to look up: whether it was applied, and what it returned. */
  readonly operation?: string
  /** The id of a snapshot to look up: its record, its path, and the ids of all automatic snapshots, oldest first. */
  readonly snapshot?: string
  /** The entries of these ranges, in this order. */
  readonly ranges?: readonly ClosedRange[]
  /** Only the last n entries of the ranges. Without ranges: of the path, or of the requested snapshot's path. */
  readonly last?: number
  /** The first n entries of the path instead. Not together with `ranges` or `last`. */
  readonly first?: number
  /** With `first` or `last`, and without ranges: only from before this seq on the path. None if it is not on the path. */
  readonly before?: number
  /** Only from after this seq on the path. Not together with `before`. */
  readonly after?: number
  /** Owner, title and metadata. */
  readonly about?: boolean
  /** Every summary of the log after this seq, of both kinds. Not together with entries. */
  readonly summariesAfter?: number
  /**
   * Stop at this many bytes of entries or summaries, and at 1,000 summaries. The first of those asked for come, with
   * `last` the last ones; at least one comes, however large it is. A backend never loads many more bytes than it
   * returns.
   */
  readonly maxBytes?: number
}

/** What was read, all of it at a single moment. */
export interface Reading {
  /** The state; `null` if there is no such session, or it has expired. */
  readonly state: SessionState | null
  /** The requested operation; `null` if it is not remembered or none was requested. */
  readonly operation: OperationRecord | null
  /** The requested snapshot and its path; `null` if it does not exist or none was requested. */
  readonly snapshot: { readonly record: SnapshotRecord; readonly path: Path } | null
  /** If a snapshot was requested: the ids of all automatic ones, oldest first. */
  readonly automatic: readonly string[]
  /** Owner, title and metadata; `null` if there is no such session or they were not requested. */
  readonly about: SessionAbout | null
  /** The entries, in the requested order. Missing ones are left out: the caller knows which ones must exist. */
  readonly entries: readonly StoredEntry[]
  /** The summaries that `summariesAfter` found, ascending. */
  readonly summaries: readonly StoredEntry[]
  /** The seqs that it must have found, ascending. Stored separately from the log, so that a lost summary is noticed. */
  readonly summarySeqs: readonly number[]
  /** True if `maxBytes` ended the list and more was requested. */
  readonly more: boolean
}

/** The snapshots of a session and everything needed to tell what they read, all at a single moment. */
export interface SnapshotList {
  /** The state; `null` if there is no such session, or it has expired. */
  readonly state: SessionState | null
  /** All snapshots, in any order. */
  readonly snapshots: readonly SnapshotRecord[]
  /** Every epoch that is kept, in any order. */
  readonly epochs: readonly KeptEpoch[]
  /** Owner, title and metadata; `null` if there is no such session. */
  readonly about: SessionAbout | null
}

/** A session in a list. */
export interface ListedSession {
  /** The id of the session. */
  readonly id: string
  /** The state; `null` if it is lost. */
  readonly state: SessionState | null
  /** Owner, title and metadata; `null` if the state is lost. */
  readonly about: SessionAbout | null
}

/** A page of sessions. */
export interface ListedPage {
  /** The sessions, in the order of the list. */
  readonly sessions: readonly ListedSession[]
  /** Where the next page starts; `null` on the last page. */
  readonly cursor: string | null
}

/** How to erase a session. */
export interface Erasure {
  /** Names the erasure, so that a retry applies once. */
  readonly operation: string
  /** Erase only if the session is at this version. Otherwise `VersionConflictError`. */
  readonly ifVersion?: string | null
  /** Erase only while the turn is held under this token, as in a `Change`. */
  readonly ifTurn?: string
}

/** The right to the turn of a session, for a while. */
export interface Lease {
  /** A random token. Its owner holds the turn. */
  readonly token: string
  /** How long from now, by the backend's clock, in milliseconds. */
  readonly milliseconds: number
}

/** What nobody reads anymore. Applied only while the session has the path `ifPath`. */
export interface Drop {
  /** The token of the path with which the ranges and epochs were found unread. */
  readonly ifPath: string
  /** The entries to remove. */
  readonly ranges: readonly ClosedRange[]
  /** The numbers of the epochs whose paths to remove. */
  readonly epochs: readonly number[]
  /** Remove at most this many entries in one call, and not many bytes. */
  readonly limit: number
}

/** A number of entries, and the bytes of what they hold. */
export interface Usage {
  /** How many entries. */
  readonly entries: number
  /** The bytes of what they hold, without what the backend adds. */
  readonly bytes: number
}

/** The result of removing one slice. */
export interface Reclaimed {
  /** How many entries it removed. */
  readonly entries: number
  /** True if nothing is left to remove. */
  readonly done: boolean
}

/** A place where memory is damaged. */
export interface Damage {
  /** The session; `null` if it is unknown which one it was. */
  readonly session: string | null
  /** The seqs of the entries; empty if it is not known which, or if it is not about entries. */
  readonly seqs: readonly number[]
  /** What is wrong, in plain words. */
  readonly reason: string
}

/** What `damage` found so far. */
export interface DamageFound {
  /** The places found by this call. */
  readonly damage: readonly Damage[]
  /** False if there is more to look at: call again. */
  readonly done: boolean
}

/** What `reclaim` removes. */
export type ReclaimScope = 'erased' | 'outdated' | 'all'

/** The state of a backend. */
export interface Health {
  /** The name of the backend, such as `sqlite`. */
  readonly backend: string
  /** True if it responds and works. A backend that does not respond rejects instead. */
  readonly ok: boolean
  /** What can lose memory here, each in plain words; empty if nothing is known. */
  readonly warnings: readonly string[]
  /** Facts such as the version, the size and the durability, by names that differ per backend. */
  readonly details: Readonly<Record<string, string | number | boolean>>
}

/**
 * The contract under `MemoryStore`: what a backend of your own implements. Pass it to `new MemoryStore(backend)`, and
 * prove it with `unforget prove`.
 *
 * A backend receives only checked input and holds no policy. It knows nothing about messages, budgets or embeddings.
 * These rules hold for every method:
 *
 * - It settles by `deadline`, a reading of `performance.now()`, or soon after. A failure is a `MemoryStoreBackendError`
 *   whose `applied` tells the truth: `no` only if nothing was or will be written. With `retryable` the store tries
 *   again, under the same operation, until the deadline; a write that ended with `TIMEOUT` and `no`, until a quarter of its
 *   time is left.
 * - A session that has expired is absent, whether its data was removed or not. A commit to it creates a new session
 *   that has nothing of the old one.
 * - State that cannot be decoded, or entries without their session's state, is a `MemoryLostError`, in `commit` as well
 *   as in `read`. Nothing that has content is ever read as empty.
 * - Ids are compared byte by byte. They may hold anything, and no id reaches what belongs to another.
 * - Calls may come at the same time, from any number of processes if the backend is shared.
 */
export interface Backend {
  /** A short name for `health` and for messages, such as `sqlite`. */
  readonly name: string

  /**
   * Reads the state of a session and what else is wanted, all at a single moment. A session that does not exist is not
   * an error: its state is `null`.
   *
   * Cost: one round trip. It must not grow with the history, only with what is wanted and with the ranges of the path.
   */
  read(session: string, want: Want, deadline: number): Promise<Reading>

  /**
   * Applies a change as `advance` computes it, or rejects with what it throws: `OperationConflictError`,
   * `TurnLostError`, `VersionConflictError`, `SnapshotNotFoundError`, `SnapshotExistsError` or `CopyLostError`.
   * Resolves once the change is durable. At least the last 256 named operations of a session are remembered, no matter
   * what else is written. One that no caller named is remembered for as long as the store may repeat it: on a server,
   * for 20 seconds.
   *
   * Cost: one round trip and one transaction. An append must not grow with the history.
   */
  commit(session: string, change: Change, deadline: number): Promise<Committed>

  /**
   * Writes one slice of a session that does not exist yet, under the token of a copy. Slices come one after the other,
   * and their seqs ascend; the same slice again changes nothing. What is staged is not read, listed or checked for
   * damage until a commit with `staged` publishes the whole copy in about the time of an append. This is how long
   * copies are written, so that no lock is held for long. `reclaim` removes what is not published within an hour of its
   * last slice, by the backend's clock.
   *
   * Cost: one round trip per slice. Grows with the slice.
   */
  stage(session: string, copy: string, entries: readonly StagedEntry[], deadline: number): Promise<void>

  /**
   * Gives up what is staged under a token. Resolves to whether there was anything; `reclaim` removes the rest.
   */
  unstage(session: string, copy: string, deadline: number): Promise<boolean>

  /** Lists the snapshots of a session with all epochs that are kept. Cost: one round trip. */
  snapshots(session: string, deadline: number): Promise<SnapshotList>

  /**
   * Removes a slice of what nobody reads. Resolves to `null`, and removes nothing, if the session has another path than
   * `ifPath` or does not exist. Cost: one round trip and one short transaction, bounded by `limit`.
   */
  drop(session: string, drop: Drop, deadline: number): Promise<Reclaimed | null>

  /**
   * Lists sessions that have not expired, in a stable order, about `limit` at a time. `cursor` is `null` for the
   * first page.
   */
  sessions(cursor: string | null, limit: number, deadline: number): Promise<ListedPage>

  /**
   * Lists the sessions of an owner that have not expired, most recently written first, at most `limit` at a time. A
   * session that is written between two pages moves to the front, and is not on a later page. A backend without this
   * method does not support lists by owner.
   *
   * Cost: grows with the sessions of that owner and not with those of others. An append must not cost more because of
   * it.
   */
  sessionsOf?(owner: string, cursor: string | null, limit: number, deadline: number): Promise<ListedPage>

  /**
   * Erases a session with everything that belongs to it, damaged or not, and resolves to whether there was one. From
   * then on it cannot be read; its entries may be removed later, by `reclaim`. Its operations stay known for a day,
   * without content, so that a late retry does not bring it back. So does this operation, if there was a session:
   * repeated, it returns `true` and erases nothing.
   */
  erase(session: string, erasure: Erasure, deadline: number): Promise<boolean>

  /**
   * Removes a slice of what is left of erased sessions and of copies that were given up (`erased`), of sessions that
   * expired more than a day ago as well (`outdated`), or of all expired ones (`all`). Call it until it is done.
   */
  reclaim(scope: ReclaimScope, deadline: number): Promise<Reclaimed>

  /**
   * Takes the turn of a session, which need not exist. Resolves to `null` if it is now held under that token, which it
   * may have been before, or to the milliseconds until the lease of whoever holds it ends. The lease is kept apart from
   * the session: it changes no version, creates no session, and is not exported. A backend without these three methods
   * does not support turns.
   */
  takeTurn?(session: string, lease: Lease, deadline: number): Promise<number | null>

  /**
   * Restarts the lease of a held turn. Resolves to `false`, and changes nothing, if someone else holds the turn or the
   * lease has ended, whether or not anyone has taken over.
   */
  renewTurn?(session: string, lease: Lease, deadline: number): Promise<boolean>

  /** Gives up a turn if it is held under this token. */
  endTurn?(session: string, token: string, deadline: number): Promise<void>

  /** Counts what exists in these ranges of a session; for `null`, everything that `reclaim('all')` would remove. */
  measure(session: string | null, ranges: readonly ClosedRange[], deadline: number): Promise<Usage>

  /**
   * Looks for damage that reading the sessions one by one would not show, such as entries that belong to no session. If
   * it takes longer than one call may, the next call continues.
   */
  damage(deadline: number): Promise<DamageFound>

  /** Reports the state of the backend and what can lose memory. Rejects if it does not respond. */
  health(deadline: number): Promise<Health>

  /** Closes the backend once calls in progress have ended. After that, it does not keep the process alive. */
  close(): Promise<void>
}
