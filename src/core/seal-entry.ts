import { crc32 } from 'node:zlib'
import type { EncodedEntry, StoredKind } from './backend.ts'

/**
 * The formats that entries are written in. The body is `[<json>,"<checksum>"]`: a CRC-32 of the kind, the format, the JSON text and the
 * bytes, as eight hexadecimal digits.
 */
export const entryFormats = { plain: 3, withBytes: 4 } as const

/** Written by 0.1. The body is the JSON alone; entries with bytes were once written as plain ones. */
export const uncheckedFormats = { plain: 1, withBytes: 2 } as const

const tailLength = ',"01234567"]'.length

export function sealEntry(kind: StoredKind, json: string, bytes: Uint8Array | null): EncodedEntry {
  const format = bytes === null ? entryFormats.plain : entryFormats.withBytes
  return { kind, format, body: `[${json}${tailOf(checksumOf(kind, format, json, bytes))}`, bytes }
}

/** The JSON of an entry. Throws a plain `Error` if the entry changed since it was sealed. */
export function openEntry(entry: EncodedEntry): string {
  const { kind, format, body, bytes } = entry
  if (typeof body !== 'string') throw new Error('its body is not text')
  if (bytes !== null && !(bytes instanceof Uint8Array)) throw new Error('its bytes are damaged')
  const json = jsonOf(entry)
  if (!isChecked(entry)) return json
  if (readChecksum(body) !== checksumOf(kind, format, json, bytes)) throw new Error('its checksum does not match')
  return json
}

/** The JSON of an entry that is known to be intact. */
export function jsonOf(entry: EncodedEntry): string {
  return isChecked(entry) ? entry.body.slice(1, -tailLength) : entry.body
}

/** True for nearly every entry: the body alone says everything. */
export function isPlainMessage({ kind, format, bytes }: EncodedEntry): boolean {
  return kind === 'message' && format === entryFormats.plain && bytes === null
}

/** The same entry in the current format. It must be known to be intact. */
export function resealEntry<E extends EncodedEntry>(entry: E): E {
  return isChecked(entry) ? entry : { ...entry, ...sealEntry(entry.kind, entry.body, entry.bytes) }
}

/** The body with `mark` mixed into its checksum, for a backend that binds entries to their location. Applying the mark again undoes it. */
export function markBody(entry: EncodedEntry, mark: number): string {
  const { body } = entry
  if (!isChecked(entry) || typeof body !== 'string') return body
  return body.slice(0, -tailLength) + tailOf(readChecksum(body) ^ mark)
}

function isChecked({ format }: EncodedEntry): boolean {
  return format === entryFormats.plain || format === entryFormats.withBytes
}

function checksumOf(kind: string, format: number, json: string, bytes: Uint8Array | null): number {
  const ofJson = crc32(json, seeds.get(format)?.get(kind) ?? seedOf(kind, format))
  return (bytes === null ? ofJson : crc32(bytes, ofJson)) | 0
}

/** As a signed 32-bit number; `NaN` if the body does not start and end like a sealed one. Digit by digit, because every entry read passes here. */
function readChecksum(body: string): number {
  const end = body.length
  if (end < tailLength + 1 || !isSealed(body, end)) return Number.NaN
  let checksum = 0
  for (let place = end - 10; place < end - 2; place++) {
    const digit = digits[body.charCodeAt(place)]
    if (digit === undefined) return Number.NaN
    checksum = (checksum << 4) | digit
  }
  return checksum
}

function isSealed(body: string, end: number): boolean {
  const { open, comma, quote, close } = marks
  const isBegun = body.charCodeAt(0) === open && body.charCodeAt(end - tailLength) === comma
  const isQuoted = body.charCodeAt(end - tailLength + 1) === quote && body.charCodeAt(end - 2) === quote
  return isBegun && isQuoted && body.charCodeAt(end - 1) === close
}

function tailOf(checksum: number): string {
  const [first, second, third, fourth] = [checksum >>> 24, checksum >>> 16, checksum >>> 8, checksum]
  return `,"${pairs[first]}${pairs[second & 255]}${pairs[third & 255]}${pairs[fourth & 255]}"]`
}

const marks = { open: 0x5b, comma: 0x2c, quote: 0x22, close: 0x5d }
/** The value of a hexadecimal digit, by its character code. */
const digits: (number | undefined)[] = Array.from({ length: 128 }, (_, code) => {
  const value = '0123456789abcdef'.indexOf(String.fromCharCode(code))
  return value === -1 ? undefined : value
})
const pairs = Array.from({ length: 256 }, (_, value) => value.toString(16).padStart(2, '0'))

const kinds = { message: 0, toolCall: 0, summary: 0, compaction: 0, record: 0 } satisfies Record<StoredKind, 0>

function seedOf(kind: string, format: number): number {
  return crc32(`${format} ${kind} `)
}

/** Checksum prefixes by format and kind, computed once. */
const seeds = new Map(
  Object.values(entryFormats).map((format) => [
    format as number,
    new Map(Object.keys(kinds).map((kind) => [kind, seedOf(kind, format)])),
  ]),
)
