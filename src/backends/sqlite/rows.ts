import type { OperationRecord, SnapshotRecord } from '../../core/backend.ts'
import { MemoryLostError } from '../../core/errors.ts'
import { headColumns, valuesOfHead } from '../../core/head-values.ts'
import type { SessionHead } from '../../core/session-state.ts'
import { textFromJson } from '../../core/text-json.ts'
import { type SnapshotColumns, sessionChecksum } from './checksums.ts'
import { type ListSums, noSums } from './list-sums.ts'

/** In the order of `sessionValues`. */
export const sessionColumns = [
  ...headColumns,
  'summary_sum',
  'snapshot_sum',
  'operation_sum',
  'about_sum',
  'unchecked_operations',
  'checksum',
].join(', ')
/** A placeholder for each column. */
export const sessionPlaces = sessionColumns.replaceAll(/\w+/g, '?')
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
  taken_back: number
  taken_back_nonce: string
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
    takenBack: row.taken_back,
    takenBackNonce: row.taken_back_nonce,
  }
}

/** The values of a session's row, in the order of `sessionColumns`. */
export function sessionValues(id: string | null, session: number, head: SessionHead, sums: ListSums): unknown[] {
  const { summary_sum, snapshot_sum, operation_sum, about_sum, unchecked_operations } = sums
  const checksum = sessionChecksum(id, session, head, sums)
  const values = valuesOfHead(head).map((value) => (typeof value === 'boolean' ? Number(value) : value))
  return [...values, summary_sum, snapshot_sum, operation_sum, about_sum, unchecked_operations, checksum]
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
  takenBack: 0,
  takenBackNonce: '',
}

export function nobodyValues(session: number): unknown[] {
  return sessionValues(null, session, nobody, noSums)
}

/** Whether a row without an id was written without one, and did not lose it. */
export function isNobody({ session, checksum }: { session: number; checksum: number | null }): boolean {
  return checksum === nobodyValues(session).at(-1)
}

export function toSnapshot(session: string, row: SnapshotRow): SnapshotRecord {
  const { id, epoch, end, at, number } = row
  return { id, label: textFromJson(session, row.label), automatic: row.automatic === 1, epoch, end, at, number }
}

export function toOperation(
  session: string,
  { digest, committed }: { digest: string; committed: string },
  ended: boolean,
): OperationRecord {
  try {
    return { digest, committed: JSON.parse(committed) as OperationRecord['committed'], ended }
  } catch (cause) {
    throw new MemoryLostError(session, [], 'an operation cannot be read', { cause })
  }
}
