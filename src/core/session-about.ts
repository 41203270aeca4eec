import { noAbout } from './advance.ts'
import type { Change, SessionAbout } from './backend.ts'
import { carryValue, describePlace } from './carry-value.ts'
import { InvalidEntryError, MemoryLostError } from './errors.ts'
import type { SessionDetails, SessionInfo } from './types.ts'

/** The most bytes of a title, and of the JSON of metadata, as UTF-8: lists return them with every session. */
export const mostAboutBytes = 16 * 1024

/** The parts that are given, encoded. Throws `InvalidEntryError` if one cannot be stored. */
export function encodeAbout({ owner, title, metadata }: SessionDetails): Partial<SessionAbout> {
  if (typeof title === 'string') requireShort('options.title', title)
  return {
    ...(owner !== undefined && { owner }),
    ...(title !== undefined && { title }),
    ...(metadata !== undefined && { metadata: metadata === null ? null : encodeMetadata(metadata) }),
  }
}

/** What a change says about the session if it creates it. */
export function beginOf(options: SessionDetails): Pick<Change, 'begin'> {
  const { owner, title, metadata } = options
  if (owner === undefined && title === undefined && metadata === undefined) return {}
  const begin = { ...noAbout, ...encodeAbout(options) }
  return Object.values(begin).every((part) => part === null) ? {} : { begin }
}

/** Throws `MemoryLostError` if the metadata cannot be read. */
export function decodeAbout(
  session: string,
  about: SessionAbout | null,
): Pick<SessionInfo, 'owner' | 'title' | 'metadata'> {
  const { owner, title, metadata } = about ?? noAbout
  return { owner, title, metadata: metadata === null ? null : decodeMetadata(session, metadata) }
}

export function isTooLong(text: string): boolean {
  return Buffer.byteLength(text) > mostAboutBytes
}

export function isJsonObject(json: string): boolean {
  try {
    return isObject(JSON.parse(json))
  } catch {
    return false
  }
}

function encodeMetadata(metadata: unknown): string {
  const place = 'options.metadata'
  const { data, bytes } = carryValue(metadata, place)
  const [first] = bytes
  if (first !== undefined)
    throw new InvalidEntryError(describePlace(place, first.place), 'bytes and URLs cannot be stored here')
  if (!isObject(data)) throw new InvalidEntryError(place, 'expected an object')
  const json = JSON.stringify(data)
  requireShort(place, json)
  return json
}

function decodeMetadata(session: string, json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json)
    if (isObject(value)) return value
  } catch {}
  throw new MemoryLostError(session, [], 'its metadata cannot be read')
}

function requireShort(place: string, text: string): void {
  if (!isTooLong(text)) return
  const size = Buffer.byteLength(text).toLocaleString('en')
  throw new InvalidEntryError(place, `has ${size} bytes; at most ${mostAboutBytes.toLocaleString('en')} can be stored`)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
