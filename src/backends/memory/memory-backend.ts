import { advance, checkConditions, noAbout } from '../../core/advance.ts'
import type {
  Backend,
  Change,
  Committed,
  DamageFound,
  Drop,
  Erasure,
  Health,
  KeptEpoch,
  Lease,
  ListedPage,
  OperationRecord,
  Reading,
  Reclaimed,
  ReclaimScope,
  SessionAbout,
  SnapshotList,
  SnapshotRecord,
  StagedEntry,
  StoredEntry,
  Usage,
  Want,
} from '../../core/backend.ts'
import { makeGiveWay } from '../../core/give-way.ts'
import {
  erasedOperationsKept,
  erasure,
  expiredKept,
  operationsKept,
  shortDigest,
  stagedFor,
} from '../../core/operation.ts'
import { newestFirst, pageOf } from '../../core/owner-page.ts'
import { type ClosedRange, rangesOf, selectSeqs, seqsOf } from '../../core/path.ts'
import { emptyReading, noSnapshots, wantedRanges } from '../../core/reading.ts'
import { isExpired, pathTokenOf, type SessionHead, type SessionState } from '../../core/session-state.ts'
import { sizeOf, slice, takeWithin } from '../../core/slice.ts'
import { EntryLog } from './entry-log.ts'
import { OwnerIndex } from './owner-index.ts'

interface Log {
  readonly entries: EntryLog
  summarySeqs: number[]
}

interface Session extends Log {
  readonly log: string
  head: SessionHead
  about: SessionAbout
  readonly epochs: Map<number, KeptEpoch>
  readonly snapshots: Map<string, SnapshotRecord>
  /** Those that callers named, and the results of the others. */
  readonly named: Map<string, OperationRecord>
  readonly unnamed: Map<string, Committed>
}

/** Memory that ends with the process: for tests, and for agents that may forget. */
export class MemoryBackend implements Backend {
  readonly name = 'memory'
  readonly #sessions = new Map<string, Session>()
  readonly #owners = new OwnerIndex()
  readonly #giveWay = makeGiveWay()
  /** How many there have been. */
  #logs = 0
  /** Copies that are not published, by their tokens. */
  readonly #staged = new Map<string, Log & { writtenAt: number }>()
  /** The operations of sessions that are gone, and until when they are kept, oldest first. */
  readonly #erased = new Map<string, Map<string, { record: OperationRecord; until: number }>>()
  /** Who holds the turn of a session, and until when. */
  readonly #turns = new Map<string, { token: string; until: number }>()

  async read(id: string, want: Want): Promise<Reading> {
    const session = this.#find(id)
    const operation = want.operation === undefined ? null : this.#operation(id, want.operation)
    if (session === undefined) return { ...emptyReading, operation: operation && { ...operation, ended: true } }
    const state = stateOf(session)
    const record = want.snapshot === undefined ? undefined : session.snapshots.get(want.snapshot)
    const snapshot = record ? { record, path: session.epochs.get(record.epoch)?.path ?? [] } : null
    const { maxBytes = Number.POSITIVE_INFINITY, summariesAfter } = want
    const summarySeqs =
      summariesAfter === undefined
        ? []
        : selectSeqs([[summariesAfter + 1, Number.MAX_SAFE_INTEGER]], session.summarySeqs)
    const shown = want.maxBytes === undefined ? summarySeqs : summarySeqs.slice(0, slice.entries)
    const entries = takeEntries(session, wantedRanges(state, want, snapshot), maxBytes, want.last !== undefined)
    const summaries = takeEntries(session, rangesOf(shown), maxBytes, false)
    const lastShown = summaries.more ? summaries.taken.at(-1)?.seq : shown.at(-1)
    return {
      state,
      operation,
      snapshot,
      about: want.about ? session.about : null,
      automatic: want.snapshot === undefined ? [] : automaticOf(session),
      entries: entries.taken,
      summaries: summaries.taken,
      summarySeqs: shown.filter((seq) => seq <= (lastShown ?? 0)),
      more: entries.more || summaries.more || shown.length < summarySeqs.length,
    }
  }

