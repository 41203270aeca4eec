import { createHash } from 'node:crypto'
import type { OperationRecord } from '../../core/backend.ts'
import { MemoryLostError } from '../../core/errors.ts'
import { erasedOperationsKept, erasure, shortDigest } from '../../core/operation.ts'
import { operationChecksum, operationMark } from './checksums.ts'
import { sumOf, withMark, withoutMark } from './list-sum.ts'
import type { Queries } from './queries.ts'
import { type OperationRow, toOperation } from './rows.ts'

interface Erased {
  readonly operation_sum: number
  readonly until: number
  readonly checksum: number
}

export interface ErasedOperation {
  readonly id: string
  readonly digest: string
  readonly committed: string
  readonly until: number
}

/** The operations of an ended session are remembered for a while, without their content. */
export function buryOperations(connection: Queries, id: string, session: number): void {
  const until = Date.now() + erasedOperationsKept
  const operations = connection.all<OperationRow & { id: string }>(
    'SELECT id, digest, committed FROM operations WHERE session = ?',
    session,
  )
  put(
    connection,
    hashOf(id),
    operations.map((one) => ({ ...one, digest: one.digest.slice(0, shortDigest), until })),
  )
  connection.run('DELETE FROM operations WHERE session = ?', session)
}

/** Erasing a session is an operation too. */
export function rememberErasure(connection: Queries, id: string, operationId: string): void {
  const { digest, committed } = erasure()
  const until = Date.now() + erasedOperationsKept
  put(connection, hashOf(id), [{ id: operationId, digest, committed: JSON.stringify(committed), until }])
}

/** An operation of an earlier session with the same id, in case it is retried. `mustBeAll`: none of them may be missing. */
export function erasedOperation(
  connection: Queries,
  id: string,
  operationId: string,
  mustBeAll: boolean,
): OperationRecord | null {
  if (isKnownEmpty(connection)) return null
  const key = hashOf(id)
  const row = connection.get<ErasedOperation & { checksum: number | null }>(
    'SELECT id, digest, committed, until, checksum FROM erased_operations WHERE session_hash = ? AND id = ?',
    key,
    operationId,
  )
  if (row === undefined) {
    if (mustBeAll) requireAll(connection, id, key, operationId)
    return null
  }
  if (row.checksum !== checksumOf(key, { ...row, id: operationId }))
    throw new MemoryLostError(id, [], 'an operation is damaged')
  return toOperation(id, row, true)
}

/** Forgets a limited number of expired ones. Returns whether none is left. */
export function forgetErased(connection: Queries, limit: number): boolean {
  const now = Date.now()
  const over = connection.all<{ key: Buffer; id: string }>(
    'SELECT session_hash AS key, id FROM erased_operations WHERE until <= ? LIMIT ?',
    now,
    limit,
  )
  const forgotten = new Map<string, number[]>()
  for (const { key, id } of over) {
    connection.run('DELETE FROM erased_operations WHERE session_hash = ? AND id = ?', key, id)
    const name = key.toString('hex')
    forgotten.set(name, [...(forgotten.get(name) ?? []), operationMark(id)])
  }
  for (const [name, marks] of forgotten) {
    const key = Buffer.from(name, 'hex')
    const { operation_sum = 0, until = 0 } = find(connection, key) ?? {}
    if (until <= now) connection.run('DELETE FROM erased_sessions WHERE session_hash = ?', key)
    else save(connection, key, marks.reduce(withoutMark, operation_sum), until)
  }
  return over.length < limit
}

/** Adds operations to those that are known of earlier sessions of an id, which `key` is the hash of. */
export function put(connection: Queries, key: Buffer, operations: readonly ErasedOperation[]): void {
  if (operations.length === 0) return
  foundEmpty.delete(connection)
  const before = find(connection, key)
  let sum = before?.operation_sum ?? 0
  let last = before?.until ?? 0
  for (const operation of operations) {
    const { id: operationId, digest, committed, until } = operation
    const isNew =
      connection.run('DELETE FROM erased_operations WHERE session_hash = ? AND id = ?', key, operationId) === 0
    if (isNew) sum = withMark(sum, operationMark(operationId))
    last = Math.max(last, until)
    connection.run(
      'INSERT INTO erased_operations VALUES (?, ?, ?, ?, ?, ?)',
      key,
      operationId,
      digest,
      committed,
      until,
      checksumOf(key, operation),
    )
  }
  save(connection, key, sum, last)
}

function requireAll(connection: Queries, id: string, key: Buffer, missed: string): void {
  const rows = connection.all<{ id: string; stored: unknown }>(
    'SELECT id, session_hash AS stored FROM erased_operations WHERE session_hash = ?',
    key,
  )
  const ids = rows.filter(({ stored }) => Buffer.isBuffer(stored) && key.equals(stored)).map((row) => row.id)
  const erased = find(connection, key)
  const sum = sumOf(ids.map(operationMark))
  const isSound =
    erased === undefined
      ? ids.length === 0
      : erased.operation_sum === sum && erased.checksum === sumChecksum(key, erased)
  if (!isSound || ids.some((one) => typeof one !== 'string' || one === missed))
    throw new MemoryLostError(id, [], 'the list of its earlier operations is damaged')
}

function find(connection: Queries, key: Buffer): Erased | undefined {
  return connection.get('SELECT operation_sum, until, checksum FROM erased_sessions WHERE session_hash = ?', key)
}

function save(connection: Queries, key: Buffer, operation_sum: number, until: number): void {
  const checksum = sumChecksum(key, { operation_sum, until })
  connection.run('INSERT OR REPLACE INTO erased_sessions VALUES (?, ?, ?, ?)', key, operation_sum, until, checksum)
}

/** Where nothing is, and up to which changes of others that holds: nearly every append would look for it. */
const foundEmpty = new WeakMap<Queries, string>()

function isKnownEmpty(connection: Queries): boolean {
  const { foreignChanges } = connection
  if (foreignChanges !== null && foundEmpty.get(connection) === foreignChanges) return true
  const isEmpty =
    connection.get('SELECT 1 FROM erased_operations LIMIT 1') === undefined &&
    connection.get('SELECT 1 FROM erased_sessions LIMIT 1') === undefined
  if (isEmpty && foreignChanges !== null) foundEmpty.set(connection, foreignChanges)
  return isEmpty
}

function checksumOf(key: Buffer, { id, digest, committed, until }: ErasedOperation): number {
  return operationChecksum(key.toString('hex'), id, until, digest, committed)
}

function sumChecksum(key: Buffer, { operation_sum, until }: Omit<Erased, 'checksum'>): number {
  return operationMark(`${key.toString('hex')} ${operation_sum} ${until}`)
}

export function hashOf(id: string): Buffer {
  return createHash('sha256').update(id).digest().subarray(0, 16)
}
