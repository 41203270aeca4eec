import type { Entry } from '../../core/entries.ts'
import { MemoryStoreError } from '../../core/errors.ts'
import { isHistory } from '../../core/history.ts'
import { isVersionConflict } from '../../core/recognize-error.ts'
import type { Added, Epoch, SessionDetails, Version } from '../../core/types.ts'
import type { AnySession } from '../helpers/any-session.ts'
import { printOf } from './ui-message.ts'

/** Options of `save`. `owner`, `title` and `metadata` are those of the session if this save begins it. */
export interface SaveOptions extends SessionDetails {
  /** Names this save, so that a retry of it applies once. Default: a random id. */
  operationId?: string | undefined
}

/** What a chat was like when it was loaded or saved. */
export interface ChatState {
  readonly version: Version | null
  readonly epoch: Epoch | null
  /** The seq of each message. One that was compacted or trimmed since is no longer on the path. */
  readonly seqs: readonly number[]
  /** What tells of each message whether it is still the same. */
  readonly prints: readonly string[]
}

/** What the path reads after somebody else has written. */
interface Present {
  readonly version: Version | null
  readonly seqs: readonly number[]
}

/** Writes what differs from the state that was seen, in one commit, on the condition that nobody else added to the chat or took something back. */
export async function commitChat(
  session: AnySession,
  seen: ChatState,
  messages: readonly object[],
  options: SaveOptions,
): Promise<ChatState> {
  const prints = messages.map(printOf)
  const kept = countAlike(seen.prints, prints)
  if (kept === seen.prints.length && kept === prints.length) return seen
  for (let present: Present | null = null; ; ) {
    try {
      const { version, epoch, seqs } = await write(session, seen, present, messages, kept, options)
      return { version, epoch, seqs: [...seen.seqs.slice(0, messages.length - seqs.length), ...seqs], prints }
    } catch (error) {
      if (!isAboutThePath(error, present)) throw error
      present = await readAgain(session, seen)
      if (present === null) throw error
    }
  }
}

function countAlike(prints: readonly string[], others: readonly string[]): number {
  const differs = prints.findIndex((print, index) => print !== others[index])
  return differs === -1 ? prints.length : differs
}

/** If the first message to replace is in a summary by now, the summary is replaced by what it stood for. */
async function write(
  session: AnySession,
  seen: ChatState,
  present: Present | null,
  messages: readonly object[],
  kept: number,
  options: SaveOptions,
): Promise<Added> {
  const conditions = { ...options, ifVersion: (present ?? seen).version, ifEpoch: seen.epoch }
  const cut = seen.seqs[kept]
  const rest = messages.slice(kept)
  if (cut === undefined) return session.addMessages(rest, conditions)
  if (present === null || present.seqs.includes(cut)) return session.rewind({ before: cut, add: rest, ...conditions })
  const [first = cut] = present.seqs
  return session.rewind({ before: first, add: messages, ...conditions })
}

/** Somebody wrote since, or a message to replace was compacted before this state. */
function isAboutThePath(error: unknown, present: Present | null): boolean {
  if (isVersionConflict(error)) return error.subject === 'version'
  return present === null && MemoryStoreError.is(error) && error.code === 'SEQ_NOT_FOUND'
}

/** What is there now; `null` if the chat does not end with the message that was seen last. */
async function readAgain(session: AnySession, seen: ChatState): Promise<Present | null> {
  const entries = await session.getEntries({ kinds: ['message', 'summary'] })
  const shown = (entries as readonly Entry[]).filter(isHistory)
  const last = shown.at(-1)
  const endsAsSeen = (last && lastMessageOf(last)) === seen.seqs.at(-1) || last?.seq === seen.seqs.at(-1)
  return endsAsSeen ? { version: entries.version, seqs: shown.map(({ seq }) => seq) } : null
}

/** The last message that an entry is or stands for. */
function lastMessageOf(entry: Entry): number {
  return (entry.kind === 'summary' && entry.summary.covers?.at(-1)?.[1]) || entry.seq
}
