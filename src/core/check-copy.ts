import { z } from 'zod'
import type { SessionCopy, StoredEntry } from './backend.ts'
import { describePlace } from './carry-value.ts'
import { decodeEntry } from './decode-entry.ts'
import { InvalidEntryError } from './errors.ts'
import { demanded } from './inspect-session.ts'
import { lastMoment, milliseconds } from './options.ts'
import { type ClosedRange, countEntries, describeRanges, rangesWithout, unreadRanges } from './path.ts'
import { resealEntry } from './seal-entry.ts'
import { isJsonObject, isTooLong, mostAboutBytes } from './session-about.ts'
import { slice as bounds, sizeOf } from './slice.ts'

const text = z.string().refine((value) => value.isWellFormed(), 'expected well-formed text')
const filled = text.min(1)
const nonce = z.string().regex(/^[\w-]+$/, 'expected a nonce')
/** Half of the exact integers of JavaScript: leaves the other half to count on. */
const mostCounted = 2 ** 52
const whole = z.number().int().nonnegative().max(mostCounted)
const positive = z.number().int().positive().max(mostCounted)
const time = z.number().int().nonnegative().max(lastMoment)
const range = z.tuple([z.number().int().positive(), positive.nullable()])
const bytes = z
  .custom<Uint8Array>((value) => value instanceof Uint8Array, 'expected bytes')
  .transform((value) => new Uint8Array(value))

const short = z.string().refine((value) => !isTooLong(value), `expected at most ${mostAboutBytes} bytes`)

/** The shape of each part of a copied session. */
export const copySchemas = {
  id: filled,
  head: z.strictObject({
    birth: nonce,
    counter: positive,
    nonce,
    epoch: positive,
    epochNonce: nonce,
    end: whole,
    createdAt: time,
    updatedAt: time,
    ttl: milliseconds.nullable(),
    ownTtl: z.boolean(),
    expiresAt: time.nullable(),
    takenBack: positive,
    takenBackNonce: nonce,
  }),
  epoch: z.strictObject({
    number: positive,
    path: z.array(range).min(1),
    cause: z.enum(['begin', 'rollback', 'rewind', 'trim', 'clear', 'compact']).nullable(),
    at: time.nullable(),
  }),
  snapshot: z.strictObject({
    id: filled,
    label: z.string().nullable(),
    automatic: z.boolean(),
    epoch: positive,
    end: whole,
    at: time,
    number: positive,
  }),
  about: z.strictObject({
    owner: filled.nullable(),
    title: short.nullable(),
    metadata: short.refine(isJsonObject, 'expected the text of a JSON object').nullable(),
  }),
  entry: z.strictObject({
    seq: positive,
    at: time,
    kind: z.enum(['message', 'toolCall', 'summary', 'compaction', 'record']),
    format: positive,
    body: text,
    bytes: bytes.nullable(),
  }),
}

const copySchema = z.strictObject({
  id: copySchemas.id,
  head: copySchemas.head,
  about: copySchemas.about,
  epochs: z.array(copySchemas.epoch),
  snapshots: z.array(copySchemas.snapshot),
  entries: z.custom<readonly unknown[]>(Array.isArray, 'expected a list').transform((list) => [...list]),
})

/** A copy whose entries are not checked yet. */
export interface OpenCopy extends Omit<SessionCopy, 'entries'> {
  /** The entries in the current format, checked and copied on demand; throws `InvalidEntryError` after the last one at the latest. */
  readonly slices: Iterable<readonly StoredEntry[]>
}

/** Copies a copy, or throws `InvalidEntryError` if `exportSession` could not have made it. Entries are checked slice by slice, because there may be many. */
export function openCopy(given: SessionCopy): OpenCopy {
  const { entries, ...copy } = parsed(copySchema, given, [])
  requireAscending(copy.epochs, 'epochs', ({ number }) => number)
  requireAscending(copy.snapshots, 'snapshots', ({ number }) => number)
  requireConnected(copy)
  return { ...copy, slices: checkedSlices(copy, entries) }
}

/** Throws `InvalidEntryError` if `exportSession` could not have made the copy. */
export function checkCopy(given: SessionCopy): void {
  for (const _ of openCopy(given).slices);
}

