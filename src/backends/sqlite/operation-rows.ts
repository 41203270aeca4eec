import type { Change, Committed, OperationRecord } from '../../core/backend.ts'
import { MemoryLostError } from '../../core/errors.ts'
import { operationsKept } from '../../core/operation.ts'
import { operationChecksum, operationMark } from './checksums.ts'
import { countOf, sumOf, withMark, withoutMark } from './list-sum.ts'
import type { ListSums } from './list-sums.ts'
import type { Queries } from './queries.ts'
import { type OperationRow, type SessionRow, toOperation } from './rows.ts'

/** How many excess operations are pruned at once. */
const pruneAfter = 64

export function insertOperation(
  connection: Queries,
  session: number,
  number: number,
  { id, digest }: Change['operation'],
  committed: Committed,
  sums: ListSums,
): void {
  const text = JSON.stringify(committed)
  const checksum = operationChecksum(session, id, number, digest, text)
  connection.run('INSERT INTO operations VALUES (?, ?, ?, ?, ?, ?)', session, id, number, digest, text, checksum)
  sums.operation_sum = withMark(sums.operation_sum, operationMark(id))
  if (countOf(sums.operation_sum) >= operationsKept + pruneAfter) prune(connection, session, sums)
}

function prune(connection: Queries, session: number, sums: ListSums): void {
  const over = connection.all<{ id: string; number: number }>(
    'SELECT id, number FROM operations WHERE session = ? ORDER BY number DESC LIMIT -1 OFFSET ?',
    session,
    operationsKept,
  )
  for (const { id, number } of over) {
    connection.run('DELETE FROM operations WHERE session = ? AND id = ?', session, id)
    if (number > sums.unchecked_operations) sums.operation_sum = withoutMark(sums.operation_sum, operationMark(id))
  }
}

export function findOperation(
  connection: Queries,
  id: string,
  { session, unchecked_operations }: SessionRow,
  operationId: string,
): OperationRecord | undefined {
  const own = connection.get<OperationRow>(
    'SELECT number, digest, committed, checksum FROM operations WHERE session = ? AND id = ?',
    session,
    operationId,
  )
  if (own === undefined) return undefined
  const { number, digest, committed, checksum } = own
  const isOld = checksum === null && number >= 1 && number <= unchecked_operations
  if (!isOld && checksum !== operationChecksum(session, operationId, number, digest, committed)) {
    throw new MemoryLostError(id, [], 'an operation is damaged')
  }
  return toOperation(id, own, false)
}

/**
 * Throws if one of the operations is missing, or lies where SQLite would not find it. A scan looks at the session only where it begins and ends,
 * so a row in between whose session was damaged is among those it returns.
 */
export function requireAllOperations(connection: Queries, id: string, row: SessionRow): void {
  const { session, operation_sum, unchecked_operations } = row
  const all = connection.all<{ id: string; number: number; stored: number }>(
    'SELECT id, number, session AS stored FROM operations WHERE session = ?',
    session,
  )
  const checked = all.filter(({ number }) => number > unchecked_operations)
  const isInPlace = all.every(({ stored }) => stored === session) && ascend(all.map((one) => one.id))
  if (isInPlace && sumOf(checked.map((one) => operationMark(one.id))) === operation_sum) return
  throw new MemoryLostError(id, [], 'the list of its operations is damaged')
}

/** Whether ids are texts in the order in which SQLite keeps them, by which it finds each. A flip can turn one into a blob, which sorts after all texts. */
function ascend(ids: readonly unknown[]): boolean {
  const keys = ids.flatMap((id) => (typeof id === 'string' ? [Buffer.from(id)] : []))
  if (keys.length < ids.length) return false
  return keys.every((key, index) => index === 0 || Buffer.compare(keys[index - 1] as Buffer, key) < 0)
}
