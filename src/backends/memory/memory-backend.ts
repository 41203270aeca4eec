import { advance } from '../../core/advance.ts'
import type {
  Backend,
  Change,
  Committed,
  Damage,
  Drop,
  Health,
  OperationRecord,
  Reading,
  Reclaimed,
  SnapshotList,
  SnapshotRecord,
  StoredEntry,
  Usage,
  Want,
} from '../../core/backend.ts'
import { makeGiveWay } from '../../core/give-way.ts'
import { erasedOperationsKept, erasure, shortDigest } from '../../core/operation.ts'
import { type ClosedRange, closePath, type Path, selectSeqs, seqsOf, splitTail } from '../../core/path.ts'
import { epochOf, isExpired, type SessionHead, type SessionState } from '../../core/session-state.ts'

interface Session {
  head: SessionHead
  readonly paths: Map<number, Path>
  readonly entries: Map<number, StoredEntry>
  summarySeqs: number[]
  readonly snapshots: Map<string, SnapshotRecord>
  readonly operations: Map<string, OperationRecord>
}

/** So many operations of a session are remembered. */
const operationsKept = 256

/** Memory that lives and dies with the process: for tests, and for agents that may forget. */
export class MemoryBackend implements Backend {
  readonly name = 'memory'
  readonly #sessions = new Map<string, Session>()
  readonly #giveWay = makeGiveWay()
  /** The operations of sessions that are gone, and until when they are kept, oldest first. */
  readonly #erased = new Map<string, Map<string, { record: OperationRecord; until: number }>>()

