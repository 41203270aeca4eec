import { types } from 'node:util'
import { z } from 'zod'
import type { ClosedRange } from './path.ts'

export const entryKinds = ['message', 'toolCall', 'summary', 'record'] as const

/** What an entry is. */
export type EntryKind = (typeof entryKinds)[number]

/**
 * A tool call that an assistant asks for.
 *
 * Fields that are not named here are kept as well. That holds for every type in this file.
 */
export interface ToolCall {
  /** What a tool message names in `toolCallId` to answer it. Not empty. */
  id: string
  /** The tool to call. */
  name: string
  /** Any JSON, and bytes. */
  arguments?: unknown
  [field: string]: unknown
}

/** One part of a message's content: text, an image, or anything else that your provider knows. */
export interface ContentPart {
  /** What kind of part it is. The store does not look at it. */
  type: string
  [field: string]: unknown
}

/**
 * A message of the shape that this package documents, and the type of a store that was given no other.
 *
 * A message may be any object: every field is optional, and none but `role` is checked. The store uses `role`, and the
 * fields that link tool calls with their results.
 */
export interface ChatMessage {
  /** Who speaks: any text. Leading `system` and `developer` messages count as system messages. */
  role?: string | undefined
  /** Text, a list of parts, or `null`. */
  content?: string | ContentPart[] | null | undefined
  /** An id of the caller's own. The store keeps it and does not use it. */
  id?: string | undefined
  /** The name of the speaker, for providers that know one. */
  name?: string | undefined
  /** The calls that an assistant asks for. No cut separates them from their results. */
  toolCalls?: ToolCall[] | undefined
  /** On a `tool` message: the id of the call that it answers. */
  toolCallId?: string | undefined
  /** Any JSON, and bytes. */
  metadata?: Record<string, unknown> | undefined
  [field: string]: unknown
}

/** What `addMessages` takes: the store's own type of message, or any object if the store was given no type. */
export type MessageInput<Message extends object = ChatMessage> = [Message, ChatMessage] extends [ChatMessage, Message]
  ? ChatMessage | object
  : Message

/** How a compaction's summary appears in the history of a store without `summaryMessage`. */
export type SummaryMessage = {
  /** `system`, unless `compact` was given another `summaryRole`. */
  role: SummaryRole
  /** The text of the summary. */
  content: string
}

/** The role of a compaction's summary in the history. */
export type SummaryRole = 'system' | 'user'

/**
 * An item of the history: a message, or what stands in for turns. If a stand-in already is a message of that type, it
 * is simply `Message`.
 */
export type HistoryItem<Message extends object, StandIn extends object> = [StandIn] extends [Message]
  ? Message
  : Message | StandIn

/** What a tool did. It belongs to the session's state, snapshots and rollbacks, and not to the prompt. */
export interface ToolCallRecord {
  /** The id of the call. Not empty. */
  id: string
  /** The tool that was called. Not empty. */
  name: string
  /** What it was called with. */
  arguments?: unknown
  /** What it returned. */
  result?: unknown
  /** How it failed. */
  error?: unknown
  /** When it started. The store does not look at it. */
  startedAt?: number | undefined
  /** When it ended. The store does not look at it. */
  endedAt?: number | undefined
  /** Any JSON, and bytes. */
  metadata?: Record<string, unknown> | undefined
  [field: string]: unknown
}

/** A summary of turns, with an embedding for `recall`. */
export interface Summary {
  /** The summary itself. */
  text: string
  /** Comes back bit for bit. `recall` does not find a summary without one. */
  embedding?: Float32Array | undefined
  /** The seqs that it covers. `compact` sets it. */
  covers?: ClosedRange[] | undefined
  /** Its role in the history if it stands in for turns. `compact` sets it to its `summaryRole`. */
  role?: SummaryRole | undefined
  /** Any JSON, and bytes. */
  metadata?: Record<string, unknown> | undefined
  [field: string]: unknown
}

/**
 * State that is not part of the prompt. It stays when the session is trimmed or compacted, goes when it is cleared, and
 * belongs to snapshots and rollbacks.
 */
export interface MemoryRecord {
  /** What kind of record it is. Not empty. */
  type: string
  /** Any JSON, and bytes. */
  [field: string]: unknown
}

/** What `addSummary` takes. An embedding given as plain numbers is rounded to 32-bit floats. */
export type SummaryInput = Omit<Summary, 'embedding'> & { embedding?: Float32Array | readonly number[] | undefined }

interface EntryBase {
  /** The place in the session's log: 1, 2, 3 and so on. Never reused. */
  seq: number
  /**
   * When it was appended, by the backend's clock, in milliseconds since 1970. The order is that of the log, not of
   * time.
   */
  at: number
}

/** A message in the log. */
export interface MessageEntry<Message extends object = ChatMessage> extends EntryBase {
  /** Distinguishes the kinds of entries. */
  kind: 'message'
  /** The message as it was given. */
  message: Message
}

/** A record of a tool call in the log. */
export interface ToolCallEntry extends EntryBase {
  /** Distinguishes the kinds of entries. */
  kind: 'toolCall'
  /** The record as it was given. */
  toolCall: ToolCallRecord
}

/** A summary in the log. */
export interface SummaryEntry extends EntryBase {
  /** Distinguishes the kinds of entries. */
  kind: 'summary'
  /**
   * True if `compact` made it. It then replaces turns in the history; otherwise only `recall` and `getEntries` see it.
   */
  standsIn: boolean
  /** The summary, with its embedding as a `Float32Array`. */
  summary: Summary
}

/** A record in the log. */
export interface RecordEntry extends EntryBase {
  /** Distinguishes the kinds of entries. */
  kind: 'record'
  /** The record as it was given. */
  record: MemoryRecord
}

/** One entry of the log. `kind` says which kind. */
export type Entry<Message extends object = ChatMessage> =
  | MessageEntry<Message>
  | ToolCallEntry
  | SummaryEntry
  | RecordEntry

/**
 * What `addEntries` takes: an entry as `getEntries` returns it. `seq` and `at` may be there and are ignored, since the
 * store gives new ones. A summary with `standsIn` is shown in the history, as one made by `compact` is.
 */
export type EntryInput<Message extends object = ChatMessage> = {
  readonly seq?: number | undefined
  readonly at?: number | undefined
} & (
  | { readonly kind: 'message'; readonly message: MessageInput<Message> }
  | { readonly kind: 'toolCall'; readonly toolCall: ToolCallRecord }
  | { readonly kind: 'summary'; readonly standsIn?: boolean | undefined; readonly summary: SummaryInput }
  | { readonly kind: 'record'; readonly record: MemoryRecord }
)

const metadata = z.record(z.string(), z.unknown()).optional()
const id = z.string().min(1)

export const messageSchema = z.looseObject({ role: z.string().optional() })

export const toolCallRecordSchema = z.looseObject({
  id,
  name: z.string().min(1),
  startedAt: z.number().optional(),
  endedAt: z.number().optional(),
  metadata,
})

export const recordSchema = z.looseObject({ type: z.string().min(1) })

export const embeddingSchema = z.custom<Float32Array>(
  (value) => types.isFloat32Array(value) && value.length > 0 && value.every(Number.isFinite),
  'expected a non-empty Float32Array or array of finite 32-bit numbers',
)

const seq = z.number().int().positive()

export const summarySchema = z.looseObject({
  text: z.string(),
  embedding: embeddingSchema.optional(),
  covers: z
    .array(
      z
        .tuple([seq, seq])
        .readonly()
        .refine(([from, to]) => from <= to, 'expected [from, to] with from <= to'),
    )
    .optional(),
  metadata,
})
