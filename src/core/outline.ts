import type { ChatMessage, Entry } from './entries.ts'
import { misuse } from './errors.ts'
import { isHistory, isSystem, type ShowEntry } from './history.ts'
import type { ClosedRange } from './path.ts'
import type { PathReader } from './path-reader.ts'
import { noLinks, type ToolLinks, toolLinks } from './tool-links.ts'
import type { TokenBudget } from './trim-budget.ts'

/** What a plan needs to know about a message, without its content. */
export interface Outline {
  readonly seq: number
  /** Who speaks. A message that only brings results of tools is not the user's, whatever its role. */
  readonly speaker: 'system' | 'user' | 'assistant' | 'other'
  readonly links: ToolLinks
  /** 0 if tokens are not counted. */
  readonly tokens: number
}

/** The same for a place on a path. */
interface Placed extends Outline {
  /** How many entries come before it. */
  readonly place: number
}

/** What a plan needs to know about a path, in path order. */
export interface PathOutline {
  /** How many entries there are, of all kinds. */
  readonly length: number
  /** How many entries come before the first turn that is not a system message. */
  readonly lead: number
  readonly messages: readonly Placed[]
  readonly summaries: readonly (Placed & { readonly standsIn: boolean })[]
  readonly records: readonly { readonly seq: number; readonly place: number }[]
}

/** Reads the ranges and holds at most one slice at a time. */
export async function outlinePath<Item extends object>(
  reader: PathReader,
  ranges: readonly ClosedRange[],
  show: ShowEntry<Item>,
  budget: TokenBudget<Item>,
): Promise<PathOutline> {
  const messages: Placed[] = []
  const summaries: (Placed & { standsIn: boolean })[] = []
  const records: { seq: number; place: number }[] = []
  let length = 0
  let lead: number | undefined
  for await (const stored of reader.slices(ranges)) {
    for (const entry of reader.decode(stored)) {
      if (lead === undefined && !isLeading(entry)) lead = length
      if (entry.kind === 'message') messages.push({ ...outlineOf(entry, show, budget), place: length })
      else if (entry.kind === 'summary') {
        summaries.push({ ...outlineOf(entry, show, budget), place: length, standsIn: entry.standsIn })
      } else if (entry.kind === 'record') records.push({ seq: entry.seq, place: length })
      length += 1
    }
  }
  return { length, lead: lead ?? length, messages, summaries, records }
}

/** Of a message or a summary. */
export function outlineOf<Item extends object>(
  entry: Entry,
  show: ShowEntry<Item>,
  { maxTokens, countTokens }: TokenBudget<Item>,
): Outline {
  const isCounted = maxTokens !== undefined && countTokens !== undefined && isHistory(entry)
  const tokens = isCounted ? checkedTokens(countTokens(show(entry))) : 0
  if (entry.kind !== 'message') return { seq: entry.seq, speaker: 'other', links: noLinks, tokens }
  const links = toolLinks(entry.message)
  return { seq: entry.seq, speaker: speakerOf(entry.message, links), links, tokens }
}

/** Whether an entry may precede the first turn: a system message, or not part of the conversation. */
export function isLeading(entry: Entry): boolean {
  return !isHistory(entry) || (entry.kind === 'message' && isSystem(entry.message))
}

function speakerOf(message: ChatMessage, { answers }: ToolLinks): Outline['speaker'] {
  const { role } = message
  if (isSystem(message)) return 'system'
  if (role === 'assistant' || role === 'model') return 'assistant'
  return role === 'user' && answers.length === 0 ? 'user' : 'other'
}

export function sumTokens(outlines: readonly Outline[]): number {
  return outlines.reduce((sum, { tokens }) => sum + tokens, 0)
}

/** The caller's count, or a `TypeError`: anything else would cut at random. */
function checkedTokens(tokens: unknown): number {
  if (typeof tokens === 'number' && tokens >= 0) return tokens
  throw misuse(`countTokens returned ${String(tokens)}, expected a number >= 0`)
}
