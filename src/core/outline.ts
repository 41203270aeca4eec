import type { ChatMessage, Entry } from './entries.ts'
import { misuse } from './errors.ts'
import { isHistory, isSystem, type ShowEntry } from './history.ts'
import type { ClosedRange } from './path.ts'
import type { PathReader } from './path-reader.ts'
import { noLinks, type ToolLinks, toolLinks } from './tool-links.ts'
import type { TokenBudget } from './trim-budget.ts'

/** What a plan needs to know about a message, without its content and its place. Messages that look alike share one. */
export interface Outline {
  /** Who speaks. A message that only brings results of tools is not the user's, whatever its role. */
  readonly speaker: 'system' | 'user' | 'assistant' | 'other'
  readonly links: ToolLinks
  /** 0 if tokens are not counted. */
  readonly tokens: number
}

/** An entry on a path. */
export interface Placed {
  readonly seq: number
  /** How many entries come before it. */
  readonly place: number
}

/** What a plan needs to know about a path, in path order. */
export interface PathOutline {
  /** How many entries there are, of all kinds. */
  readonly length: number
  /** How many entries come before the first turn that is not a system message. */
  readonly lead: number
  /** The messages, and by the same index their seqs and places: an object for each of a million would keep the garbage collector busy. */
  readonly messages: readonly Outline[]
  readonly seqs: readonly number[]
  readonly places: readonly number[]
  readonly summaries: readonly (Placed & { readonly standsIn: boolean; readonly tokens: number })[]
  readonly records: readonly Placed[]
}

/** Reads the ranges and holds at most one slice at a time. */
export async function outlinePath<Item extends object>(
  reader: PathReader,
  ranges: readonly ClosedRange[],
  show: ShowEntry<Item>,
  budget: TokenBudget<Item>,
): Promise<PathOutline> {
  const messages: Outline[] = []
  const seqs: number[] = []
  const places: number[] = []
  const summaries: (Placed & { standsIn: boolean; tokens: number })[] = []
  const records: Placed[] = []
  let length = 0
  let lead: number | undefined
  for await (const stored of reader.slices(ranges)) {
    for (const entry of reader.decode(stored)) {
      if (lead === undefined && !isLeading(entry)) lead = length
      const { seq } = entry
      if (entry.kind === 'message') {
        messages.push(outlineOf(entry, show, budget))
        seqs.push(seq)
        places.push(length)
      } else if (entry.kind === 'summary') {
        const { tokens } = outlineOf(entry, show, budget)
        summaries.push({ seq, place: length, standsIn: entry.standsIn, tokens })
      } else if (entry.kind === 'record') records.push({ seq, place: length })
      length += 1
    }
  }
  return { length, lead: lead ?? length, messages, seqs, places, summaries, records }
}

/** Of a message or a summary. */
export function outlineOf<Item extends object>(
  entry: Entry,
  show: ShowEntry<Item>,
  { maxTokens, countTokens }: TokenBudget<Item>,
): Outline {
  const isCounted = maxTokens !== undefined && countTokens !== undefined && isHistory(entry)
  const tokens = isCounted ? checkedTokens(countTokens(show(entry))) : 0
  if (entry.kind !== 'message') return unlinked('other', tokens)
  const links = toolLinks(entry.message)
  const speaker = speakerOf(entry.message, links)
  return links === noLinks ? unlinked(speaker, tokens) : { speaker, links, tokens }
}

const mostShared = 4096

const shared = new Map<Outline['speaker'], Map<number, Outline>>()

/** Most messages have no links, and few numbers of tokens are common. */
function unlinked(speaker: Outline['speaker'], tokens: number): Outline {
  const bySpeaker = shared.get(speaker) ?? new Map<number, Outline>()
  const outline = bySpeaker.get(tokens) ?? { speaker, links: noLinks, tokens }
  shared.set(speaker, bySpeaker)
  if (bySpeaker.size < mostShared) bySpeaker.set(tokens, outline)
  return outline
}

/** The messages in front of the first turn that is not a system message. */
export function leadingMessages({ lead, seqs, places }: PathOutline): Placed[] {
  const count = places.findIndex((place) => place >= lead)
  return seqs
    .slice(0, count === -1 ? seqs.length : count)
    .map((seq, index) => ({ seq, place: places[index] as number }))
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

export function sumTokens(outlines: readonly { readonly tokens: number }[]): number {
  return outlines.reduce((sum, { tokens }) => sum + tokens, 0)
}

/** The caller's count, or a `TypeError`: anything else would cut at random. */
function checkedTokens(tokens: unknown): number {
  if (typeof tokens === 'number' && tokens >= 0) return tokens
  throw misuse(`countTokens returned ${String(tokens)}, expected a number >= 0`)
}
