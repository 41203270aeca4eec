import type { EncodedEntry } from '../backend.ts'
import type { Calls } from '../calls.ts'
import { encodeEntry } from '../encode-entry.ts'
import type { SummaryInput, SummaryRole } from '../entries.ts'
import { isHistory, type ShowEntry } from '../history.ts'
import { leadingMessages, outlinePath, sumTokens } from '../outline.ts'
import { type ClosedRange, rangesOf, splitHead } from '../path.ts'
import { PathReader } from '../path-reader.ts'
import { planTrim } from '../trim-plan.ts'
import type { Compacted, CompactOptions } from '../types.ts'
import { untilAborted } from '../until-aborted.ts'
import { changePath } from './change-path.ts'
import { keepBehind, rangesOfStays } from './trim.ts'

export async function compact<Item extends object>(
  calls: Calls,
  session: string,
  options: CompactOptions<Item>,
  show: ShowEntry<Item>,
): Promise<Compacted> {
  const { keep, keepTokens, summaryRole } = options
  const summarizeOnce = onceForTheSameTurns(options, show)
  const more = keepTokens === undefined && summaryRole === undefined ? [] : [keepTokens, summaryRole]
  const { answer, first, version, epoch } = await changePath<{ removed: number }>(
    calls,
    session,
    'compact',
    { options, content: [keep, ...more] },
    async (reading) => {
      const reader = new PathReader(calls, session, undefined, reading)
      const { lead, before, removed, inLead, stays } = await planCompaction(reader, options, show)
      if (removed === 0) return { change: null, answer: { removed } }
      const [, replaced] = splitHead(splitHead(reader.ranges, before)[0], lead)
      return {
        change: {
          append: [await summarizeOnce(reader, replaced)],
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
async function planCompaction<Item extends object>(
  reader: PathReader,
  options: CompactOptions<Item>,
  show: ShowEntry<Item>,
) {
  const { keep, keepTokens, countTokens } = options
  const budget = { maxTokens: keepTokens, countTokens }
  const outline = await outlinePath(reader, reader.ranges, show, budget)
  const { lead, length, messages, places, summaries, records } = outline
  const leading = leadingMessages(outline)
  const leadTokens = sumTokens(messages.slice(0, leading.length))
  const { cut } = await planTrim(
    messages,
    {
      maxEntries: keep === undefined ? undefined : keep + leading.length,
      maxTokens: keepTokens === undefined ? undefined : keepTokens + leadTokens,
    },
    { lead: leading.length, mayCutAll: keep === 0 },
  )
  const before = places[cut] ?? length
  const stays = [...leading, ...summaries.filter(({ standsIn }) => !standsIn), ...records]
  return {
    lead,
    before,
    removed: cut - leading.length,
    inLead: stays.filter(({ place }) => place < lead),
    stays: stays.filter(({ place }) => place >= lead && place < before),
  }
}

/**
 * Keeps the summary across a conflict, so that the model is not asked twice about the same turns. In another log, the same seqs are other turns.
 */
function onceForTheSameTurns<Item extends object>(
  { summarize, summaryRole, signal }: CompactOptions<Item>,
  show: ShowEntry<Item>,
): (reader: PathReader, replaced: readonly ClosedRange[]) => Promise<EncodedEntry> {
  let made: { place: string; summary: EncodedEntry } | undefined
  return async (reader, replaced) => {
    const place = JSON.stringify([reader.state?.log, replaced])
    if (made?.place !== place) {
      const { turns, seqs } = await readTurns(reader, replaced, show)
      made = { place, summary: encode(await untilAborted(summarize(turns), signal), seqs, summaryRole) }
    }
    return made.summary
  }
}

async function readTurns<Item extends object>(
  reader: PathReader,
  ranges: readonly ClosedRange[],
  show: ShowEntry<Item>,
): Promise<{ turns: Item[]; seqs: number[] }> {
  const turns: Item[] = []
  const seqs: number[] = []
  for await (const stored of reader.slices(ranges)) {
    for (const entry of reader.decode(stored).filter(isHistory)) {
      turns.push(show(entry))
      seqs.push(entry.seq)
    }
  }
  return { turns, seqs }
}

function encode(
  summary: string | SummaryInput,
  seqs: readonly number[],
  summaryRole: SummaryRole | undefined,
): EncodedEntry {
  const input = typeof summary === 'string' ? { text: summary } : summary
  const role = summaryRole === undefined ? {} : { role: summaryRole }
  return encodeEntry('compaction', { ...input, covers: rangesOf(seqs), ...role }, 'summary')
}
