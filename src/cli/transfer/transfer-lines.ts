import { z } from 'zod'
import type { SessionCopy } from '../../core/backend.ts'
import { copySchemas } from '../../core/check-copy.ts'
import { visibleJson } from '../terminal/visible-json.ts'

/**
 * The lines of an export. A session is a line that counts what follows, then its epochs, its snapshots and its entries, in this order; the
 * line after the last session counts the sessions. So nothing can go missing unnoticed.
 */
export const transferFormat = 1

const count = z.number().int().nonnegative()

/** Only canonical base64. */
const base64 = z
  .string()
  .refine((text) => Buffer.from(text, 'base64').toString('base64') === text, 'expected base64')
  .transform((text) => new Uint8Array(Buffer.from(text, 'base64')))

export const lineSchemas = {
  session: z.strictObject({
    type: z.literal('session'),
    format: z.literal(transferFormat, `expected ${transferFormat}, the only format this version supports`),
    id: copySchemas.id,
    head: copySchemas.head,
    epochs: count,
    snapshots: count,
    entries: count,
  }),
  epoch: copySchemas.epoch.extend({ type: z.literal('epoch') }),
  snapshot: copySchemas.snapshot.extend({ type: z.literal('snapshot') }),
  entry: copySchemas.entry.extend({ type: z.literal('entry'), bytes: base64.nullable() }),
  end: z.strictObject({ type: z.literal('end'), sessions: count }),
}

export type LineType = keyof typeof lineSchemas

export function* sessionLines({ id, head, epochs, snapshots, entries }: SessionCopy): Generator<string> {
  yield line({
    type: 'session',
    format: transferFormat,
    id,
    head,
    epochs: epochs.length,
    snapshots: snapshots.length,
    entries: entries.length,
  })
  for (const { number, path } of epochs)
    yield line({ type: 'epoch', number, path: path.map(([from, to]) => [from, to]) })
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

function line(value: z.input<(typeof lineSchemas)[LineType]>): string {
  return `${visibleJson(value)}\n`
}
