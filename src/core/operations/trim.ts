import type { Calls } from '../calls.ts'
import type { ShowEntry } from '../history.ts'
import { leadingMessages, outlinePath, type Placed, sumTokens } from '../outline.ts'
import { type ClosedRange, type PathPlan, rangesOf, splitHead } from '../path.ts'
import { PathReader } from '../path-reader.ts'
import { planTrim } from '../trim-plan.ts'
import type { Trimmed, TrimOptions, WriteOptions, Written } from '../types.ts'
import { changePath, type Planned } from './change-path.ts'
import { sweepSlice } from './sweep.ts'

type TrimAnswer = Pick<Trimmed, 'removed' | 'overBudget'>

export async function trim<Item extends object>(
  calls: Calls,
  session: string,
  options: TrimOptions<Item>,
  show: ShowEntry<Item>,
): Promise<Trimmed> {
  const { maxEntries, maxTokens, keepSystem, startOn, records } = options
  const content = [
    maxEntries,
    maxTokens,
    keepSystem,
    ...(startOn ? [startOn] : []),
    ...(records === 'cut' ? [records] : []),
  ]
  const { answer, changed, version, epoch } = await changePath<TrimAnswer>(
    calls,
    session,
    'trim',
    { options, content },
    (reading) => planCut(new PathReader(calls, session, undefined, reading), options, show),
  )
  if (changed) await sweepSlice(calls, session)
  return { version, epoch, ...answer }
}

export async function clear(calls: Calls, session: string, options: WriteOptions): Promise<Written> {
  const { changed, version, epoch } = await changePath(
    calls,
    session,
    'clear',
    { options, content: [] },
    async (reading) => {
      const { ranges } = new PathReader(calls, session, undefined, reading)
      return { change: ranges.length === 0 ? null : { path: { cause: 'clear', plan: [['next', null]] } }, answer: null }
    },
  )
  if (changed) await sweepSlice(calls, session)
  return { version, epoch }
}

async function planCut<Item extends object>(
  reader: PathReader,
  options: TrimOptions<Item>,
  show: ShowEntry<Item>,
): Promise<Planned<TrimAnswer>> {
  const outline = await outlinePath(reader, reader.ranges, show, options)
  const { length, messages, places, summaries, records } = outline
  const leading = options.keepSystem ? leadingMessages(outline) : []
  const { cut, overBudget } = await planTrim(messages, options, {
    lead: leading.length,
    fixedTokens: sumTokens(summaries),
  })
  const removed = cut - leading.length
  if (removed === 0) return { change: null, answer: { removed, overBudget } }

  const before = places[cut] ?? length
  const stays = [...leading, ...summaries, ...(options.records === 'cut' ? [] : records)].filter(
    ({ place }) => place < before,
  )
  return {
    change: { path: { cause: 'trim', plan: keepBehind(reader, before, stays) } },
    answer: { removed, overBudget },
  }
}

/** In the order of the path. */
export function rangesOfStays(stays: readonly Placed[]): ClosedRange[] {
  return rangesOf(stays.toSorted((a, b) => a.place - b.place).map(({ seq }) => seq))
}

/** The path that reads `stays`, then everything after the first `before` entries, then what was appended meanwhile, then is open. */
export function keepBehind(reader: PathReader, before: number, stays: readonly Placed[]): PathPlan {
  const behind = splitHead(reader.ranges, before)[1]
  return [...rangesOfStays(stays), ...behind, [(reader.state?.end ?? 0) + 1, 'end'], ['next', null]]
}
