import type { Health } from '../core/backend.ts'
import type { EntryKind } from '../core/entries.ts'
import type { ClosedRange } from '../core/path.ts'
import type { SessionInfo, SessionPaths, Verified } from '../core/types.ts'

/*
 * What the server and its page say to each other, as JSON. Both come from the same build, so nothing else may rely on it.
 */

export interface StoreView {
  readonly name: string
  readonly write: boolean
  readonly health: Health
}

export interface SessionsView {
  readonly sessions: readonly SessionInfo[]
  /** The ids of sessions whose state is lost. */
  readonly damaged: readonly string[]
  readonly cursor: string | null
  /** How many sessions were looked at for this answer. */
  readonly looked: number
}

export interface SessionView {
  readonly info: SessionInfo
  readonly paths: SessionPaths
}

/** One part of an entry, to be shown as text. */
export interface PartView {
  readonly kind: 'text' | 'call' | 'result' | 'media' | 'other'
  /** The name of a tool, the type of a file, or what kind of text it is. */
  readonly label: string | null
  /** Connects a call with its results. */
  readonly id: string | null
  /** The beginning of the text. */
  readonly text: string
  /** How long the whole text is. */
  readonly length: number
  /** The size of a file in bytes; `null` if it is not known. */
  readonly bytes: number | null
  /** Whether a result is an error. */
  readonly failed: boolean
}

export interface EntryView {
  readonly seq: number
  readonly at: number
  readonly kind: EntryKind
  /** Who speaks, or what the entry is. */
  readonly title: string
  readonly name: string | null
  readonly parts: readonly PartView[]
  /** How many more parts it has. */
  readonly moreParts: number
  /** The seqs that a summary speaks of. */
  readonly covers: readonly ClosedRange[] | null
  readonly standsIn: boolean
  /** The dimensions of a summary's embedding. */
  readonly dimensions: number | null
}

export interface EntriesView {
  readonly version: string | null
  readonly entries: readonly EntryView[]
}

export interface TextView {
  readonly text: string
  readonly from: number
  readonly length: number
}

/** One line of the answer of `api/verify`. */
export type VerifyLine =
  | { readonly sessions: number; readonly entries: number }
  | { readonly verified: Verified }
  | { readonly error: ErrorView }

export interface ErrorView {
  readonly code: string
  readonly message: string
}

/** What can be done to a session. Each applies only to exactly `ifVersion`. */
export type Action = { readonly session: string; readonly ifVersion: string } & (
  | { readonly action: 'snapshot'; readonly label: string | null }
  | { readonly action: 'rollback'; readonly snapshot: string }
  | { readonly action: 'rewind'; readonly to: number; readonly label: string }
  | { readonly action: 'fork'; readonly target: string; readonly at: string | null; readonly to: number | null }
  | {
      readonly action: 'describe'
      readonly owner: string | null
      readonly title: string | null
      readonly metadata: Record<string, unknown> | null
    }
  | { readonly action: 'expire'; readonly when: { ttl: number } | { at: number } | { never: true } }
  | { readonly action: 'delete' }
)

/** Erases what is left of a session that has no version anymore. It applies to no other. */
export interface DamagedDeletion {
  readonly action: 'deleteDamaged'
  readonly session: string
}

export interface ActedView {
  /** What happened, as a sentence without the period. */
  readonly done: string
}
