import type { Calls } from '../calls.ts'
import type { Entry } from '../entries.ts'
import { type PathPlan, rangesOf, splitHead } from '../path.ts'
import { PathReader } from '../path-reader.ts'
import { planTrim, tokensOf } from '../trim-plan.ts'
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
  const standIns = entries.filter((entry) => entry.kind === 'summary' && entry.standsIn)
  const fixedTokens = tokensOf(standIns.map(toMessage), options)
  const { cut, overBudget } = planTrim(messages.map(toMessage), options, { lead: leading.length, fixedTokens })
  const removed = cut - leading.length
  if (removed === 0) return { change: null, answer: { removed, overBudget } }

  const before = entriesBefore(entries, messages[cut])
  const stays = before.filter(({ kind }) => kind === 'summary')
  return {
    change: { path: keepBehind(reader, before, [...leading, ...stays]) },
    answer: { removed, overBudget },
  }
}

/** All that comes before a message on the path; everything, if there is no such message. */
export function entriesBefore(entries: readonly Entry[], message: Entry | undefined): Entry[] {
  return entries.slice(0, message === undefined ? entries.length : entries.indexOf(message))
}

/** The path that reads `stays`, then what comes behind `before`, then what was appended meanwhile, and then goes on. */
export function keepBehind(reader: PathReader, before: readonly Entry[], stays: readonly Entry[]): PathPlan {
  const behind = splitHead(reader.ranges, before.length)[1]
  return [...rangesOf(stays.map(({ seq }) => seq)), ...behind, [(reader.state?.end ?? 0) + 1, 'end'], ['next', null]]
}
