import type {
  ListedSession,
  OperationRecord,
  Reading,
  SnapshotList,
  StoredEntry,
  StoredKind,
  Want,
} from '../../core/backend.ts'
import { MemoryLostError } from '../../core/errors.ts'
import type { Path } from '../../core/path.ts'
import { pathFromText } from '../../core/path-text.ts'
import { emptyReading, noSnapshots } from '../../core/reading.ts'
import { entryFormats, uncheckedFormats } from '../../core/seal-entry.ts'
import type { SessionState } from '../../core/session-state.ts'
import { aboutFromReply } from './about-text.ts'
import { epochsFromText } from './epoch-text.ts'
import { listOf, optionalText, type Reply, textOf } from './reply.ts'
import { headFromText, operationFromText, snapshotFromText } from './state-text.ts'

/** What the read script is given. */
export function readArguments({ ranges, last, ...want }: Want): string[] {
  const isNothing = ranges?.length === 0
  return [JSON.stringify({ ...want, ...(!isNothing && { last, ranges: ranges?.flat() }) })]
}

/** What the read script replied. */
export function toReading(session: string, want: Want, reply: Reply): Reading {
  const [status, ...parts] = requireKept(session, reply)
  if (textOf(status) === 'NONE') {
    return { ...emptyReading, operation: toOperation(session, parts[0]) }
  }
  const [head, path, operation, snapshot, rows, automatic, entries, summaries, seqs, more, about] = parts
  const record = optionalText(snapshot)
  return {
    state: toState(session, head, path),
    operation: toOperation(session, operation),
    snapshot:
      record === undefined
        ? null
        : {
            record: snapshotFromText(session, want.snapshot ?? '', record),
            path: pathOf(session, rows),
          },
    about: want.about ? aboutFromReply(session, about) : null,
    automatic: JSON.parse(optionalText(automatic) ?? '[]') as string[],
    entries: listOf(entries).map(toEntry),
    summaries: listOf(summaries).map(toEntry),
    summarySeqs: listOf(seqs).map((seq) => Number(textOf(seq))),
    more: more === 1,
  }
}

/** What the snapshots script replied. */
export function toSnapshotList(session: string, reply: Reply): SnapshotList {
  const [status, head, fields] = requireKept(session, reply)
  if (textOf(status) === 'NONE') return noSnapshots
  const byName = fieldsOf(fields)
  const named = (kind: string) =>
    [...byName]
      .filter(([name]) => name.startsWith(kind))
      .map(([name, value]) => [name.slice(kind.length), value] as const)
  const { epoch } = headFromText(textOf(head))
  return {
    state: toState(session, head, byName.get(`e:${epoch}`)?.split(' ')[0]),
    snapshots: named('s:').map(([id, text]) => snapshotFromText(session, id, text)),
    epochs: epochsFromText(session, new Map(named('e:').map(([number, text]) => [Number(number), text]))),
    about: aboutFromReply(session, [byName.get('owner'), byName.get('title'), byName.get('metadata')]),
  }
}

/** What the list script replied: `null` if the session has ended since, a state of `null` if that is lost. */
export function toListed(reply: Reply): ListedSession | null {
  const [status, first, second, third, about] = listOf(reply)
  if (textOf(status) === 'NONE') return null
  if (textOf(status) === 'LOST') {
    const header = listOf(listOf(listOf(third)[0])[1])
    const id = optionalText(second) ?? optionalText(header[1])
    return id === undefined ? null : { id, state: null, about: null }
  }
  const id = textOf(first)
  try {
    return { id, state: toState(id, second, third), about: aboutFromReply(id, about) }
  } catch (error) {
    if (error instanceof MemoryLostError) return { id, state: null, about: null }
    throw error
  }
}

/** The parts of a script's reply, unless it says that some of the session is lost. */
export function requireKept(session: string, reply: Reply): readonly Reply[] {
  const parts = listOf(reply)
  if (textOf(parts[0]) === 'LOST') throw new MemoryLostError(session, [], textOf(parts[1]))
  return parts
}

/** The first row is that of the epoch itself. */
function pathOf(session: string, reply: Reply): Path {
  const rows = listOf(reply).map(textOf)
  const byNumber = new Map<number, string>()
  for (let index = 0; index < rows.length; index += 2) byNumber.set(Number(rows[index]), rows[index + 1] ?? '')
  const path = epochsFromText(session, byNumber).at(-1)?.path
  if (path === undefined) throw new MemoryLostError(session, [], 'its path is missing')
  return path
}

function toState(session: string, head: Reply, path: Reply): SessionState {
  return { ...headFromText(textOf(head)), path: pathFromText(session, optionalText(path)) }
}

function toOperation(session: string, reply: Reply): OperationRecord | null {
  if (!Array.isArray(reply)) return null
  const [record, ended] = reply
  return { ...operationFromText(session, textOf(record)), ended: ended === 1 }
}

function fieldsOf(reply: Reply): Map<string, string> {
  const list = listOf(reply)
  const fields = new Map<string, string>()
  for (let index = 0; index < list.length; index += 2) fields.set(textOf(list[index]), textOf(list[index + 1]))
  return fields
}

/** A plain message has its time and its body alone: `c` is one with a checksum, `b` one of 0.1 without. */
function toEntry(reply: Reply): StoredEntry {
  const [id, fields] = listOf(reply)
  const values = listOf(fields)
  const seq = Number(textOf(id).slice('1-'.length))
  if (values.length === 4) {
    const [, at, name, body] = values
    const { plain } = textOf(name) === 'c' ? entryFormats : uncheckedFormats
    return { seq, at: Number(textOf(at)), kind: 'message', format: plain, body: textOf(body), bytes: null }
  }
  const named = new Map<string, Reply>()
  for (let index = 0; index < values.length; index += 2) named.set(textOf(values[index]), values[index + 1])
  const bytes = named.get('y')
  return {
    seq,
    at: Number(textOf(named.get('t'))),
    kind: textOf(named.get('k')) as StoredKind,
    format: Number(textOf(named.get('f'))),
    body: textOf(named.get('b')),
    bytes: bytes instanceof Uint8Array ? bytes : null,
  }
}
