import type { OperationRecord, SnapshotRecord } from '../../core/backend.ts'
import { MemoryLostError } from '../../core/errors.ts'
import type { Path, Range } from '../../core/path.ts'
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

/**
 * A path as how far each range begins behind the end of the one before, and how far it goes on: `[[1, 5], [9, null]]` is `[1,4,4,null]`. Every
 * rollback keeps a path, which may be long; small numbers make it a third as many bytes.
 */
export function fromPath(path: Path): string {
  const steps: (number | null)[] = []
  let before = 0
  for (const [from, to] of path) {
    steps.push(from - before, to === null ? null : to - from)
    before = to ?? from
  }
  return JSON.stringify(steps)
}

export function toPath(session: string, text: string | null | undefined): Path {
  if (text === null || text === undefined) throw new MemoryLostError(session, [], 'its path is missing')
  const steps = parse(session, text, 'a path')
  const isStep = (step: unknown, index: number) => Number.isInteger(step) || (step === null && index % 2 === 1)
  if (!Array.isArray(steps) || steps.length % 2 !== 0 || !steps.every(isStep)) {
    throw new MemoryLostError(session, [], 'its path cannot be read')
  }
  const path: Range[] = []
  let before = 0
  for (let index = 0; index < steps.length; index += 2) {
    const [step, length] = steps.slice(index, index + 2) as [number, number | null]
    const from = before + step
    before = from + (length ?? 0)
    path.push([from, length === null ? null : before])
  }
  return path
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