  async commit(id: string, change: Change): Promise<Committed> {
    const now = Date.now()
    const found = this.#find(id)
    const advanced = advance(
      id,
      {
        head: found?.head ?? null,
        operation: this.#operation(id, change.operation.id),
        snapshotNumber: (snapshotId) => found?.snapshots.get(snapshotId)?.number,
        staged: (copy) => this.#staged.get(copy)?.entries.size ?? 0,
        holdsTurn: (token) => this.#holdsTurn(id, token),
      },
      change,
      now,
    )
    const { head, committed } = advanced
    if (head === null) return committed
    if (found === undefined) this.#remove(id)
    const session = found ?? this.#begin(id, head, change.staged?.copy)
    session.head = head
    if (found === undefined || change.describe !== undefined) this.#describe(id, session, advanced.about)
    for (const { base, ...epoch } of advanced.epochs) {
      const difference = base && { entries: base.entries, own: base.own }
      session.epochs.set(epoch.number, { ...epoch, base: base?.epoch ?? null, difference })
    }
    for (const entry of advanced.entries) put(session, entry)
    for (const dropped of change.dropSnapshots ?? []) session.snapshots.delete(dropped)
    for (const snapshot of advanced.snapshots) session.snapshots.set(snapshot.id, snapshot)
    const { id: operationId, digest } = change.operation
    if (digest === '') keepLast(session.unnamed, operationId, committed)
    else keepLast(session.named, operationId, { digest, committed, ended: false })
    const turn = this.#giveWay()
    if (turn !== undefined) await turn
    return committed
  }

  async stage(_id: string, copy: string, entries: readonly StagedEntry[]): Promise<void> {
    const now = Date.now()
    const log = this.#staged.get(copy) ?? { entries: new EntryLog(), summarySeqs: [], writtenAt: now }
    for (const entry of entries) if (!log.entries.has(entry.seq)) put(log, { ...entry, at: entry.at ?? now })
    log.writtenAt = now
    this.#staged.set(copy, log)
    await this.#giveWay()
  }

  async unstage(_id: string, copy: string): Promise<boolean> {
    return this.#staged.delete(copy)
  }

  async snapshots(id: string): Promise<SnapshotList> {
    const session = this.#find(id)
    if (session === undefined) return noSnapshots
    const { about, snapshots, epochs } = session
    return {
      state: stateOf(session),
      snapshots: [...snapshots.values()],
      epochs: [...epochs.values()],
      about,
    }
  }

  /** As many as there are, but others get their turn in between, and what they change ends it. */
  async drop(id: string, { ifPath, ranges, epochs }: Drop): Promise<Reclaimed | null> {
    const session = this.#find(id)
    if (session === undefined || pathTokenOf(session.head) !== ifPath) return null
    for (const epoch of epochs) session.epochs.delete(epoch)
    let dropped = 0
    let isDone = true
    for (const removed of session.entries.drop(ranges)) {
      dropped += removed
      await this.#giveWay()
      isDone = this.#find(id) === session && pathTokenOf(session.head) === ifPath
      if (!isDone) break
    }
    session.summarySeqs = session.summarySeqs.filter((seq) => session.entries.has(seq))
    return { entries: dropped, done: isDone }
  }

