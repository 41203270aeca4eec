import type { Calls } from '../calls.ts'
import type { Entry, EntryKind } from '../entries.ts'
import { MemoryLostError } from '../errors.ts'
import { inTurns } from '../give-way.ts'
import { isHistory, type ShowEntry } from '../history.ts'
import { PathReader } from '../path-reader.ts'
import { epochOf, reaches, type SessionState, versionOf } from '../session-state.ts'
import type { Entries, EntriesOptions, History, HistoryOptions, ReadState } from '../types.ts'
import { pageWant, readPage } from './read-page.ts'
import { readWithin } from './read-within.ts'

export async function getHistory<Item extends object>(
  calls: Calls,
  session: string,
  options: HistoryOptions<Item>,
  show: ShowEntry<Item>,
): Promise<History<Item>> {
  const { at, atLeast, maxEntries, maxTokens } = options
  const budgeted = maxEntries !== undefined || maxTokens !== undefined
  const want = budgeted ? { at, summariesAfter: 0 } : pageWant(options, isHistory)
  return PathReader.use(calls, session, want, async (reader) => {
    requireReached(session, reader.state, atLeast)
    const { entries, overBudget } = budgeted
      ? await readWithin(reader, options, show)
      : { entries: await readPage(reader, session, options, isHistory), overBudget: false }
    const messages: Item[] = []
    const seqs: number[] = []
    await inTurns(entries.length, (index) => {
      const entry = entries[index] as Entry
      messages.push(show(entry))
      seqs.push(entry.seq)
      return true
    })
    return Object.defineProperties(messages, {
      ...readState(reader.state),
      seqs: { value: seqs },
      overBudget: { value: overBudget },
    }) as History<Item>
  })
}

export async function getEntries<Message extends object>(
  calls: Calls,
  session: string,
  options: EntriesOptions,
): Promise<Entries<Message>> {
  const { atLeast, kinds } = options
  const filter = kinds === undefined ? null : ({ kind }: Entry) => kinds.includes(kind satisfies EntryKind)
  return PathReader.use(calls, session, pageWant(options, filter), async (reader) => {
    requireReached(session, reader.state, atLeast)
    const page = await readPage(reader, session, options, filter)
    return Object.defineProperties(page, readState(reader.state)) as Entries as Entries<Message>
  })
}

export function requireReached(session: string, state: SessionState | null, atLeast: string | null | undefined): void {
  if (atLeast === undefined || atLeast === null || reaches(state, atLeast)) return
  throw new MemoryLostError(
    session,
    [],
    `it was seen at version ${atLeast} and is now ${state === null ? 'gone' : `at ${versionOf(state)}`}`,
  )
}

function readState(state: SessionState | null): { [K in keyof ReadState]: { value: ReadState[K] } } {
  return { version: { value: state && versionOf(state) }, epoch: { value: state && epochOf(state) } }
}
