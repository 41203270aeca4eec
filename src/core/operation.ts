import { createHash, randomUUID } from 'node:crypto'
import type { Change, EncodedEntry, OperationRecord } from './backend.ts'
import type { WriteOptions } from './types.ts'

/** So many characters stay of a digest when the session is gone: enough to tell another operation, too few to tell the content. */
export const shortDigest = 8

/**
 * A commit whose outcome is not known is tried again for so many milliseconds from its first attempt on, and a backend that others write to meanwhile
 * remembers every operation for twice as long: else the retry might find it forgotten, and apply it again.
 */
export const settledWithin = 10_000
export const rememberedFor = 2 * settledWithin

/** So long the operations of a session that is gone stay known, in milliseconds. */
export const erasedOperationsKept = 24 * 60 * 60 * 1000

/** What is known of the operation that erased it. */
export function erasure(): OperationRecord {
  return { digest: 'erased', committed: { version: '', epoch: '', first: 1, count: 0, at: Date.now(), answer: null } }
}

export interface Operation {
  readonly id: string
  readonly digest: string
  /** Whether the caller named it, and so may come again with it in another call. */
  readonly given: boolean
}

/** An operation that the caller did not name is never repeated with other content, so it needs no digest. */
export function makeOperation(name: string, operationId: string | undefined, content: readonly unknown[]): Operation {
  if (operationId === undefined) return { id: randomUUID(), digest: '', given: false }
  const hash = createHash('sha256').update(JSON.stringify([name, ...content]))
  return { id: operationId, digest: hash.digest('base64url'), given: true }
}

export function isSameDigest(recorded: string, given: string): boolean {
  return recorded === given || (recorded.length === shortDigest && given.slice(0, shortDigest) === recorded)
}

export function digestable({ kind, body, bytes }: EncodedEntry): unknown {
  return [kind, body, bytes === null ? null : Buffer.from(bytes).toString('base64')]
}

export function conditionsOf({ ifVersion, ifEpoch }: WriteOptions): Pick<Change, 'ifVersion' | 'ifEpoch'> {
  return { ...(ifVersion !== undefined && { ifVersion }), ...(ifEpoch !== undefined && { ifEpoch }) }
}
