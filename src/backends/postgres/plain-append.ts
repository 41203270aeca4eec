import type { Change } from '../../core/backend.ts'
import { makeNonce } from '../../core/make-nonce.ts'
import { isPlainMessage } from '../../core/seal-entry.ts'
import { keyOf, shortKeyOf } from './hash.ts'

/** Messages without bytes to add to a session, and nothing else. */
export interface Append {
  readonly session: string
  readonly key: Buffer
  readonly operation: Buffer
  readonly digest: string
  readonly nonce: string
  readonly ttl: number | null
  readonly bodies: readonly string[]
}

/** The change as an append that may share a statement with others, if it is messages without bytes and nothing else. */
export function plainAppend(session: string, change: Change): Append | null {
  const { operation, append, ttl } = change
  if (append === undefined || append.length === 0 || !append.every(isPlainMessage)) return null
  const known = ttl === undefined ? 2 : 3
  if (Object.keys(change).length > known || operation.answer !== undefined) return null
  return {
    session,
    key: keyOf(session),
    operation: shortKeyOf(operation.id),
    digest: operation.digest,
    nonce: makeNonce(),
    ttl: ttl ?? null,
    bodies: append.map(({ body }) => body),
  }
}
