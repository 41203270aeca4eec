import type { z } from 'zod'
import type { EncodedEntry, StoredKind } from './backend.ts'
import { type CarriedBytes, type CarriedValue, carryValue, describePlace, takeBytesOut } from './carry-value.ts'
import { messageSchema, recordSchema, summarySchema, toolCallRecordSchema } from './entries.ts'
import { InvalidEntryError } from './errors.ts'
import { sealEntry } from './seal-entry.ts'

const schemas = {
  message: messageSchema,
  toolCall: toolCallRecordSchema,
  summary: summarySchema,
  compaction: summarySchema,
  record: recordSchema,
} satisfies Record<StoredKind, z.ZodType>

/** Checks and encodes one entry; `name` is used in error messages. */
export function encodeEntry(kind: StoredKind, value: unknown, name: string): EncodedEntry {
  try {
    return encode(kind, value, name)
  } catch (error) {
    if (error instanceof InvalidEntryError) throw error
    throw new InvalidEntryError(name, `cannot be read (${(error as Error).message})`)
  }
}

function encode(kind: StoredKind, value: unknown, name: string): EncodedEntry {
  const carried = carryValue(value, name)
  if (kind === 'summary' || kind === 'compaction') roundEmbedding(carried)
  if (kind !== 'message' || !isMessage(carried.data)) requireFit(schemas[kind], carried.data, name)
  takeBytesOut(carried)
  const { data, bytes } = carried
  return sealEntry(kind, JSON.stringify(data), bytes.length === 0 ? null : packBytes(bytes))
}

function requireFit(schema: z.ZodType, data: unknown, name: string): void {
  const checked = schema.safeParse(data)
  if (checked.success) return
  const issue = checked.error.issues[0]
  throw new InvalidEntryError(describePlace(name, issue?.path ?? []), issue?.message ?? 'invalid')
}

/** Messages that need no check by the schema, which would copy the whole message. */
function isMessage(data: unknown): boolean {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return false
  const { role } = data as { role?: unknown }
  return role === undefined || typeof role === 'string'
}

/** An embedding may be given as an array of numbers. */
function roundEmbedding({ data, bytes }: CarriedValue): void {
  const summary = Object(data) as { embedding?: unknown }
  if (!Object.hasOwn(summary, 'embedding') || !Array.isArray(summary.embedding)) return
  if (!summary.embedding.every((number) => typeof number === 'number')) return
  const embedding = Float32Array.from(summary.embedding)
  summary.embedding = embedding
  bytes.push({ place: ['embedding'], kind: 'f32', bytes: new Uint8Array(embedding.buffer) })
}

/** A length, the list of places as JSON, then the bytes themselves, in that order. */
function packBytes(carried: readonly CarriedBytes[]): Uint8Array {
  const places = Buffer.from(JSON.stringify(carried.map(({ place, kind, bytes }) => [place, kind, bytes.length])))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(places.length)
  return Buffer.concat([length, places, ...carried.map(({ bytes }) => bytes)])
}
