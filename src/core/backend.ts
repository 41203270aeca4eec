import type { ClosedRange, Path, PathPlan } from './path.ts'
import type { SessionHead, SessionState } from './session-state.ts'

/** `compaction` is a summary that stands in the history for turns; a `summary` is there for `recall` alone. */
export type StoredKind = 'message' | 'toolCall' | 'summary' | 'compaction'

/** An entry as a backend keeps it: opaque text, and opaque bytes where the entry holds any. */
export interface EncodedEntry {
  readonly kind: StoredKind
  readonly format: number
  readonly body: string
  readonly bytes: Uint8Array | null
}

export interface StoredEntry extends EncodedEntry {
  readonly seq: number
  readonly at: number
}

/** An entry of a copy that is not published yet. */
export interface StagedEntry extends EncodedEntry {
  readonly seq: number
  /** `null`: when it is staged, by the backend's clock. */
  readonly at: number | null
}

/** An epoch and the seq where it ended. `number` orders the snapshots of a session. */
export interface SnapshotRecord {
  readonly id: string
  readonly label: string | null
  readonly automatic: boolean
  readonly epoch: number
  readonly end: number
  readonly at: number
  readonly number: number
}

export interface EpochRecord {
  readonly number: number
  readonly path: Path
}

/** A session whole: its head, and all that its path and its snapshots read. Every list ascends, by `number` or by `seq`. */
export interface SessionContent {
  readonly head: SessionHead
  readonly epochs: readonly EpochRecord[]
  readonly snapshots: readonly SnapshotRecord[]
  readonly entries: readonly StoredEntry[]
}

/** A session whole, as it is outside of a store. */
export interface SessionCopy extends SessionContent {
  readonly id: string
}

/** What a commit did, remembered with its operation. */
export interface Committed {
  readonly version: string
  readonly epoch: string
  /** The seq of the first entry appended; the others follow it without a gap. */
  readonly first: number
  readonly count: number
  readonly at: number
  /** What the operation wants to remember beside, as it was given in the change. */
  readonly answer: string | null
}

export interface OperationRecord {
  /** Of the operation's content; shortened once its session is gone, so that it tells nothing of it. */
  readonly digest: string
  readonly committed: Committed
}

/** One atomic change of one session. All of it happens, or none. */
export interface Change {
  readonly operation: { readonly id: string; readonly digest: string; readonly answer?: string }
  /** Only if the session is at this version; `null`: only if there is none. */
  readonly ifVersion?: string | null
  /** Only if the path has not changed since; `null`: only if there is no session, or it is still in its first epoch. */
  readonly ifEpoch?: string | null
  /** Only if the session has this snapshot; with a number, the one that was read and not another saved since under the same id. */
  readonly ifSnapshot?: { readonly id: string; readonly number?: number }
  readonly append?: readonly EncodedEntry[]
  /** Begins the next epoch. */
  readonly path?: PathPlan
  /** Remembers the state before this change. */
  readonly putSnapshot?: { readonly id: string; readonly label: string | null; readonly automatic: boolean }
  readonly dropSnapshots?: readonly string[]
  /** The store's own time to live, for sessions that have none of their own. */
  readonly ttl?: number
  /** The session's own from now on. */
  readonly expire?: { readonly ttl: number } | { readonly at: number } | 'never'
  /** Begins the session as it was elsewhere, head and all. Comes with `ifVersion: null`, and with nothing else that changes it. */
  readonly restore?: SessionContent
  /**
   * Begins the session with the entries that were staged under this token: by itself, and they are its log from 1 to `count`, or with a `restore` that
   * has no entries of its own. Comes with `ifVersion: null`. If not exactly `count` entries are staged, it is refused (`CopyLostError`).
   */
  readonly staged?: { readonly copy: string; readonly count: number }
}

/** What to read beside the state. */
export interface Want {
  /** Whether this operation has been applied. */
  readonly operation?: string
  /** A snapshot, the path it reads, and the ids of the automatic ones, oldest first. */
  readonly snapshot?: string
  /** The entries of these ranges, in this order. */
  readonly ranges?: readonly ClosedRange[]
  /** Only the last n entries of the ranges; of the path, if there are no ranges. */
  readonly last?: number
  /** Every summary of the log after this seq, of both kinds. Not together with entries. */
  readonly summariesAfter?: number
  /**
   * At most so many bytes of entries or summaries, and at most 1,000 summaries: the first of those asked for, with `last` the last ones. At least one comes,
   * whatever its size. A backend never loads many more bytes than it returns.
   */
  readonly maxBytes?: number
}

