import type {
  Committed,
  ListedSession,
  OperationRecord,
  Reading,
  SessionAbout,
  SnapshotList,
  SnapshotRecord,
  StoredEntry,
  StoredKind,
} from '../../core/backend.ts'
import { MemoryLostError } from '../../core/errors.ts'
import { headFields, headOfValues } from '../../core/head-values.ts'
import { pathFromText } from '../../core/path-text.ts'
import { isLost } from '../../core/recognize-error.ts'
import type { SessionState } from '../../core/session-state.ts'
import { textFromJson } from '../../core/text-json.ts'
import { toEpochs } from './epochs.ts'
import type { PartRow } from './part-row.ts'

/** `isDescribed`: whether owner, title and metadata were requested. */
export function toReading(session: string, rows: readonly PartRow[], isDescribed: boolean): Reading {
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
  const record = snapshot && toSnapshot(session, snapshot)
  return {
    state: head ? toState(session, head.body) : null,
    operation: operation ? toOperation(session, operation, head === undefined) : null,
    snapshot: record ? { record, path: toEpochs(session, all('epoch')).path(record.epoch) } : null,
    about: head && isDescribed ? toAbout(session, all('about')[0]?.body) : null,
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
  const about = rows.find(({ part }) => part === 'about')
  return {
    state: head ? toState(session, head.body) : null,
    snapshots: rows.filter(({ part }) => part === 'snapshot').map((row) => toSnapshot(session, row)),
    epochs: toEpochs(
      session,
      rows.filter(({ part }) => part === 'epoch'),
    ).all,
    about: head ? toAbout(session, about?.body) : null,
  }
}

/** A row of `list_sessions` or `list_owned`. */
export interface ListedRow {
  readonly id: Buffer
  /** `null` if the state is lost. */
  readonly body: string | null
  readonly about: string | null
}

export function toListed({ id, body, about }: ListedRow): ListedSession {
  const session = textOf(id)
  const lost = { id: session, state: null, about: null }
  try {
    return body === null ? lost : { id: session, state: toState(session, body), about: toAbout(session, about) }
  } catch (error) {
    if (isLost(error)) return lost
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
  throw new MemoryLostError(session, seqs, first.body ?? 'its state is missing, but its name exists')
}

function toEntry({ seq, at, format, kind, body, bytes }: PartRow): StoredEntry {
  return { seq, at, kind: kind as StoredKind, format, body: body ?? '', bytes }
}

function toState(session: string, text: string | null): SessionState {
  const values = parse(text) as unknown[]
  const [path, log] = values.slice(headFields.length) as [path: string | null, log: string]
  return { ...headOfValues(values), path: pathFromText(session, path), log }
}

/** Without its row of names, nobody knows whose session it is. */
function toAbout(session: string, text: string | null | undefined): SessionAbout {
  if (text == null) throw new MemoryLostError(session, [], 'its row in the table names is missing')
  const [owner = null, title = null, metadata = null] = (parse(text) as (string | null)[]).map((part) =>
    textFromJson(session, part),
  )
  return { owner, title, metadata }
}

function toOperation(session: string, { body, kind }: PartRow, hasEnded: boolean): OperationRecord {
  const [digest, ...details] = parse(body) as [string, ...unknown[]]
  return { digest, committed: toCommitted(session, details), ended: hasEnded || kind === 'erased' }
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