  async read(id: string, want: Want): Promise<Reading> {
    const session = this.#find(id)
    const operation = want.operation === undefined ? null : this.#operation(id, want.operation)
    if (session === undefined) {
      return { state: null, operation, snapshot: null, automatic: [], entries: [], summaries: [], summarySeqs: [] }
    }
    const state = stateOf(session)
    const record = want.snapshot === undefined ? undefined : session.snapshots.get(want.snapshot)
    const ranges = want.ranges ?? (want.last ? splitTail(closePath(state.path, state.end), want.last)[1] : [])
    const summarySeqs =
      want.summariesAfter === undefined
        ? []
        : selectSeqs([[want.summariesAfter + 1, Number.MAX_SAFE_INTEGER]], session.summarySeqs)
    const present = (seqs: Iterable<number>) =>
      Array.from(seqs, (seq) => session.entries.get(seq)).filter((entry) => entry !== undefined)
    return {
      state,
      operation,
      snapshot: record ? { record, path: session.paths.get(record.epoch) ?? [] } : null,
      automatic: [...session.snapshots.values()].filter(({ automatic }) => automatic).map((one) => one.id),
      entries: present(seqsOf(ranges)),
      summaries: present(summarySeqs),
      summarySeqs,
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
      },
      change,
      now,
    )
    const { head, committed } = advanced
    if (head === null) return committed
    if (found === undefined) this.#remove(id)
    const session = found ?? this.#begin(id, head)
    session.head = head
    for (const { number, path } of advanced.epochs) session.paths.set(number, path)
    for (const entry of advanced.entries) {
      session.entries.set(entry.seq, entry)
      if (entry.kind === 'summary' || entry.kind === 'compaction') session.summarySeqs.push(entry.seq)
    }
    for (const dropped of change.dropSnapshots ?? []) session.snapshots.delete(dropped)
    for (const snapshot of advanced.snapshots) session.snapshots.set(snapshot.id, snapshot)
    session.operations.set(change.operation.id, { digest: change.operation.digest, committed })
    for (const oldest of session.operations.keys()) {
      if (session.operations.size <= operationsKept) break
      session.operations.delete(oldest)
    }
    await this.#giveWay()
    return committed
  }

  async snapshots(id: string): Promise<SnapshotList> {
    const session = this.#find(id)
    if (session === undefined) return { state: null, snapshots: [], paths: new Map() }
    return { state: stateOf(session), snapshots: [...session.snapshots.values()], paths: new Map(session.paths) }
  }

  /** All at once: removing from a map takes no time that a slice would save. */
  async drop(id: string, { ifEpoch, ranges, epochs }: Drop): Promise<Reclaimed | null> {
    const session = this.#find(id)
    if (session === undefined || epochOf(session.head) !== ifEpoch) return null
    for (const epoch of epochs) session.paths.delete(epoch)
    let dropped = 0
    for (const seq of seqsOf(ranges)) if (session.entries.delete(seq)) dropped += 1
    session.summarySeqs = session.summarySeqs.filter((seq) => session.entries.has(seq))
    return { entries: dropped, done: true }
  }

  async sessions(cursor: string | null, limit: number) {
    const ids = [...this.#sessions.keys()].filter(
      (id) => this.#find(id) !== undefined && (cursor === null || id > cursor),
    )
    const page = ids.sort(byCodeUnit).slice(0, limit)
    return {
      sessions: page.map((id) => ({ id, state: stateOf(this.#sessions.get(id) as Session) })),
      cursor: ids.length > limit ? (page.at(-1) ?? null) : null,
    }
  }

  async erase(id: string, operation: string): Promise<boolean> {
    if (this.#erased.get(id)?.has(operation)) return true
    const existed = this.#find(id) !== undefined
    this.#remove(id)
    const until = Date.now() + erasedOperationsKept
    if (existed) this.#erased.get(id)?.set(operation, { record: erasure(), until })
    return existed
  }

  async reclaim(scope: 'erased' | 'all'): Promise<Reclaimed> {
    const now = Date.now()
    for (const [id, operations] of this.#erased) {
      for (const [operationId, { until }] of operations) {
        if (until > now) break
        operations.delete(operationId)
      }
      if (operations.size === 0) this.#erased.delete(id)
    }
    let removed = 0
    if (scope === 'erased') return { entries: removed, done: true }
    for (const [id, { head, entries }] of this.#sessions) {
      if (!isExpired(head, now)) continue
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
    return usageOf(expired.flatMap(({ entries }) => [...entries.values()]))
  }

  async damage(): Promise<readonly Damage[]> {
    return []
  }

  async health(): Promise<Health> {
    return {
      backend: this.name,
      ok: true,
      warnings: ['memory is kept in this process only and ends with it'],
      details: { sessions: this.#sessions.size },
    }
  }

  async close(): Promise<void> {
    this.#sessions.clear()
    this.#erased.clear()
  }

  #find(id: string): Session | undefined {
    const session = this.#sessions.get(id)
    return session === undefined || isExpired(session.head, Date.now()) ? undefined : session
  }

  #begin(id: string, head: SessionHead): Session {
    const session: Session = {
      head,
      paths: new Map(),
      entries: new Map(),
      summarySeqs: [],
      snapshots: new Map(),
      operations: new Map(),
    }
    this.#sessions.set(id, session)
    return session
  }

  #operation(id: string, operationId: string): OperationRecord | null {
    const own = this.#sessions.get(id)?.operations.get(operationId)
    return own ?? this.#erased.get(id)?.get(operationId)?.record ?? null
  }

  #remove(id: string): void {
    const session = this.#sessions.get(id)
    if (session === undefined) return
    const until = Date.now() + erasedOperationsKept
    const operations = this.#erased.get(id) ?? new Map()
    for (const [operationId, { digest, committed }] of session.operations) {
      operations.set(operationId, { record: { digest: digest.slice(0, shortDigest), committed }, until })
    }
    this.#erased.set(id, operations)
    this.#sessions.delete(id)
  }
}

function stateOf({ head, paths }: Session): SessionState {
  return { ...head, path: paths.get(head.epoch) ?? [] }
}

function usageOf(entries: readonly StoredEntry[]): Usage {
  const bytes = entries.reduce((sum, entry) => sum + Buffer.byteLength(entry.body) + (entry.bytes?.length ?? 0), 0)
  return { entries: entries.length, bytes }
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
