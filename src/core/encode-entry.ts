import type { z } from 'zod'
import type { EncodedEntry, StoredKind } from './backend.ts'
import { type CarriedBytes, carryValue, describePlace } from './carry-value.ts'
import { chatMessageSchema, summarySchema, toolCallRecordSchema } from './entries.ts'
import { InvalidEntryError } from './errors.ts'

/** The way entries are written now. Readers know every format there has been; entries with bytes were once written as plain ones. */
export const entryFormats = { plain: 1, withBytes: 2 } as const

const schemas = {
  message: chatMessageSchema,
  toolCall: toolCallRecordSchema,
  summary: summarySchema,
  compaction: summarySchema,
} satisfies Record<StoredKind, z.ZodType>

/** Checks and encodes one entry; `name` is what error messages call it. */
export function encodeEntry(kind: StoredKind, value: unknown, name: string): EncodedEntry {
  try {
    return encode(kind, value, name)
  } catch (error) {
    if (error instanceof InvalidEntryError) throw error
    throw new InvalidEntryError(name, `cannot be read (${(error as Error).message})`)
  }
}

function encode(kind: StoredKind, value: unknown, name: string): EncodedEntry {
  const checked = schemas[kind].safeParse(value)
  if (!checked.success) {
    const issue = checked.error.issues[0]
    throw new InvalidEntryError(describePlace(name, issue?.path ?? []), issue?.message ?? 'invalid')
  }
  const { data, bytes } = carryValue(value, name)
  const body = JSON.stringify(data)
  if (bytes.length === 0) return { kind, format: entryFormats.plain, body, bytes: null }
  return { kind, format: entryFormats.withBytes, body, bytes: packBytes(bytes) }
}

/** A length, the list of places as JSON, then the bytes themselves, in that order. */
function packBytes(carried: readonly CarriedBytes[]): Uint8Array {
  const places = Buffer.from(JSON.stringify(carried.map(({ place, kind, bytes }) => [place, kind, bytes.length])))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(places.length)
  return Buffer.concat([length, places, ...carried.map(({ bytes }) => bytes)])
}