  async sessions(cursor: string | null, limit: number): Promise<ListedPage> {
    const ids = [...this.#sessions.keys()].filter(
      (id) => this.#find(id) !== undefined && (cursor === null || id > cursor),
    )
    const page = ids.sort(byCodeUnit).slice(0, limit)
    return {
      sessions: page.map((id) => this.#listed(id)),
      cursor: ids.length > limit ? (page.at(-1) ?? null) : null,
    }
  }

  async sessionsOf(owner: string, cursor: string | null, limit: number): Promise<ListedPage> {
    const owned = [...this.#owners.idsOf(owner)].filter((id) => this.#find(id) !== undefined)
    return pageOf(owned.map((id) => this.#listed(id)).sort(newestFirst), cursor, limit)
  }

  async erase(id: string, { operation, ...conditions }: Erasure): Promise<boolean> {
    if (this.#erased.get(id)?.has(operation)) return true
    const found = this.#find(id)
    const holdsTurn = (token: string) => this.#holdsTurn(id, token)
    checkConditions(id, { head: found?.head ?? null, snapshotNumber: () => undefined, holdsTurn }, conditions)
    const existed = found !== undefined
    this.#remove(id)
    const until = Date.now() + erasedOperationsKept
    if (existed) this.#erased.get(id)?.set(operation, { record: erasure(), until })
    return existed
  }

  async reclaim(scope: ReclaimScope): Promise<Reclaimed> {
    const now = Date.now()
    for (const [id, operations] of this.#erased) {
      for (const [operationId, { until }] of operations) {
        if (until > now) break
        operations.delete(operationId)
      }
      if (operations.size === 0) this.#erased.delete(id)
    }
    let removed = 0
    for (const [copy, { entries, writtenAt }] of this.#staged) {
      if (writtenAt > now - stagedFor) continue
      removed += entries.size
      this.#staged.delete(copy)
    }
    for (const [id, { until }] of this.#turns) if (until <= now) this.#turns.delete(id)
    if (scope === 'erased') return { entries: removed, done: true }
    const endedBefore = scope === 'all' ? now : now - expiredKept
    for (const [id, { head, entries }] of this.#sessions) {
      if (!isExpired(head, endedBefore)) continue
      removed += entries.size
      this.#remove(id)
    }
    return { entries: removed, done: true }
  }

  async measure(id: string | null, ranges: readonly ClosedRange[]): Promise<Usage> {
    if (id !== null) {
      const entries = this.#find(id)?.entries
      return usageOf(Array.from(seqsOf(ranges), (seq) => entries?.get(seq)).filter((entry) => entry !== undefined))
    }
    const now = Date.now()
    const expired = [...this.#sessions.values()].filter(({ head }) => isExpired(head, now))
    const givenUp = [...this.#staged.values()].filter(({ writtenAt }) => writtenAt <= now - stagedFor)
    let [entries, bytes] = [0, 0]
    for (const log of [...expired, ...givenUp]) {
      for (const chunk of log.entries.chunks()) {
        const usage = usageOf(chunk)
        entries += usage.entries
        bytes += usage.bytes
        await this.#giveWay()
      }
    }
    return { entries, bytes }
  }

  async takeTurn(id: string, { token, milliseconds }: Lease): Promise<number | null> {
    const now = Date.now()
    const held = this.#turns.get(id)
    if (held !== undefined && held.token !== token && held.until > now) return held.until - now
    this.#turns.set(id, { token, until: now + milliseconds })
    return null
  }

  async renewTurn(id: string, { token, milliseconds }: Lease): Promise<boolean> {
    if (!this.#holdsTurn(id, token)) return false
    this.#turns.set(id, { token, until: Date.now() + milliseconds })
    return true
  }

  async endTurn(id: string, token: string): Promise<void> {
    if (this.#turns.get(id)?.token === token) this.#turns.delete(id)
  }

  async damage(): Promise<DamageFound> {
    return { damage: [], done: true }
  }

  async health(): Promise<Health> {
    return {
      backend: this.name,
      ok: true,
      warnings: ['memory exists only in this process and ends with it'],
      details: { sessions: this.#sessions.size },
    }
  }

  async close(): Promise<void> {
    this.#sessions.clear()
    this.#owners.clear()
    this.#staged.clear()
    this.#erased.clear()
    this.#turns.clear()
  }

  #find(id: string): Session | undefined {
    const session = this.#sessions.get(id)
    return session === undefined || isExpired(session.head, Date.now()) ? undefined : session
  }

  #holdsTurn(id: string, token: string): boolean {
    const held = this.#turns.get(id)
    return held?.token === token && held.until > Date.now()
  }

  #listed(id: string) {
    const session = this.#sessions.get(id) as Session
    return { id, state: stateOf(session), about: session.about }
  }

  #begin(id: string, head: SessionHead, copy: string | undefined): Session {
    const { entries, summarySeqs } = this.#staged.get(copy ?? '') ?? { entries: new EntryLog(), summarySeqs: [] }
    this.#staged.delete(copy ?? '')
    this.#logs += 1
    const session: Session = {
      log: `${this.#logs}`,
      head,
      about: noAbout,
      epochs: new Map(),
      entries,
      summarySeqs,
      snapshots: new Map(),
      named: new Map(),
      unnamed: new Map(),
    }
    this.#sessions.set(id, session)
    return session
  }

  #describe(id: string, session: Session, about: Partial<SessionAbout>): void {
    const { owner } = session.about
    session.about = { ...session.about, ...about }
    this.#owners.move(id, owner, session.about.owner)
  }

  #operation(id: string, operationId: string): OperationRecord | null {
    const { named, unnamed } = this.#sessions.get(id) ?? {}
    const record = named?.get(operationId)
    if (record !== undefined) return record
    const committed = unnamed?.get(operationId)
    if (committed !== undefined) return { digest: '', committed, ended: false }
    return this.#erased.get(id)?.get(operationId)?.record ?? null
  }

  #remove(id: string): void {
    const session = this.#sessions.get(id)
    if (session === undefined) return
    const until = Date.now() + erasedOperationsKept
    const operations = this.#erased.get(id) ?? new Map()
    for (const [operationId, committed] of session.unnamed) {
      operations.set(operationId, { record: { digest: '', committed, ended: true }, until })
    }
    for (const [operationId, { digest, committed }] of session.named) {
      const record = { digest: digest.slice(0, shortDigest), committed, ended: true }
      operations.set(operationId, { record, until })
    }
    this.#erased.set(id, operations)
    this.#owners.move(id, session.about.owner, null)
    this.#sessions.delete(id)
  }
}

function put({ entries, summarySeqs }: Log, entry: StoredEntry): void {
  entries.put(entry)
  if (entry.kind === 'summary' || entry.kind === 'compaction') summarySeqs.push(entry.seq)
}

/** Adds one, and forgets the oldest ones. Several at once: a map whose first key is deleted again and again is slow to find the next. */
function keepLast<T>(operations: Map<string, T>, id: string, operation: T): void {
  operations.set(id, operation)
  if (operations.size < 2 * operationsKept) return
  for (const oldest of operations.keys()) {
    if (operations.size <= operationsKept) return
    operations.delete(oldest)
  }
}

/** The first entries of the ranges that fit, or the last ones. */
function takeEntries({ entries }: Log, ranges: readonly ClosedRange[], maxBytes: number, fromEnd: boolean) {
  const present = Array.from(seqsOf(ranges), (seq) => entries.get(seq)).filter((entry) => entry !== undefined)
  const { taken, more } = takeWithin(fromEnd ? present.reverse() : present, maxBytes)
  return { taken: fromEnd ? taken.reverse() : taken, more }
}

function automaticOf({ snapshots }: Session): string[] {
  return [...snapshots.values()].filter(({ automatic }) => automatic).map(({ id }) => id)
}

function stateOf({ head, epochs, log }: Session): SessionState {
  return { ...head, path: epochs.get(head.epoch)?.path ?? [], log }
}

function usageOf(entries: readonly StoredEntry[]): Usage {
  const bytes = entries.reduce((sum, entry) => sum + sizeOf(entry), 0)
  return { entries: entries.length, bytes }
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
