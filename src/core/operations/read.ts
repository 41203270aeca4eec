import type { Calls } from '../calls.ts'
import type { ChatMessage, Entry, EntryKind } from '../entries.ts'
import { MemoryLostError } from '../errors.ts'
import { countEntries, splitTail } from '../path.ts'
import { PathReader } from '../path-reader.ts'
import { epochOf, reaches, type SessionState, versionOf } from '../session-state.ts'
import type { Entries, EntriesOptions, History, HistoryOptions, ReadState } from '../types.ts'
import { readWithin } from './read-within.ts'

/** How many entries the first read of a whole path asks for. */
const wholePath = Number.MAX_SAFE_INTEGER

export async function getHistory(calls: Calls, session: string, options: HistoryOptions): Promise<History> {
  const { at, atLeast, last, maxEntries, maxTokens } = options
  const budgeted = maxEntries !== undefined || maxTokens !== undefined
  const want = budgeted ? { at, summariesAfter: 0 } : { at, last: last ?? wholePath }
  return PathReader.use(calls, session, want, async (reader) => {
    requireReached(session, reader.state, atLeast)
    const { entries, overBudget } = budgeted
      ? await readWithin(reader, options)
      : { entries: await readLast(reader, last, isHistory), overBudget: false }
    const turns = entries.filter(isHistory)
    return Object.defineProperties(turns.map(toMessage), {
      ...readState(reader.state),
      seqs: { value: turns.map(({ seq }) => seq) },
      overBudget: { value: overBudget },
    }) as History
  })
}

export async function getEntries(calls: Calls, session: string, options: EntriesOptions): Promise<Entries> {
  const { at, atLeast, last, kinds } = options
  const isWanted = kinds === undefined ? () => true : ({ kind }: Entry) => kinds.includes(kind satisfies EntryKind)
  return PathReader.use(calls, session, { at, last: last ?? wholePath }, async (reader) => {
    requireReached(session, reader.state, atLeast)
    return Object.defineProperties(await readLast(reader, last, isWanted), readState(reader.state)) as Entries
  })
}

export function isHistory(entry: Entry): boolean {
  return entry.kind === 'message' || (entry.kind === 'summary' && entry.standsIn)
}

/** How many entries come before the first turn that is no system message. */
export function leadLength(entries: readonly Entry[]): number {
  const end = entries.findIndex(
    (entry) => isHistory(entry) && !(entry.kind === 'message' && entry.message.role === 'system'),
  )
  return end === -1 ? entries.length : end
}

export function toMessage(entry: Entry): ChatMessage {
  if (entry.kind === 'message') return entry.message
  if (entry.kind === 'summary') return { role: 'system', content: entry.summary.text }
  throw new Error(`a ${entry.kind} is no part of the history`)
}

export function requireReached(session: string, state: SessionState | null, atLeast: string | null | undefined): void {
  if (atLeast === undefined || atLeast === null || reaches(state, atLeast)) return
  throw new MemoryLostError(
    session,
    [],
    `it was seen at version ${atLeast}, and is now ${state === null ? 'gone' : `at ${versionOf(state)}`}`,
  )
}

/** The last n wanted entries, or all; reads further back as long as too few of what it read are wanted. */
async function readLast(
  reader: PathReader,
  last: number | undefined,
  isWanted: (entry: Entry) => boolean,
): Promise<Entry[]> {
  if (last === undefined) return (await reader.all()).filter(isWanted)
  let found: Entry[] = []
  let [left, slice] = splitTail(reader.ranges, last)
  while (slice.length > 0) {
    found = [...(await reader.entries(slice)).filter(isWanted), ...found]
    if (found.length >= last) break
    ;[left, slice] = splitTail(left, Math.max(64, 2 * countEntries(slice)))
  }
  return last === 0 ? [] : found.slice(-last)
}

function readState(state: SessionState | null): { [K in keyof ReadState]: { value: ReadState[K] } } {
  return { version: { value: state && versionOf(state) }, epoch: { value: state && epochOf(state) } }
}
