import type {
  Change,
  Committed,
  EncodedEntry,
  EpochCause,
  EpochRecord,
  NewPath,
  OperationRecord,
  SessionAbout,
  SessionContent,
  StoredEntry,
} from './backend.ts'
import {
  CopyLostError,
  OperationConflictError,
  SnapshotExistsError,
  SnapshotNotFoundError,
  TurnLostError,
  VersionConflictError,
} from './errors.ts'
import { makeNonce } from './make-nonce.ts'
import { isSameDigest } from './operation.ts'
import { fillPath, firstPath, type Path } from './path.ts'
import { epochOf, pathTokenOf, type SessionHead, versionOf } from './session-state.ts'

/** What a backend found when it is about to apply a change. */
export interface Found {
  readonly head: SessionHead | null
  /** The same operation, if it was applied before, even to an earlier session with this id. */
  readonly operation: OperationRecord | null
  /** The number of the session's snapshot with that id, if there is one. */
  readonly snapshotNumber: (id: string) => number | undefined
  /** How many entries are staged under the token of a copy. */
  readonly staged: (copy: string) => number
  /** Whether the turn of the session is held under this token, and its lease has not ended. */
  readonly holdsTurn: (token: string) => boolean
}

/** An epoch to write. `base` is the same path as a difference: the first `entries` entries of another epoch, then `own`. */
export interface AdvancedEpoch extends EpochRecord {
  readonly base: { readonly epoch: number; readonly entries: number; readonly own: Path } | null
}

/** The head to write, what to add to each list, the parts of owner, title and metadata to set, and the result. */
export interface Advanced extends Omit<SessionContent, 'epochs' | 'about'> {
  readonly epochs: readonly AdvancedEpoch[]
  readonly about: Partial<SessionAbout>
  readonly committed: Committed
}

const unchanged: Partial<SessionAbout> = {}

export const noAbout: SessionAbout = { owner: null, title: null, metadata: null }

/** Whether an epoch that begins like this takes back what was there before. Trimming and compacting do not. */
export function takesBack(cause: EpochCause): boolean {
  return cause === 'rollback' || cause === 'rewind' || cause === 'clear'
}

/**
 * The meaning of a commit, for backends that compute it in JavaScript. Throws if the change must not be applied; returns the first
 * result alone, without a head to write, if it was applied before.
 */
export function advance(
  session: string,
  found: Found,
  change: Change,
  now: number,
): Advanced | { readonly head: null; readonly committed: Committed } {
  if (found.operation !== null) {
    const { digest, committed } = found.operation
    if (!isSameDigest(digest, change.operation.digest)) throw new OperationConflictError(session, change.operation.id)
    return { head: null, committed }
  }
  checkConditions(session, found, change)
  if (change.staged) {
    const actual = found.staged(change.staged.copy)
    if (actual !== change.staged.count) throw new CopyLostError(session, change.staged.count, actual)
  }
  if (change.restore) {
    const { head, entries } = change.restore
    const count = change.staged?.count ?? entries.length
    const epochs = change.restore.epochs.map((epoch) => ({ ...epoch, base: null }))
    return { ...change.restore, epochs, committed: committedOf(head, change, 1, count, now) }
  }

  const nonce = makeNonce()
  const before = found.head ?? beginning(nonce, now)
  const count = change.staged?.count ?? change.append?.length ?? 0
  const head = headAfter(before, change, count, nonce, now)
  const first = before.end + 1
  return {
    head,
    epochs: epochsAfter(found.head, head, change.path, count, now),
    about: found.head === null ? { ...(change.begin ?? noAbout), ...change.describe } : (change.describe ?? unchanged),
    snapshots: change.putSnapshot
      ? [{ ...change.putSnapshot, epoch: before.epoch, end: before.end, at: now, number: head.counter }]
      : [],
    entries: change.append?.map((entry, index) => storedEntry(entry, first + index, now)) ?? [],
    committed: committedOf(head, change, first, count, now),
  }
}

function committedOf(head: SessionHead, { operation }: Change, first: number, count: number, at: number): Committed {
  return { version: versionOf(head), epoch: epochOf(head), first, count, at, answer: operation.answer ?? null }
}

/** Field by field, because every append passes here and copying the object takes several times as long. */
function headAfter(before: SessionHead, change: Change, count: number, nonce: string, now: number): SessionHead {
  const isNext = change.path !== undefined
  const isBack = change.path !== undefined && takesBack(change.path.cause)
  const epoch = isNext ? before.epoch + 1 : before.epoch
  const { ttl, ownTtl, expiresAt } = isLasting(before, change) ? before : expiryAfter(before, change, now)
  return {
    birth: before.birth,
    counter: before.counter + 1,
    nonce,
    epoch,
    epochNonce: isNext ? nonce : before.epochNonce,
    end: before.end + count,
    createdAt: before.createdAt,
    updatedAt: now,
    ttl,
    ownTtl,
    expiresAt,
    takenBack: isBack ? epoch : before.takenBack,
    takenBackNonce: isBack ? nonce : before.takenBackNonce,
  }
}

