import { createHash, type Hash, randomUUID } from 'node:crypto'
import type { Change, Committed, EncodedEntry, OperationRecord } from './backend.ts'
import { OperationConflictError } from './errors.ts'
import { jsonOf } from './seal-entry.ts'
import type { WriteOptions } from './types.ts'

/** The length that a digest is cut to when its session is gone: enough to tell operations apart, too short to tell the content. */
export const shortDigest = 8

/**
 * For this many milliseconds from its first attempt on, a commit whose outcome is unknown is tried again, and a backend that others write to meanwhile
 * remembers every operation for twice as long: else the retry might find it forgotten, and apply it again.
 */
export const settledWithin = 10_000
export const rememberedFor = 2 * settledWithin

/** The least number of operations that a session remembers, the last ones. */
export const operationsKept = 256

/** How long the operations of a session that is gone stay known, in milliseconds. */
export const erasedOperationsKept = 24 * 60 * 60 * 1000

/** How long after its last slice a copy that is not published is given up, in milliseconds. */
export const stagedFor = 60 * 60 * 1000

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

export function makeOperation(name: string, operationId: string | undefined, content: readonly unknown[]): Operation {
  const maker = new OperationMaker(name, operationId)
  for (const part of content) maker.add(part)
  return maker.operation
}

/** For content that comes part by part. An operation that the caller did not name is never repeated with other content, so it needs no digest. */
export class OperationMaker {
  readonly id: string
  readonly given: boolean
  readonly #hash: Hash | null

  constructor(name: string, operationId: string | undefined) {
    this.id = operationId ?? randomUUID()
    this.given = operationId !== undefined
    this.#hash = this.given ? createHash('sha256').update(`[${JSON.stringify(name)}`) : null
  }

  add(part: unknown): void {
    this.#hash?.update(`,${JSON.stringify([part]).slice(1, -1)}`)
  }

  /** Of all that was added. */
  get operation(): Operation {
    const digest = this.#hash?.copy().update(']').digest('base64url') ?? ''
    return { id: this.id, digest, given: this.given }
  }
}

/** What a recorded operation did, if it is the one given. */
export function firstResult(session: string, operation: Operation, { digest, committed }: OperationRecord): Committed {
  if (!isSameDigest(digest, operation.digest)) throw new OperationConflictError(session, operation.id)
  return committed
}

export function isSameDigest(recorded: string, given: string): boolean {
  return recorded === given || (recorded.length === shortDigest && given.slice(0, shortDigest) === recorded)
}

/** The same for the same content, whatever format it is written in: a retry may come from a newer version than the first attempt. */
export function digestable(entry: EncodedEntry): unknown {
  const { kind, bytes } = entry
  return [kind, jsonOf(entry), bytes === null ? null : Buffer.from(bytes).toString('base64')]
}

export function conditionsOf({ ifVersion, ifEpoch }: WriteOptions): Pick<Change, 'ifVersion' | 'ifEpoch'> {
  return { ...(ifVersion !== undefined && { ifVersion }), ...(ifEpoch !== undefined && { ifEpoch }) }
}
