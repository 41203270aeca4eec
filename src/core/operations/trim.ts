import type { Calls } from '../calls.ts'
import type { Entry } from '../entries.ts'
import { type ClosedRange, type PathPlan, rangesOf, splitAfter } from '../path.ts'
import { PathReader } from '../path-reader.ts'
import { planTrim } from '../trim-plan.ts'
import type { Trimmed, TrimOptions, WriteOptions, Written } from '../types.ts'
import { changePath, type Planned } from './change-path.ts'
import { leadLength, toMessage } from './read.ts'
import { sweepSlice } from './sweep.ts'

type TrimAnswer = Pick<Trimmed, 'removed' | 'overBudget'>

export async function trim(calls: Calls, session: string, options: TrimOptions): Promise<Trimmed> {
  const { maxEntries, maxTokens, keepSystem } = options
  const content = [maxEntries, maxTokens, keepSystem]
  const { answer, changed, version, epoch } = await changePath<TrimAnswer>(
    calls,
    session,
    'trim',
    { options, content },
    async (reading) => {
      const reader = new PathReader(calls, session, undefined, reading)
      return planCut(await reader.all(), reader, options)
    },
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
      return { change: ranges.length === 0 ? null : { path: [['next', null]] }, answer: null }
    },
  )
  if (changed) await sweepSlice(calls, session)
  return { version, epoch }
}

function planCut(entries: Entry[], reader: PathReader, options: TrimOptions): Planned<TrimAnswer> {
  const messages = entries.filter(({ kind }) => kind === 'message')
  const leading = options.keepSystem
    ? entries.slice(0, leadLength(entries)).filter(({ kind }) => kind === 'message')
    : []
  const fixedTokens = entries
    .filter((entry) => entry.kind === 'summary' && entry.standsIn)
    .reduce((sum, entry) => sum + (options.countTokens?.(toMessage(entry)) ?? 0), 0)
  const { cut, overBudget } = planTrim(messages.map(toMessage), options, { lead: leading.length, fixedTokens })
  const removed = cut - leading.length
  if (removed === 0) return { change: null, answer: { removed, overBudget } }

  const lastCut = entries.indexOf(messages[cut - 1] as Entry)
  const stays = entries.slice(0, lastCut).filter(({ kind }) => kind === 'summary')
  return {
    change: {
      path: keepFrom(reader.ranges, entries[lastCut]?.seq ?? 0, [...leading, ...stays], reader.state?.end ?? 0),
    },
    answer: { removed, overBudget },
  }
}

/** The path that reads `stays`, then what comes behind `seq` on the path, then what was appended since `end`, then goes on. */
export function keepFrom(ranges: readonly ClosedRange[], seq: number, stays: readonly Entry[], end: number): PathPlan {
  const behind = splitAfter(ranges, seq)?.[1] ?? []
  return [...rangesOf(stays.map((entry) => entry.seq)), ...behind, [end + 1, 'end'], ['next', null]]
}
