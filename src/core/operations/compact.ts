import type { EncodedEntry } from '../backend.ts'
import type { Calls } from '../calls.ts'
import { encodeEntry } from '../encode-entry.ts'
import type { ChatMessage, SummaryInput } from '../entries.ts'
import { isHistory, toMessage } from '../history.ts'
import { outlinePath } from '../outline.ts'
import { type ClosedRange, rangesOf, splitHead } from '../path.ts'
import { PathReader } from '../path-reader.ts'
import { planTrim } from '../trim-plan.ts'
import type { Compacted, CompactOptions } from '../types.ts'
import { untilAborted } from '../until-aborted.ts'
import { changePath } from './change-path.ts'
import { countBefore, keepBehind, rangesOfStays } from './trim.ts'

export async function compact(calls: Calls, session: string, options: CompactOptions): Promise<Compacted> {
  const { keep } = options
  const summariseOnce = onceForTheSameTurns(options)
  const { answer, first, version, epoch } = await changePath<{ removed: number }>(
    calls,
    session,
    'compact',
    { options, content: [keep] },
    async (reading) => {
      const reader = new PathReader(calls, session, undefined, reading)
      const { lead, before, removed, inLead, stays } = await planCompaction(reader, keep)
      if (removed === 0) return { change: null, answer: { removed } }
      const [, replaced] = splitHead(splitHead(reader.ranges, before)[0], lead)
      return {
        change: {
          append: [await summariseOnce(reader, replaced)],
          path: {
            cause: 'compact',
            plan: [...rangesOfStays(inLead), ['appended', 'appended'], ...keepBehind(reader, before, stays)],
          },
        },
        answer: { removed },
      }
    },
  )
  return { version, epoch, removed: answer.removed, seq: answer.removed === 0 ? null : first }
}

/**
 * The start and end of the turns to replace, and what stays: the leading system messages, the records and the summaries added by hand. What
 * precedes the first turn stays in front of the summary.
 */
async function planCompaction(reader: PathReader, keep: number) {
  const { lead, length, messages, summaries, records } = await outlinePath(reader, reader.ranges)
  const leading = messages.slice(0, countBefore(messages, lead))
  const { cut } = await planTrim(
    messages,
    { maxEntries: keep + leading.length },
    { lead: leading.length, mayCutAll: keep === 0 },
  )
  const before = messages[cut]?.place ?? length
  const stays = [...leading, ...summaries.filter(({ standsIn }) => !standsIn), ...records]
  return {
    lead,
    before,
    removed: cut - leading.length,
    inLead: stays.filter(({ place }) => place < lead),
    stays: stays.filter(({ place }) => place >= lead && place < before),
  }
}

/** Keeps the summary across a conflict, so that the model is not asked twice about the same turns. */
function onceForTheSameTurns({
  summarise,
  signal,
}: CompactOptions): (reader: PathReader, replaced: readonly ClosedRange[]) => Promise<EncodedEntry> {
  let made: { ranges: string; summary: EncodedEntry } | undefined
  return async (reader, replaced) => {
    const ranges = JSON.stringify(replaced)
    if (made?.ranges !== ranges) {
      const { turns, seqs } = await readTurns(reader, replaced)
      made = { ranges, summary: encode(await untilAborted(summarise(turns), signal), seqs) }
    }
    return made.summary
  }
}

async function readTurns(
  reader: PathReader,
  ranges: readonly ClosedRange[],
): Promise<{ turns: ChatMessage[]; seqs: number[] }> {
  const turns: ChatMessage[] = []
  const seqs: number[] = []
  for await (const stored of reader.slices(ranges)) {
    for (const entry of reader.decode(stored).filter(isHistory)) {
      turns.push(toMessage(entry))
      seqs.push(entry.seq)
    }
  }
  return { turns, seqs }
}

function encode(summary: string | SummaryInput, seqs: readonly number[]): EncodedEntry {
  const input = typeof summary === 'string' ? { text: summary } : summary
  return encodeEntry('compaction', { ...input, covers: rangesOf(seqs) }, 'summary')
}
