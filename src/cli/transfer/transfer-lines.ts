import { z } from 'zod'
import type { SessionCopy } from '../../core/backend.ts'
import { copySchemas } from '../../core/check-copy.ts'
import { visibleJson } from '../terminal/visible-json.ts'

/**
 * The lines of an export. A session is a line that counts what follows, then its epochs, its snapshots and its entries, in this order; the
 * line after the last session counts the sessions. So nothing can go missing unnoticed.
 */
export const transferFormat = 2

/** The format of 0.1, which knew no owners, and of an epoch only the path. */
const firstFormat = 1

const count = z.number().int().nonnegative()

/** Only canonical base64. */
const base64 = z
  .string()
  .refine((text) => Buffer.from(text, 'base64').toString('base64') === text, 'expected base64')
  .transform((text) => new Uint8Array(Buffer.from(text, 'base64')))

const format = z.union(
  [z.literal(firstFormat), z.literal(transferFormat)],
  `expected ${firstFormat} or ${transferFormat}, the formats that this version reads`,
)

const session = z.strictObject({
  type: z.literal('session'),
  format,
  id: copySchemas.id,
  head: copySchemas.head,
  about: copySchemas.about,
  epochs: count,
  snapshots: count,
  entries: count,
})

const epoch = copySchemas.epoch.extend({ type: z.literal('epoch') })

export const lineSchemas = {
  session: z.preprocess(sessionOfFirst, session),
  epoch: z.preprocess((line) => ({ cause: null, at: null, ...Object(line) }), epoch),
  snapshot: copySchemas.snapshot.extend({ type: z.literal('snapshot') }),
  entry: copySchemas.entry.extend({ type: z.literal('entry'), bytes: base64.nullable() }),
  end: z.strictObject({ type: z.literal('end'), sessions: count }),
}

export type LineType = keyof typeof lineSchemas

/** Fills in what 0.1 did not write. There every change of the path counted as taking something back. */
function sessionOfFirst(line: unknown): unknown {
  const { format: given, head, ...rest } = Object(line) as { format?: unknown; head?: unknown }
  if (given !== firstFormat) return line
  const { epoch: takenBack, epochNonce: takenBackNonce } = Object(head) as { epoch?: unknown; epochNonce?: unknown }
  const about = { owner: null, title: null, metadata: null }
  return { ...rest, format: given, about, head: { ...Object(head), takenBack, takenBackNonce } }
}

export function* sessionLines({ id, head, about, epochs, snapshots, entries }: SessionCopy): Generator<string> {
  yield line({
    type: 'session',
    format: transferFormat,
    id,
    head,
    about,
    epochs: epochs.length,
    snapshots: snapshots.length,
    entries: entries.length,
  })
  for (const { number, path, cause, at } of epochs)
    yield line({ type: 'epoch', number, path: path.map(([from, to]) => [from, to]), cause, at })
  for (const { id: snapshot, label, automatic, epoch, end, at, number } of snapshots) {
    yield line({ type: 'snapshot', id: snapshot, label, automatic, epoch, end, at, number })
  }
  for (const { seq, at, kind, format, body, bytes } of entries) {
    const packed = bytes && Buffer.from(bytes).toString('base64')
    yield line({ type: 'entry', seq, at, kind, format, body, bytes: packed })
  }
}

export function endLine(sessions: number): string {
  return line({ type: 'end', sessions })
}

function line(value: object): string {
  return `${visibleJson(value)}\n`
}