export interface Reading {
  /** `null`: there is no such session, or it has expired. */
  readonly state: SessionState | null
  readonly operation: OperationRecord | null
  readonly snapshot: { readonly record: SnapshotRecord; readonly path: Path } | null
  readonly automatic: readonly string[]
  /** In the order asked for. Those that are missing are left out: the caller knows which there must be. */
  readonly entries: readonly StoredEntry[]
  /** What `summariesAfter` found, ascending. */
  readonly summaries: readonly StoredEntry[]
  /** The seqs it must have found, ascending, kept apart from the log so that a lost one is noticed. */
  readonly summarySeqs: readonly number[]
  /** Whether `maxBytes` ended the list: there is more of what was asked for. */
  readonly more: boolean
}

export interface SnapshotList {
  readonly state: SessionState | null
  readonly snapshots: readonly SnapshotRecord[]
  /** The path of every epoch that is kept. */
  readonly paths: ReadonlyMap<number, Path>
}

/** What nobody reads any more. Applied only while the session is in `ifEpoch`; at most `limit` entries at a time, and not many bytes. */
export interface Drop {
  readonly ifEpoch: string
  readonly ranges: readonly ClosedRange[]
  readonly epochs: readonly number[]
  readonly limit: number
}

/** So many entries, and the bytes of what they hold. */
export interface Usage {
  readonly entries: number
  readonly bytes: number
}

/** How many entries a slice removed, and whether nothing is left to remove. */
export interface Reclaimed {
  readonly entries: number
  readonly done: boolean
}

/** A place where memory is damaged. `session` is `null` where nothing tells whose it was. */
export interface Damage {
  readonly session: string | null
  readonly seqs: readonly number[]
  readonly reason: string
}

/** What was found so far, and whether that is all. */
export interface DamageFound {
  readonly damage: readonly Damage[]
  readonly done: boolean
}

export interface Health {
  readonly backend: string
  readonly ok: boolean
  /** What can lose memory here, each in plain words; empty if nothing is known. */
  readonly warnings: readonly string[]
  readonly details: Readonly<Record<string, string | number | boolean>>
}

/**
 * The contract under `MemoryStore`. A backend receives only checked input and holds no policy.
 *
 * - Every method rejects by `deadline` (a reading of `performance.now()`) with a `MemoryStoreBackendError` whose `applied` tells the truth.
 * - A session that has expired is absent, whether its data was removed or not; a commit on it begins a new session.
 * - State that cannot be decoded, or entries without it, is a `MemoryLostError`, in `commit` as well as in `read`.
 */
export interface Backend {
  readonly name: string
  /** The state and what was asked for, as of one moment. */
  read(session: string, want: Want, deadline: number): Promise<Reading>
  /** Applies the change as `advance` computes it, or throws as it does. Resolves once the change is durable. */
  commit(session: string, change: Change, deadline: number): Promise<Committed>
  /**
   * Writes a slice of a session that does not exist yet, under the token of a copy, whose slices come one after the other and ascend. The same slice again
   * changes nothing. Nobody reads what is staged, lists it or calls it damaged, until a commit publishes the whole copy in about the time of an append:
   * long copies are written like this, so that no lock is held for long. What is staged and not published an hour after its last slice, by the
   * backend's clock, goes with `reclaim`.
   */
  stage(session: string, copy: string, entries: readonly StagedEntry[], deadline: number): Promise<void>
  /** Gives up what is staged under the token, and tells whether there was anything. `reclaim` removes what is left of it. */
  unstage(session: string, copy: string, deadline: number): Promise<boolean>
  snapshots(session: string, deadline: number): Promise<SnapshotList>
  /** Drops a slice; resolves to `null` if the session is in another epoch. */
  drop(session: string, drop: Drop, deadline: number): Promise<Reclaimed | null>
  /** Sessions that have not expired, in an order that stays; `state` is `null` where it is lost. */
  sessions(
    cursor: string | null,
    limit: number,
    deadline: number,
  ): Promise<{ sessions: readonly { id: string; state: SessionState | null }[]; cursor: string | null }>
  /**
   * Erases a session and all that belongs to it, and tells whether there was one. Its operations stay known for a day, without content, so that a late retry
   * does not bring it back; so does this one, if there was a session: given again, it returns `true` and erases nothing.
   */
  erase(session: string, operation: string, deadline: number): Promise<boolean>
  /** Removes what is left of erased sessions and of copies that were given up, or of expired sessions as well, a slice at a time. */
  reclaim(scope: 'erased' | 'all', deadline: number): Promise<Reclaimed>
  /** What there is of these ranges of a session; for `null`, all that `reclaim` of `all` would remove. */
  measure(session: string | null, ranges: readonly ClosedRange[], deadline: number): Promise<Usage>
  /** Damage that reading the sessions one by one would not show. If it takes longer than one call may, the next call goes on with it. */
  damage(deadline: number): Promise<DamageFound>
  health(deadline: number): Promise<Health>
  close(): Promise<void>
}
