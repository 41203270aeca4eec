import type { z } from 'zod'
import type { EpochRecord, SessionCopy, SnapshotRecord, StoredEntry } from '../../core/backend.ts'
import { describePlace } from '../../core/carry-value.ts'
import { checkCopy } from '../../core/check-copy.ts'
import { InvalidEntryError } from '../../core/errors.ts'
import { type Line, readLines } from './read-lines.ts'
import { type LineType, lineSchemas } from './transfer-lines.ts'

/** An invalid line. */
class DamagedLine extends Error {
  readonly line: number

  constructor(line: number, reason: string, state: 'damaged' | 'missing' = 'damaged') {
    super(`line ${line} is ${state}: ${reason}`)
    this.line = line
  }
}

export interface ReadSession {
  readonly copy: SessionCopy
  /** The line it starts at. */
  readonly line: number
  /** Its size in the file, in bytes. */
  readonly bytes: number
}

/** What cannot be imported, and why; `session` is `null` if its session is unknown. */
export interface DamagedPart {
  readonly damage: string
  readonly line: number
  readonly session: string | null
}

type Value<T extends LineType> = z.output<(typeof lineSchemas)[T]>

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads an export session by session, and checks each as a whole. A damaged session is reported, and reading continues with the next; so is
 * an unexpected end of the file.
 */
export async function* readTransfer(chunks: AsyncIterable<Buffer>): AsyncGenerator<ReadSession | DamagedPart> {
  const file = new TransferFile(chunks)
  let first = await file.next()
  while (first !== undefined) {
    const part = await file.readPart(first)
    if (part !== null) yield part
    first = part !== null && 'damage' in part ? await file.skipToNext(first) : await file.next()
  }
  const missing = file.checkEnd()
  if (missing !== null) yield missing
}

class TransferFile {
  readonly #lines: AsyncGenerator<Line>
  readonly #known = new Set<string>()
  #last: Line | undefined
  /** Since the last line that counts them; `null` if a damaged line may have been one. */
  #sessions: number | null = 0
  #isEnded = false
  #reading: string | null = null

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#lines = readLines(chunks)
  }

  async next(): Promise<Line | undefined> {
    const { value } = await this.#lines.next()
    this.#last = value ?? this.#last
    return value
  }

  /** What starts at this line: a session, or nothing if the line counts the ones before it. */
  async readPart(first: Line): Promise<ReadSession | DamagedPart | null> {
    this.#reading = null
    try {
      if (typeOf(first) !== 'end') return await this.#readSession(first)
      this.#readEnd(first)
      return null
    } catch (error) {
      if (!(error instanceof DamagedLine)) throw error
      if (this.#reading === null) this.#sessions = null
      this.#isEnded = error.line > (this.#last?.number ?? 0)
      return { damage: error.message, line: error.line, session: this.#reading }
    }
  }

  /** After damage: the next line that starts something. */
  async skipToNext(first: Line): Promise<Line | undefined> {
    let line = this.#last === first ? await this.next() : this.#last
    while (line !== undefined && !isBeginning(line)) line = await this.next()
    return line
  }

  checkEnd(): DamagedPart | null {
    if (this.#isEnded) return null
    const { message, line } = this.#cutShort()
    return { damage: message, line, session: null }
  }

  #cutShort(): DamagedLine {
    return new DamagedLine((this.#last?.number ?? 0) + 1, 'the export was cut short', 'missing')
  }

  #readEnd(line: Line): void {
    const { sessions } = parseLine(line, 'end')
    const counted = this.#sessions
    this.#sessions = 0
    this.#isEnded = true
    if (counted !== null && sessions !== counted)
      throw new DamagedLine(line.number, `it counts ${sessions} sessions, not ${counted}`)
  }

  async #readSession(line: Line): Promise<ReadSession> {
    this.#isEnded = false
    const { id, head, about, epochs, snapshots, entries } = parseLine(line, 'session')
    this.#reading = id
    if (this.#sessions !== null) this.#sessions += 1
    const copy: SessionCopy = {
      id,
      head,
      about,
      epochs: (await this.#listOf('epoch', epochs)) as EpochRecord[],
      snapshots: (await this.#listOf('snapshot', snapshots)) as SnapshotRecord[],
      entries: (await this.#listOf('entry', entries)) as StoredEntry[],
    }
    if (this.#known.has(id)) throw new DamagedLine(line.number, 'its session appears twice')
    requireWhole(copy, line.number)
    this.#known.add(id)
    return { copy, line: line.number, bytes: (this.#last ?? line).read - line.read + line.bytes.length }
  }

  async #listOf<T extends LineType>(type: T, count: number): Promise<Omit<Value<T>, 'type'>[]> {
    const list: Omit<Value<T>, 'type'>[] = []
    while (list.length < count) {
      const line = await this.next()
      if (line === undefined) throw this.#cutShort()
      const { type: _, ...value } = parseLine(line, type)
      list.push(value)
    }
    return list
  }
}

function isBeginning(line: Line): boolean {
  try {
    const type = typeOf(line)
    return type === 'session' || type === 'end'
  } catch {
    return false
  }
}

function parseLine<T extends LineType>(line: Line, type: T): Value<T> {
  const value = parseJson(line)
  if (value['type'] !== type) throw new DamagedLine(line.number, `expected a line of type "${type}"`)
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

/** Names the line with the faulty part; problems of the session as a whole are at its first line. */
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
