import { crc32 } from 'node:zlib'
import type { EpochCause, StoredEntry } from '../../core/backend.ts'
import { markBody } from '../../core/seal-entry.ts'
import type { SessionHead } from '../../core/session-state.ts'
import type { ListSums } from './list-sums.ts'

/*
 * The key of a row is checked as requested, not as stored: on a damaged page, SQLite can return another row.
 */

/** Of a session's row, with the id it was found by. Every append computes it twice, so it has to be cheap. */
export function sessionChecksum(id: string | null, session: number, head: SessionHead, sums: ListSums): number {
  let mark = mixText(mixText(mixText(mixText(0, id ?? ''), head.birth), head.nonce), head.epochNonce)
  mark = mix(mixText(mark, head.takenBackNonce), head.takenBack)
  mark = mix(mix(mix(mix(mark, session), head.counter), head.epoch), head.end)
  mark = mix(mix(mix(mark, head.createdAt), head.updatedAt), head.ownTtl ? 1 : 0)
  mark = mixAny(mixAny(mark, head.ttl), head.expiresAt)
  mark = mix(mix(mix(mark, sums.summary_sum), sums.snapshot_sum), sums.about_sum)
  return mix(mix(mark, sums.operation_sum), sums.unchecked_operations)
}

/** The parts of an epoch's row that its checksum covers. */
export interface EpochColumns {
  readonly number: number
  readonly session: number
  readonly path: string
  readonly cause: EpochCause | null
  readonly at: number | null
  readonly base: number | null
  readonly entries: number | null
  readonly own: string | null
}

export function epochChecksum(id: string, row: EpochColumns): number {
  const { number, session, path, cause, at, base, entries, own } = row
  return crc32(JSON.stringify([session, number, path, cause, at, base, entries, own, id]))
}

/** Of the row with owner, title and metadata of a session. Never 0, which means that there is none. */
export function aboutChecksum(session: number, { id, owner, title, metadata }: AboutColumns): number {
  return crc32(JSON.stringify([session, id, owner, title, metadata])) || 1
}

export interface AboutColumns {
  readonly id: string
  readonly owner: string | null
  readonly title: string | null
  readonly metadata: string | null
}

export function ownerChecksum(owner: string, sessions: number, sum: number): number {
  return crc32(`${sessions} ${sum} ${owner}`)
}

/** The parts of a snapshot's row that its checksum covers. */
export interface SnapshotColumns {
  id: string
  label: string | null
  automatic: number
  epoch: number
  end: number
  at: number
  number: number
}

export function snapshotChecksum(session: number, row: SnapshotColumns): number {
  const { id, label, automatic, epoch, end, at, number } = row
  return crc32(JSON.stringify([session, id, label, automatic, epoch, end, at, number]))
}

export function operationChecksum(
  session: number | string,
  id: string,
  number: number,
  digest: string,
  committed: string,
): number {
  return crc32(`${session} ${number} ${digest} ${committed} ${id}`)
}

/** What one named operation adds to the sum of all. */
export function operationMark(id: string): number {
  return crc32(id)
}

/** The body as it is stored in the row of the entry, and back: its checksum also covers the session, the seq and the time. */
export function boundBody(session: number, entry: StoredEntry): string {
  return markBody(entry, mix(mix(mix(0, session), entry.seq), entry.at))
}

/** Every change of one whole number changes the result: each step can be undone. */
function mix(mark: number, number: number): number {
  return scatter(scatter(mark ^ number) ^ (number / 2 ** 32))
}

/** The same for a text, and faster than CRC-32 for a short one. */
function mixText(mark: number, text: string): number {
  let mixed = mix(mark, text.length)
  for (let place = 0; place < text.length; place++) mixed = Math.imul(mixed ^ text.charCodeAt(place), 0x01000193)
  return mixed
}

const float = new Float64Array(1)
const words = new Int32Array(float.buffer)

/** The same for any number, and for none. */
function mixAny(mark: number, number: number | null): number {
  if (number === null) return scatter(mark ^ 1)
  float[0] = number
  return scatter(scatter(scatter(mark) ^ (words[0] as number)) ^ (words[1] as number))
}

export function scatter(bits: number): number {
  const once = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  return Math.imul(once ^ (once >>> 13), 0xc2b2ae35) ^ 0x27d4eb2f
}
