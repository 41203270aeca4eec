import type {
  Committed,
  OperationRecord,
  Reading,
  SnapshotList,
  SnapshotRecord,
  StoredEntry,
  StoredKind,
} from '../../core/backend.ts'
import { MemoryLostError } from '../../core/errors.ts'
import { headFields, headOfValues } from '../../core/head-values.ts'
import { pathFromText } from '../../core/path-text.ts'
import type { SessionState } from '../../core/session-state.ts'
import { textFromJson } from '../../core/text-json.ts'

/** A row of `read_session` or `read_snapshots`. */
export interface PartRow {
  readonly part:
    | 'lost'
    | 'expired'
    | 'head'
    | 'operation'
    | 'snapshot'
    | 'epoch'
    | 'automatic'
    | 'more'
    | 'entry'
    | 'summary'
  readonly seq: number
  readonly at: number
  readonly format: number
  readonly kind: string | null
  readonly body: string | null
  readonly bytes: Buffer | null
}

export function toReading(session: string, rows: readonly PartRow[]): Reading {
  requireKept(session, rows)
  const entries: StoredEntry[] = []
  const parts = new Map<PartRow['part'], PartRow[]>()
  for (const row of rows) {
    if (row.part === 'entry') entries.push(toEntry(row))
    else if (!parts.get(row.part)?.push(row)) parts.set(row.part, [row])
  }
  const all = (part: PartRow['part']) => parts.get(part) ?? []
  const [head] = all('head')
  const [operation] = all('operation')
  const [snapshot] = all('snapshot')
  const summaries = all('summary')
  return {
    state: head ? toState(session, head.body) : null,
    operation: operation ? toOperation(session, operation.body) : null,
    snapshot: snapshot
      ? { record: toSnapshot(session, snapshot), path: pathFromText(session, all('epoch')[0]?.body) }
      : null,
    automatic: all('automatic').map(({ bytes }) => textOf(bytes)),
    entries,
    summaries: summaries.filter(({ body }) => body !== null).map(toEntry),
    summarySeqs: summaries.map(({ seq }) => seq),
    more: parts.has('more'),
  }
}

export function toSnapshotList(session: string, rows: readonly PartRow[]): SnapshotList {
  requireKept(session, rows)
  const head = rows.find(({ part }) => part === 'head')
  const epochs = rows.filter(({ part }) => part === 'epoch')
  return {
    state: head ? toState(session, head.body) : null,
    snapshots: rows.filter(({ part }) => part === 'snapshot').map((row) => toSnapshot(session, row)),
    paths: new Map(epochs.map(({ seq, body }) => [seq, pathFromText(session, body)])),
  }
}

/** A row of `list_sessions`: a state of `null` if that is lost. */
export function toListed({ id, body }: { id: Buffer; body: string | null }): {
  id: string
  state: SessionState | null
} {
  const session = textOf(id)
  try {
    return { id: session, state: body === null ? null : toState(session, body) }
  } catch (error) {
    if (error instanceof MemoryLostError) return { id: session, state: null }
    throw error
  }
}

export function textOf(bytes: Buffer | null): string {
  return bytes?.toString() ?? ''
}

function requireKept(session: string, rows: readonly PartRow[]): void {
  const lost = rows.filter(({ part }) => part === 'lost')
  const [first] = lost
  if (first === undefined) return
  const seqs = lost.flatMap(({ seq }) => (seq === null ? [] : [seq]))
  throw new MemoryLostError(session, seqs, first.body ?? 'its state is missing, though its name is there')
}

function toEntry({ seq, at, format, kind, body, bytes }: PartRow): StoredEntry {
  return { seq, at, kind: kind as StoredKind, format, body: body ?? '', bytes }
}

function toState(session: string, text: string | null): SessionState {
  const values = parse(text) as unknown[]
  const [path, log] = values.slice(headFields.length) as [path: string | null, log: string]
  return { ...headOfValues(values), path: pathFromText(session, path), log }
}

function toOperation(session: string, text: string | null): OperationRecord {
  const [digest, ...details] = parse(text) as [string, ...unknown[]]
  return { digest, committed: toCommitted(session, details) }
}

/** What the functions tell of a commit. */
export function toCommitted(session: string, details: readonly unknown[]): Committed {
  const [version, epoch, first, count, at, answer] = details as [string, string, number, number, number, string | null]
  return { version, epoch, first, count, at, answer: textFromJson(session, answer) }
}

function toSnapshot(session: string, { body, bytes }: PartRow): SnapshotRecord {
  const [label, automatic, epoch, end, at, number] = parse(body) as [
    string | null,
    boolean,
    number,
    number,
    number,
    number,
  ]
  return { id: textOf(bytes), label: textFromJson(session, label), automatic, epoch, end, at, number }
}

function parse(text: string | null): unknown {
  return JSON.parse(text ?? '[]')
}
