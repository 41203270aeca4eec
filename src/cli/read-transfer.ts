import type { z } from 'zod'
import type { EpochRecord, SessionCopy, SnapshotRecord, StoredEntry } from '../core/backend.ts'
import { describePlace } from '../core/carry-value.ts'
import { checkCopy } from '../core/check-copy.ts'
import { InvalidEntryError } from '../core/errors.ts'
import { type Line, readLines } from './read-lines.ts'
import { type LineType, lineSchemas } from './transfer-lines.ts'

/** A line that is not what it must be. */
export class DamagedLine extends Error {
  readonly line: number

  constructor(line: number, reason: string, state: 'damaged' | 'missing' = 'damaged') {
    super(`line ${line} is ${state}: ${reason}`)
    this.line = line
  }
}

export interface ReadSession {
  readonly copy: SessionCopy
  /** The line it begins with. */
  readonly line: number
  /** How many bytes were read so far. */
  readonly read: number
}

type Value<T extends LineType> = z.output<(typeof lineSchemas)[T]>

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads an export session by session, each checked whole; throws `DamagedLine` at the first that is not as it was written. */
export async function* readTransfer(chunks: AsyncIterable<Buffer>): AsyncGenerator<ReadSession> {
  const lines = readLines(chunks)
  const known = new Set<string>()
  let last: Line | undefined
  let sessions = 0
  let hasEnded = false

  const next = async (): Promise<Line | undefined> => {
    const { value } = await lines.next()
    last = value ?? last
    return value
  }
  const nextOf = async <T extends LineType>(type: T): Promise<Value<T>> => {
    const line = await next()
    if (line === undefined) throw new DamagedLine((last?.number ?? 0) + 1, 'the export was cut short', 'missing')
    return parseLine(line, type)
  }
  const listOf = async <T extends LineType>(type: T, count: number): Promise<Omit<Value<T>, 'type'>[]> => {
    const list: Omit<Value<T>, 'type'>[] = []
    while (list.length < count) {
      const { type: _, ...value } = await nextOf(type)
      list.push(value)
    }
    return list
  }

  for (let line = await next(); line !== undefined; line = await next()) {
    if (typeOf(line) === 'end') {
      const end = parseLine(line, 'end')
      if (end.sessions !== sessions)
        throw new DamagedLine(line.number, `it counts ${end.sessions} sessions, not ${sessions}`)
      sessions = 0
      hasEnded = true
      continue
    }
    const { id, head, epochs, snapshots, entries } = parseLine(line, 'session')
    if (known.has(id)) throw new DamagedLine(line.number, 'its session comes twice')
    known.add(id)
    sessions += 1
    hasEnded = false
    const copy: SessionCopy = {
      id,
      head,
      epochs: (await listOf('epoch', epochs)) as EpochRecord[],
      snapshots: (await listOf('snapshot', snapshots)) as SnapshotRecord[],
      entries: (await listOf('entry', entries)) as StoredEntry[],
    }
    requireWhole(copy, line.number)
    yield { copy, line: line.number, read: last?.read ?? 0 }
  }
  if (!hasEnded) throw new DamagedLine((last?.number ?? 0) + 1, 'the export was cut short', 'missing')
}

function parseLine<T extends LineType>(line: Line, type: T): Value<T> {
  const value = parseJson(line)
  if (value['type'] !== type) throw new DamagedLine(line.number, `a line of type "${type}" must be here`)
  const checked = lineSchemas[type].safeParse(value)
  if (checked.success) return checked.data as Value<T>
  const issue = checked.error.issues[0]
  throw new DamagedLine(line.number, `${describePlace('its value', issue?.path ?? [])}: ${issue?.message ?? 'invalid'}`)
}

function typeOf(line: Line): unknown {
  return parseJson(line)['type']
}

function parseJson({ number, bytes }: Line): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(decoder.decode(bytes))
  } catch {
    throw new DamagedLine(number, 'it is not JSON')
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new DamagedLine(number, 'it is not an object')
}

/** Names the line that holds the part at fault; what concerns the session as a whole is at its first line. */
function requireWhole(copy: SessionCopy, line: number): void {
  try {
    checkCopy(copy)
  } catch (error) {
    if (!(error instanceof InvalidEntryError)) throw error
    const { epochs, snapshots } = copy
    const [, list, index] = /^copy\.(epochs|snapshots|entries)\[(\d+)\]/.exec(error.path) ?? []
    const before = { epochs: 0, snapshots: epochs.length, entries: epochs.length + snapshots.length }
    const offset = list === undefined ? 0 : 1 + before[list as keyof typeof before] + Number(index)
    throw new DamagedLine(line + offset, `${error.path.replace(/^copy\.?/, '')} ${error.reason}`.trim())
  }
}
