import type { StoredEntry } from './backend.ts'
import { type BytesKind, setOwn } from './carry-value.ts'
import type { ChatMessage, Entry, MemoryRecord, Summary, ToolCallRecord } from './entries.ts'
import { entryFormats, openEntry, uncheckedFormats } from './seal-entry.ts'

const formats = new Set<unknown>([...Object.values(entryFormats), ...Object.values(uncheckedFormats)])

/** Throws a plain `Error` that says what is wrong; the caller knows whose entry it is. */
export function decodeEntry(stored: StoredEntry): Entry {
  const { seq, at, kind, format } = stored
  if (typeof seq !== 'number' || typeof at !== 'number') throw new Error('its seq or time is not a number')
  if (!formats.has(format)) {
    throw new Error(`its format ${String(format)} is unknown to this version`)
  }
  const value = decodeValue(stored)
  switch (kind) {
    case 'message':
      return { kind, seq, at, message: value as ChatMessage }
    case 'toolCall':
      requireFields(value, ['id', 'name'])
      return { kind, seq, at, toolCall: value as ToolCallRecord }
    case 'record':
      requireFields(value, ['type'])
      return { kind, seq, at, record: value as MemoryRecord }
    case 'summary':
    case 'compaction':
      requireFields(value, ['text'])
      return { kind: 'summary', seq, at, standsIn: kind === 'compaction', summary: value as Summary }
    default:
      throw new Error(`its kind ${JSON.stringify(kind)} is unknown to this version`)
  }
}

function decodeValue(entry: StoredEntry): object {
  const { bytes, format } = entry
  const json = openEntry(entry)
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (cause) {
    throw new Error('its body is not JSON', { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('its body is not an object')
  if (bytes !== null) unpackBytes(value, bytes)
  else if (format === entryFormats.withBytes || format === uncheckedFormats.withBytes)
    throw new Error('its bytes are missing')
  return value
}

function requireFields(value: object, fields: readonly string[]): void {
  for (const field of fields) if (!Object.hasOwn(value, field)) throw new Error(`it has no ${field}`)
}

function unpackBytes(value: object, packed: Uint8Array): void {
  if (!(packed instanceof Uint8Array) || packed.length < 4) throw new Error('its bytes are damaged')
  const buffer = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
  let start = 4 + buffer.readUInt32LE(0)
  const places = JSON.parse(buffer.toString('utf8', 4, start)) as [(string | number)[], BytesKind, number][]
  for (const [place, kind, length] of places) {
    if (start + length > buffer.length) throw new Error('its bytes are cut short')
    const bytes = new Uint8Array(buffer.subarray(start, start + length))
    putAt(value, place, restored(kind, bytes))
    start += length
  }
  if (start !== buffer.length) throw new Error('its bytes are damaged')
}

function restored(kind: BytesKind, bytes: Uint8Array<ArrayBuffer>): object {
  switch (kind) {
    case 'u8':
      return bytes
    case 'f32':
      return new Float32Array(bytes.buffer, 0, bytes.length / 4)
    case 'buffer':
      return bytes.buffer
    case 'url':
      return new URL(new TextDecoder().decode(bytes))
    default:
      throw new Error(`its bytes have the kind ${JSON.stringify(kind)}, which is unknown to this version`)
  }
}

function putAt(root: object, place: readonly (string | number)[], value: object): void {
  const key = place.at(-1)
  let target: unknown = root
  for (const step of place.slice(0, -1)) target = isObject(target) ? Reflect.get(target, step) : undefined
  if (key === undefined || !isObject(target) || Reflect.get(target, key) !== null)
    throw new Error('its bytes have no place')
  setOwn(target, key, value)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
