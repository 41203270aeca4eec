import type { Entry } from './entries.ts'
import { misuse } from './errors.ts'
import { isHistory, toMessage } from './history.ts'
import type { ClosedRange } from './path.ts'
import type { PathReader } from './path-reader.ts'
import { type ToolLinks, toolLinks } from './tool-links.ts'
import type { TokenBudget } from './trim-budget.ts'

/** What a plan needs to know about a message, without its content. */
export interface Outline {
  readonly seq: number
  readonly role: string
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
  /** How many of them come before the first turn that is not a system message. */
  readonly lead: number
  readonly messages: readonly Placed[]
  readonly summaries: readonly (Placed & { readonly standsIn: boolean })[]
  readonly records: readonly { readonly seq: number; readonly place: number }[]
}

/** Reads the ranges and holds at most one slice at a time. */
export async function outlinePath(
  reader: PathReader,
  ranges: readonly ClosedRange[],
  budget: TokenBudget = {},
): Promise<PathOutline> {
  const messages: Placed[] = []
  const summaries: (Placed & { standsIn: boolean })[] = []
  const records: { seq: number; place: number }[] = []
  let length = 0
  let lead: number | undefined
  for await (const stored of reader.slices(ranges)) {
    for (const entry of reader.decode(stored)) {
      if (lead === undefined && !isLeading(entry)) lead = length
      if (entry.kind === 'message') messages.push({ ...outlineOf(entry, budget), place: length })
      else if (entry.kind === 'summary') {
        summaries.push({ ...outlineOf(entry, budget), place: length, standsIn: entry.standsIn })
      } else if (entry.kind === 'record') records.push({ seq: entry.seq, place: length })
      length += 1
    }
  }
  return { length, lead: lead ?? length, messages, summaries, records }
}

/** Of a message or a summary. */
export function outlineOf(entry: Entry, { maxTokens, countTokens }: TokenBudget): Outline {
  const message = toMessage(entry)
  const isCounted = maxTokens !== undefined && countTokens !== undefined && isHistory(entry)
  return {
    seq: entry.seq,
    role: message.role,
    links: toolLinks(message),
    tokens: isCounted ? checkedTokens(countTokens(message)) : 0,
  }
}

/** Whether an entry may precede the first turn: a system message, or not part of the conversation. */
export function isLeading(entry: Entry): boolean {
  return !isHistory(entry) || (entry.kind === 'message' && entry.message.role === 'system')
}

export function sumTokens(outlines: readonly Outline[]): number {
  return outlines.reduce((sum, { tokens }) => sum + tokens, 0)
}

/** The caller's count, or a `TypeError`: anything else would cut at random. */
function checkedTokens(tokens: unknown): number {
  if (typeof tokens === 'number' && tokens >= 0) return tokens
  throw misuse(`countTokens returned ${String(tokens)}, expected a number >= 0`)
}
