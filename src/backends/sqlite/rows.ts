import type { OperationRecord, SnapshotRecord } from '../../core/backend.ts'
import { MemoryLostError } from '../../core/errors.ts'
import type { SessionHead } from '../../core/session-state.ts'
import { type SnapshotColumns, sessionChecksum } from './checksums.ts'
import { type ListSums, noSums } from './list-sums.ts'

/** In the order of `sessionValues`. */
export const sessionColumns =
  'birth, counter, nonce, epoch, epoch_nonce, end, created_at, updated_at, ttl, own_ttl, expires_at, ' +
  'summary_sum, snapshot_sum, operation_sum, unchecked_operations, checksum'
export const entryColumns = 'seq, at, kind, format, body, bytes'

export interface SessionRow extends ListSums {
  session: number
  birth: string
  counter: number
  nonce: string
  epoch: number
  epoch_nonce: string
  end: number
  created_at: number
  updated_at: number
  ttl: number | null
  own_ttl: number
  expires_at: number | null
  checksum: number
}

export interface SnapshotRow extends SnapshotColumns {
  checksum: number
}

export interface OperationRow {
  number: number
  digest: string
  committed: string
  checksum: number | null
}

export function toHead(row: SessionRow): SessionHead {
  return {
    birth: row.birth,
    counter: row.counter,
    nonce: row.nonce,
    epoch: row.epoch,
    epochNonce: row.epoch_nonce,
    end: row.end,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ttl: row.ttl,
    ownTtl: row.own_ttl === 1,
    expiresAt: row.expires_at,
  }
}

/** The values of a session's row, in the order of `sessionColumns`. */
export function sessionValues(id: string | null, session: number, head: SessionHead, sums: ListSums): unknown[] {
  const { birth, counter, nonce, epoch, epochNonce, end, createdAt, updatedAt, ttl, ownTtl, expiresAt } = head
  const { summary_sum, snapshot_sum, operation_sum, unchecked_operations } = sums
  const checksum = sessionChecksum(id, session, head, sums)
  return [
    birth,
    counter,
    nonce,
    epoch,
    epochNonce,
    end,
    createdAt,
    updatedAt,
    ttl,
    ownTtl ? 1 : 0,
    expiresAt,
    summary_sum,
    snapshot_sum,
    operation_sum,
    unchecked_operations,
    checksum,
  ]
}

/** The head of a session without an id: it was erased, or is staged. */
const nobody: SessionHead = {
  birth: '',
  counter: 0,
  nonce: '',
  epoch: 0,
  epochNonce: '',
  end: 0,
  createdAt: 0,
  updatedAt: 0,
  ttl: null,
  ownTtl: false,
  expiresAt: null,
}

export function nobodyValues(session: number): unknown[] {
  return sessionValues(null, session, nobody, noSums)
}

/** Whether a row without an id was written without one, and did not lose it. */
export function isNobody({ session, checksum }: { session: number; checksum: number | null }): boolean {
  return checksum === nobodyValues(session).at(-1)
}

/** A label is kept as JSON: SQLite's text cannot hold every string. */
export function toSnapshot(session: string, row: SnapshotRow): SnapshotRecord {
  const { id, epoch, end, at, number } = row
  const label = row.label === null ? null : (parse(session, row.label, 'a label') as string)
  return { id, label, automatic: row.automatic === 1, epoch, end, at, number }
}

export function toOperation(session: string, row: { digest: string; committed: string }): OperationRecord {
  return {
    digest: row.digest,
    committed: parse(session, row.committed, 'an operation') as OperationRecord['committed'],
  }
}

function parse(session: string, text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new MemoryLostError(session, [], `${what} cannot be read`, { cause })
  }
}
