import type { OperationRecord, SnapshotRecord } from '../../core/backend.ts'
import { MemoryLostError } from '../../core/errors.ts'
import type { SessionHead } from '../../core/session-state.ts'

/** In the order of `fromHead`. */
export const headColumns =
  'birth, counter, nonce, epoch, epoch_nonce, end, created_at, updated_at, ttl, own_ttl, expires_at'
export const entryColumns = 'seq, at, kind, format, body, bytes'

export interface SessionRow {
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
}

export interface SnapshotRow {
  id: string
  label: string | null
  automatic: number
  epoch: number
  end: number
  at: number
  number: number
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

/** In the order of `headColumns`. */
export function fromHead(head: SessionHead): unknown[] {
  const { birth, counter, nonce, epoch, epochNonce, end, createdAt, updatedAt, ttl, ownTtl, expiresAt } = head
  return [birth, counter, nonce, epoch, epochNonce, end, createdAt, updatedAt, ttl, ownTtl ? 1 : 0, expiresAt]
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
