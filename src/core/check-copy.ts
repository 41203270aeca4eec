import { z } from 'zod'
import type { SessionCopy } from './backend.ts'
import { describePlace } from './carry-value.ts'
import { decodeEntry } from './decode-entry.ts'
import { InvalidEntryError } from './errors.ts'
import { demanded } from './inspect-session.ts'
import { countEntries, describeRanges, rangesOf, rangesWithout, unreadRanges } from './path.ts'

const text = z.string().refine((value) => value.isWellFormed(), 'expected well-formed text')
const filled = text.min(1)
const nonce = z.string().regex(/^[\w-]+$/, 'expected a nonce')
const whole = z.number().int().nonnegative()
const positive = z.number().int().positive()
const range = z.tuple([positive, positive.nullable()])
const bytes = z
  .custom<Uint8Array>((value) => value instanceof Uint8Array, 'expected bytes')
  .transform((value) => new Uint8Array(value))

/** What each part of a copied session must look like by itself. */
export const copySchemas = {
  id: filled,
  head: z.strictObject({
    birth: nonce,
    counter: positive,
    nonce,
    epoch: positive,
    epochNonce: nonce,
    end: whole,
    createdAt: z.number().int(),
    updatedAt: z.number().int(),
    ttl: z.number().positive().nullable(),
    ownTtl: z.boolean(),
    expiresAt: z.number().int().nullable(),
  }),
  epoch: z.strictObject({ number: positive, path: z.array(range).min(1) }),
  snapshot: z.strictObject({
    id: filled,
    label: z.string().nullable(),
    automatic: z.boolean(),
    epoch: positive,
    end: whole,
    at: z.number().int(),
    number: positive,
  }),
  entry: z.strictObject({
    seq: positive,
    at: z.number().int(),
    kind: z.enum(['message', 'toolCall', 'summary', 'compaction']),
    format: positive,
    body: text,
    bytes: bytes.nullable(),
  }),
}

const copySchema = z.strictObject({
  id: copySchemas.id,
  head: copySchemas.head,
  epochs: z.array(copySchemas.epoch),
  snapshots: z.array(copySchemas.snapshot),
  entries: z.array(copySchemas.entry),
})

/** Copies a copy, or throws `InvalidEntryError` if it is none that `exportSession` could have made. */
export function checkCopy(given: SessionCopy): SessionCopy {
  const checked = copySchema.safeParse(given)
  if (!checked.success) {
    const issue = checked.error.issues[0]
    throw new InvalidEntryError(describePlace('copy', issue?.path ?? []), issue?.message ?? 'invalid')
  }
  const copy = checked.data
  requireAscending(copy.epochs, 'epochs', ({ number }) => number)
  requireAscending(copy.snapshots, 'snapshots', ({ number }) => number)
  requireAscending(copy.entries, 'entries', ({ seq }) => seq)
  requireConnected(copy)
  requireEntries(copy)
  return copy
}

function requireAscending<T>(list: readonly T[], name: string, orderOf: (one: T) => number): void {
  const wrong = list.findIndex((one, index) => index > 0 && orderOf(one) <= orderOf(list[index - 1] as T))
  if (wrong !== -1) refuse(`${name}[${wrong}]`, 'is out of order or comes twice')
}

/** Every path is one, and every snapshot and the head find theirs. */
function requireConnected({ head, epochs, snapshots }: SessionCopy): void {
  for (const [index, { number, path }] of epochs.entries()) {
    const place = `epochs[${index}]`
    if (number > head.epoch) refuse(place, 'is later than the session')
    const isOpen = ([, to]: (typeof path)[number]) => to === null
    if (path.findIndex(isOpen) !== path.length - 1) refuse(place, 'only its last range is open, and that one is')
    const closed = path.map(([from, to]) => [from, to ?? Math.max(from, head.end)] as const)
    const end = closed.reduce((most, [, to]) => Math.max(most, to), 0)
    const read = countEntries(closed)
    const union = end - countEntries(unreadRanges(end, closed))
    if (closed.some(([from, to]) => from > to) || read !== union || end > head.end + 1) {
      refuse(place, 'its ranges overlap, are turned round or go beyond the end')
    }
  }
  const known = new Set(epochs.map(({ number }) => number))
  if (!known.has(head.epoch)) refuse('epochs', `there is no path of epoch ${head.epoch}`)
  const ids = new Set<string>()
  for (const [index, { id, epoch, end }] of snapshots.entries()) {
    const place = `snapshots[${index}]`
    if (!known.has(epoch)) refuse(place, `there is no path of epoch ${epoch}`)
    if (end > head.end) refuse(place, 'goes beyond the end')
    if (ids.has(id)) refuse(place, 'its id comes twice')
    ids.add(id)
  }
}

/** The entries are those that the path and the snapshots read, and each can be read. */
function requireEntries({ id, head, epochs, snapshots, entries }: SessionCopy): void {
  const paths = new Map(epochs.map(({ number, path }) => [number, path]))
  const state = { ...head, path: paths.get(head.epoch) ?? [] }
  const { ranges } = demanded(id, { state, snapshots, paths })
  const present = rangesOf(entries.map(({ seq }) => seq))
  const missing = rangesWithout(ranges, present)
  if (missing.length > 0) refuse('entries', `${describeRanges(missing)} are missing`)
  const unread = rangesWithout(present, ranges)
  if (unread.length > 0) refuse('entries', `${describeRanges(unread)} are read by nothing`)
  for (const [index, entry] of entries.entries()) {
    try {
      decodeEntry(entry)
    } catch (error) {
      refuse(`entries[${index}]`, (error as Error).message)
    }
  }
}

function refuse(place: string, reason: string): never {
  throw new InvalidEntryError(`copy.${place}`, reason)
}
