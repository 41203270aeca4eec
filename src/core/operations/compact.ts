import type { EncodedEntry } from '../backend.ts'
import type { Calls } from '../calls.ts'
import type { ChatMessage, Entry, SummaryInput } from '../entries.ts'
import { rangesOf } from '../path.ts'
import { PathReader } from '../path-reader.ts'
import { planTrim } from '../trim-plan.ts'
import type { Compacted, CompactOptions } from '../types.ts'
import { encodeSummary } from './add.ts'
import { changePath } from './change-path.ts'
import { isHistory, leadLength, toMessage } from './read.ts'
import { entriesBefore, keepBehind } from './trim.ts'

export async function compact(calls: Calls, session: string, options: CompactOptions): Promise<Compacted> {
  const { keep } = options
  const summariseOnce = onceForTheSameTurns(options.summarise)
  const { answer, first, version, epoch } = await changePath<{ removed: number }>(
    calls,
    session,
    'compact',
    { options, content: [keep] },
    async (reading) => {
      const reader = new PathReader(calls, session, undefined, reading)
      const entries = await reader.all()
      const { leading, turns, stays, before } = split(entries, keep)
      const removed = turns.filter(({ kind }) => kind === 'message').length
      if (removed === 0) return { change: null, answer: { removed } }
      return {
        change: {
          append: [await summariseOnce(turns)],
          path: [
            ...rangesOf(leading.map(({ seq }) => seq)),
            ['appended', 'appended'],
            ...keepBehind(reader, before, stays),
          ],
        },
        answer: { removed },
      }
    },
  )
  return { version, epoch, removed: answer.removed, seq: answer.removed === 0 ? null : first }
}

/** Leading system messages, the turns to replace, the summaries among those that stay because they were added by hand. */
function split(entries: readonly Entry[], keep: number) {
  const lead = leadLength(entries)
  const leading = entries.slice(0, lead).filter(({ kind }) => kind === 'message')
  const messages = entries.filter(({ kind }) => kind === 'message')
  const { cut } = planTrim(
    messages.map(toMessage),
    { maxEntries: keep + leading.length },
    { lead: leading.length, mayCutAll: keep === 0 },
  )
  const before = entriesBefore(entries, messages[cut])
  return {
    leading,
    turns: before.slice(lead).filter(isHistory),
    stays: before.filter((entry) => entry.kind === 'summary' && !entry.standsIn),
    before,
  }
}

/** Keeps the summary over a conflict, so that the model is not asked twice about the same turns. */
function onceForTheSameTurns(
  summarise: CompactOptions['summarise'],
): (turns: readonly Entry[]) => Promise<EncodedEntry> {
  let made: { seqs: string; summary: EncodedEntry } | undefined
  return async (turns) => {
    const seqs = turns.map(({ seq }) => seq)
    if (made?.seqs !== seqs.join()) {
      made = { seqs: seqs.join(), summary: encode(await summarise(turns.map(toMessage) satisfies ChatMessage[]), seqs) }
    }
    return made.summary
  }
}

function encode(summary: string | SummaryInput, seqs: readonly number[]): EncodedEntry {
  const input = typeof summary === 'string' ? { text: summary } : summary
  return encodeSummary('compaction', { ...input, covers: rangesOf(seqs) })
}
