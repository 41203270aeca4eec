import { types } from 'node:util'
import { z } from 'zod'
import type { ClosedRange } from './path.ts'

export type EntryKind = 'message' | 'toolCall' | 'summary'

/** A call that an assistant requests. Unknown fields are carried as well, here and everywhere below. */
export interface ToolCall {
  id: string
  name: string
  arguments?: unknown
  [field: string]: unknown
}

export interface ContentPart {
  type: string
  [field: string]: unknown
}

/** One turn of the conversation. A `tool` message answers the call named by `toolCallId`. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string | ContentPart[] | null
  id?: string | undefined
  name?: string | undefined
  toolCalls?: ToolCall[] | undefined
  toolCallId?: string | undefined
  metadata?: Record<string, unknown> | undefined
  [field: string]: unknown
}

/** Accepted as a message. It may have your own interface type and other fields as well. */
export interface MessageInput {
  readonly role: ChatMessage['role']
  readonly content: string | readonly { readonly type: string }[] | null
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly toolCalls?: readonly { readonly id: string; readonly name: string }[] | undefined
  readonly toolCallId?: string | undefined
  readonly metadata?: object | undefined
}

/** What a tool did. Part of the session's state, snapshots and rollbacks, but not of the prompt. */
export interface ToolCallRecord {
  id: string
  name: string
  arguments?: unknown
  result?: unknown
  error?: unknown
  startedAt?: number | undefined
  endedAt?: number | undefined
  metadata?: Record<string, unknown> | undefined
  [field: string]: unknown
}

export interface Summary {
  text: string
  /** Stored bit for bit. An array of numbers is accepted too, rounded to 32 bits. */
  embedding?: Float32Array | undefined
  /** The seqs it covers. */
  covers?: ClosedRange[] | undefined
  metadata?: Record<string, unknown> | undefined
  [field: string]: unknown
}

export type SummaryInput = Omit<Summary, 'embedding'> & { embedding?: Float32Array | readonly number[] | undefined }

interface EntryBase {
  /** Its place in the session's log: 1, 2, 3 …, never reused. */
  seq: number
  /** When it was appended, by the backend's clock, in milliseconds. Not used for ordering. */
  at: number
}
export interface MessageEntry extends EntryBase {
  kind: 'message'
  message: ChatMessage
}
export interface ToolCallEntry extends EntryBase {
  kind: 'toolCall'
  toolCall: ToolCallRecord
}
export interface SummaryEntry extends EntryBase {
  kind: 'summary'
  /** True if made by `compact`: it stands in the history for the turns it covers. */
  standsIn: boolean
  summary: Summary
}
export type Entry = MessageEntry | ToolCallEntry | SummaryEntry

const metadata = z.record(z.string(), z.unknown()).optional()
const id = z.string().min(1)

export const chatMessageSchema = z.looseObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() })), z.null()], {
    error: 'expected text, a list of parts with a type, or null',
  }),
  id: z.string().optional(),
  name: z.string().optional(),
  toolCalls: z.array(z.looseObject({ id, name: z.string() })).optional(),
  toolCallId: id.optional(),
  metadata,
})

export const toolCallRecordSchema = z.looseObject({
  id,
  name: z.string().min(1),
  startedAt: z.number().optional(),
  endedAt: z.number().optional(),
  metadata,
})

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
