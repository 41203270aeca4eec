import type { Entry } from '../../core/entries.ts'

/** A value as it is stored: its JSON if LangGraph's own serializer made it, otherwise what the serializer returned. */
export type Stored = readonly [json: unknown] | { readonly type: string; readonly data: Uint8Array }

/** Copies `count` items of the base's list from index `from` on, then adds items. */
export type ListStep = readonly [from: number, count: number, ...items: Stored[]]

export type Version = number | string
export type Seen = Readonly<Record<string, Version>>

export const checkpointType = 'langgraph/put'
export const writesType = 'langgraph/writes'

/**
 * One `put`: what differs from its base, the checkpoint that it continues. Checkpoints are named by their ids and never by seqs, which a fork
 * changes.
 */
export interface CheckpointRecord {
  readonly type: typeof checkpointType
  /** The namespace; missing for the root. */
  readonly ns?: string
  readonly id: string
  /** The checkpoint that the rest is a difference to; missing if everything is here. It is the parent if `parent` is missing. */
  readonly base?: string
  readonly parent?: string
  /** The format of the checkpoint; missing for 4. */
  readonly v?: number
  /** When it was made: milliseconds since 1970, or the text as it was given if it is no such time. */
  readonly ts: number | string
  readonly metadata: Stored
  readonly versions?: Readonly<Record<string, Version>>
  readonly seen?: Readonly<Record<string, Seen>>
  readonly values?: Readonly<Record<string, Stored>>
  readonly lists?: Readonly<Record<string, readonly ListStep[]>>
  /** Names that the base has and this one does not. */
  readonly gone?: {
    readonly versions?: readonly string[]
    readonly seen?: readonly string[]
    readonly values?: readonly string[]
  }
}

/** One `putWrites`, or what is left of several. */
export interface WritesRecord {
  readonly type: typeof writesType
  readonly ns?: string
  /** The checkpoint that the writes belong to. It may be put later. */
  readonly id: string
  readonly task: string
  readonly writes: readonly (readonly [index: number, channel: string, value: Stored])[]
}

/** The record of this bridge that an entry holds; `undefined` if it holds something else. */
export function recordOf(entry: Entry<object>): CheckpointRecord | WritesRecord | undefined {
  if (entry.kind !== 'record') return undefined
  const record: { type: string } = entry.record
  return record.type === checkpointType || record.type === writesType
    ? (record as CheckpointRecord | WritesRecord)
    : undefined
}

export function packTime(ts: string): number | string {
  const time = Date.parse(ts)
  return !Number.isNaN(time) && new Date(time).toISOString() === ts ? time : ts
}

export function unpackTime(ts: number | string): string {
  return typeof ts === 'number' ? new Date(ts).toISOString() : ts
}