function parsed<S extends z.ZodType>(schema: S, value: unknown, place: readonly PropertyKey[]): z.output<S> {
  const checked = schema.safeParse(value)
  if (checked.success) return checked.data
  const issue = checked.error.issues[0]
  throw new InvalidEntryError(describePlace('copy', [...place, ...(issue?.path ?? [])]), issue?.message ?? 'invalid')
}

function requireAscending<T>(list: readonly T[], name: string, orderOf: (one: T) => number): void {
  const wrong = list.findIndex((one, index) => index > 0 && orderOf(one) <= orderOf(list[index - 1] as T))
  if (wrong !== -1) refuse(`${name}[${wrong}]`, 'is out of order or appears twice')
}

/** Every path is valid, and the head and every snapshot have one. */
function requireConnected({ head, epochs, snapshots }: Omit<SessionCopy, 'entries'>): void {
  for (const [index, { number, path }] of epochs.entries()) {
    const place = `epochs[${index}]`
    if (number > head.epoch) refuse(place, 'is later than the session')
    const isOpen = ([, to]: (typeof path)[number]) => to === null
    if (path.findIndex(isOpen) !== path.length - 1) refuse(place, 'its last range, and no other, must be open')
    const closed = path.map(([from, to]) => [from, to ?? Math.max(from, head.end)] as const)
    const end = closed.reduce((most, [, to]) => Math.max(most, to), 0)
    const read = countEntries(closed)
    const union = end - countEntries(unreadRanges(end, closed))
    if (closed.some(([from, to]) => from > to) || read !== union || end > head.end + 1) {
      refuse(place, 'its ranges overlap, are reversed or go beyond the end')
    }
  }
  if (head.takenBack > head.epoch) refuse('head.takenBack', 'is later than the session')
  const known = new Set(epochs.map(({ number }) => number))
  if (!known.has(head.epoch)) refuse('epochs', `there is no path of epoch ${head.epoch}`)
  const ids = new Set<string>()
  for (const [index, { id, epoch, end, number }] of snapshots.entries()) {
    const place = `snapshots[${index}]`
    if (number > head.counter) refuse(place, 'is later than the session')
    if (!known.has(epoch)) refuse(place, `there is no path of epoch ${epoch}`)
    if (end > head.end) refuse(place, 'goes beyond the end')
    if (ids.has(id)) refuse(place, 'its id appears twice')
    ids.add(id)
  }
}

/** The entries are exactly those that the path and the snapshots read, and each is readable. */
function* checkedSlices(
  { id, head, epochs, snapshots }: Omit<SessionCopy, 'entries'>,
  entries: readonly unknown[],
): Generator<readonly StoredEntry[]> {
  const present: ClosedRange[] = []
  for (let index = 0; index < entries.length; ) {
    const slice: StoredEntry[] = []
    for (let bytes = 0; index < entries.length && slice.length < bounds.entries && bytes < bounds.bytes; index++) {
      const entry = checkedEntry(entries[index], index)
      const [from, last = 0] = present.at(-1) ?? []
      if (entry.seq <= last) refuse(`entries[${index}]`, 'is out of order or appears twice')
      if (from !== undefined && entry.seq === last + 1) present.splice(-1, 1, [from, entry.seq])
      else present.push([entry.seq, entry.seq])
      bytes += sizeOf(entry)
      slice.push(entry)
    }
    yield slice
  }
  const path = epochs.find(({ number }) => number === head.epoch)?.path ?? []
  const { ranges } = demanded(id, { state: { ...head, path, log: '' }, snapshots, epochs })
  const missing = rangesWithout(ranges, present)
  if (missing.length > 0) refuse('entries', `${describeRanges(missing)} are missing`)
  const unread = rangesWithout(present, ranges)
  if (unread.length > 0) refuse('entries', `${describeRanges(unread)} are not read by anything`)
}

function checkedEntry(value: unknown, index: number): StoredEntry {
  const entry = parsed(copySchemas.entry, value, ['entries', index])
  try {
    decodeEntry(entry)
  } catch (error) {
    refuse(`entries[${index}]`, (error as Error).message)
  }
  return resealEntry(entry)
}

function refuse(place: string, reason: string): never {
  throw new InvalidEntryError(`copy.${place}`, reason)
}
