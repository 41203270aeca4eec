import { createHash, type Hash } from 'node:crypto'
import type { Change, Committed, EncodedEntry, OperationRecord } from './backend.ts'
import { OperationConflictError } from './errors.ts'
import { makeOperationId } from './make-nonce.ts'
import { jsonOf } from './seal-entry.ts'
import type { WriteOptions } from './types.ts'

/** Characters of a digest that are kept after the session is gone: enough to recognize another operation, too few to reveal the content. */
export const shortDigest = 8

/**
 * How long a commit with an unknown outcome is retried, in milliseconds from its first attempt. A backend that others write to meanwhile
 * remembers every operation for twice as long; otherwise the retry might find it forgotten, and apply it again.
 */
export const settledWithin = 10_000
export const rememberedFor = 2 * settledWithin

/** The least number of named operations that a session remembers, the last ones. */
export const operationsKept = 256

/** How long expired memory is kept before it is erased automatically, in milliseconds: a margin for wrong clocks. */
export const expiredKept = 24 * 60 * 60 * 1000

/** How long the operations of an ended session are remembered, in milliseconds. */
export const erasedOperationsKept = 24 * 60 * 60 * 1000

/** A copy that is not published this long after its last slice was staged is discarded, in milliseconds. */
export const stagedFor = 60 * 60 * 1000

/** What is remembered with an import: its entries have the seqs of the copy. */
export const importAnswer = 'import'

const erasedDigest = 'erased'

/** Whether a caller named it, and it was not a deletion. */
export function isNamed({ digest }: OperationRecord): boolean {
  return digest !== '' && digest !== erasedDigest
}

/** What is remembered about the operation that erased it. */
export function erasure(): OperationRecord {
  return {
    digest: erasedDigest,
    committed: { version: '', epoch: '', first: 1, count: 0, at: Date.now(), answer: null },
    ended: true,
  }
}

export interface Operation {
  readonly id: string
  readonly digest: string
  /** Whether the caller named it, and so may repeat it in another call. */
  readonly given: boolean
}

export function makeOperation(name: string, operationId: string | undefined, content: readonly unknown[]): Operation {
  if (operationId === undefined) return { id: makeOperationId(), digest: '', given: false }
  const maker = new OperationMaker(name, operationId)
  for (const part of content) maker.add(part)
  return maker.operation
}

/** For content that arrives in parts. An operation that the caller did not name is never repeated with other content, so it needs no digest. */
export class OperationMaker {
  readonly id: string
  readonly given: boolean
  readonly #hash: Hash | null

  constructor(name: string, operationId: string | undefined) {
    this.id = operationId ?? makeOperationId()
    this.given = operationId !== undefined
    this.#hash = this.given ? createHash('sha256').update(`[${JSON.stringify(name)}`) : null
  }

  add(part: unknown): void {
    this.#hash?.update(`,${JSON.stringify([part]).slice(1, -1)}`)
  }

  /** The digest of everything added. */
  get operation(): Operation {
    const digest = this.#hash?.copy().update(']').digest('base64url') ?? ''
    return { id: this.id, digest, given: this.given }
  }
}

/** The result of a recorded operation, if it is the given one. */
export function firstResult(session: string, operation: Operation, { digest, committed }: OperationRecord): Committed {
  if (!isSameDigest(digest, operation.digest)) throw new OperationConflictError(session, operation.id)
  return committed
}

export function isSameDigest(recorded: string, given: string): boolean {
  return recorded === given || (recorded.length === shortDigest && given.slice(0, shortDigest) === recorded)
}

/** Independent of the storage format: a retry may come from a newer version than the first attempt. */
export function digestable(entry: EncodedEntry): unknown {
  const { kind, bytes } = entry
  return [kind, jsonOf(entry), bytes === null ? null : Buffer.from(bytes).toString('base64')]
}

export function conditionsOf({ ifVersion, ifEpoch }: WriteOptions): Pick<Change, 'ifVersion' | 'ifEpoch'> {
  return { ...(ifVersion !== undefined && { ifVersion }), ...(ifEpoch !== undefined && { ifEpoch }) }
}