function isLasting(before: SessionHead, { expire, ttl }: Change): boolean {
  return expire === undefined && ttl === undefined && before.ttl === null
}

function storedEntry({ kind, format, body, bytes }: EncodedEntry, seq: number, at: number): StoredEntry {
  return { kind, format, body, bytes, seq, at }
}

function epochsAfter(
  before: SessionHead | null,
  { epoch: number }: SessionHead,
  path: NewPath | undefined,
  count: number,
  at: number,
): AdvancedEpoch[] {
  if (path === undefined) return before === null ? [{ number, path: firstPath, cause: 'begin', at, base: null }] : []
  const { plan, cause, base } = path
  const fill = (places: NewPath['plan']) => fillPath(places, before?.end ?? 0, count)
  return [{ number, path: fill(plan), cause, at, base: base ? { ...base, own: fill(base.own) } : null }]
}

/** What `checkConditions` sees if there are no snapshots and no turns to look up. */
export function foundHead(head: SessionHead | null): Pick<Found, 'head' | 'snapshotNumber' | 'holdsTurn'> {
  return { head, snapshotNumber: () => undefined, holdsTurn: () => true }
}

/** Throws unless the conditions of the change hold. */
export function checkConditions(
  session: string,
  { head, snapshotNumber, holdsTurn }: Pick<Found, 'head' | 'snapshotNumber' | 'holdsTurn'>,
  { ifTurn, ifVersion, ifEpoch, ifPath, ifSnapshot, putSnapshot }: Omit<Change, 'operation'>,
): void {
  if (ifTurn !== undefined && !holdsTurn(ifTurn)) throw new TurnLostError(session)
  if (ifVersion !== undefined) {
    const actual = head && versionOf(head)
    if (actual !== ifVersion) throw new VersionConflictError(session, 'version', ifVersion, actual)
  }
  if (ifEpoch !== undefined) {
    const actual = head && epochOf(head)
    const holds = ifEpoch === null ? head === null || head.takenBack === 1 : actual === ifEpoch
    if (!holds) throw new VersionConflictError(session, 'epoch', ifEpoch, actual)
  }
  if (ifPath !== undefined) {
    const actual = head && pathTokenOf(head)
    if (actual !== ifPath) throw new VersionConflictError(session, 'path', ifPath, actual)
  }
  if (ifSnapshot !== undefined) {
    const number = snapshotNumber(ifSnapshot.id)
    const isSame = number !== undefined && number === (ifSnapshot.number ?? number)
    if (!isSame) throw new SnapshotNotFoundError(session, ifSnapshot.id)
  }
  if (putSnapshot && snapshotNumber(putSnapshot.id) !== undefined)
    throw new SnapshotExistsError(session, putSnapshot.id)
}

function expiryAfter(
  before: SessionHead,
  { expire, ttl }: Change,
  now: number,
): Pick<SessionHead, 'ttl' | 'ownTtl' | 'expiresAt'> {
  if (expire === 'never') return { ttl: null, ownTtl: true, expiresAt: null }
  if (expire && 'at' in expire) return { ttl: null, ownTtl: true, expiresAt: Math.ceil(expire.at) }
  if (expire) return { ttl: expire.ttl, ownTtl: true, expiresAt: Math.ceil(now + expire.ttl) }
  const sliding = before.ownTtl ? before.ttl : (ttl ?? before.ttl)
  return { ttl: sliding, ownTtl: before.ownTtl, expiresAt: slide(before, sliding, now) }
}

/** Never moves back while the time to live is the same: the clock may have been set back. */
function slide(before: SessionHead, ttl: number | null, now: number): number | null {
  if (ttl === null) return before.expiresAt
  const expiresAt = Math.ceil(now + ttl)
  return ttl === before.ttl ? Math.max(expiresAt, before.expiresAt ?? expiresAt) : expiresAt
}

function beginning(birth: string, now: number): SessionHead {
  return {
    birth,
    counter: 0,
    nonce: birth,
    epoch: 1,
    epochNonce: birth,
    end: 0,
    createdAt: now,
    updatedAt: now,
    ttl: null,
    ownTtl: false,
    expiresAt: null,
    takenBack: 1,
    takenBackNonce: birth,
  }
}
