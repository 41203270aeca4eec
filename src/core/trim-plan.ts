import type { ChatMessage } from './entries.ts'
import { misuse } from './errors.ts'
import { toolLinks } from './tool-links.ts'

export interface TrimBudget {
  /** At most so many messages, kept leading system messages included. Summaries do not count. */
  readonly maxEntries?: number | undefined
  /** At most so many tokens, kept leading system messages and summaries included. */
  readonly maxTokens?: number | undefined
  readonly countTokens?: ((message: ChatMessage) => number) | undefined
  readonly keepSystem?: boolean | undefined
}

export interface TrimPlan {
  /** Messages from this index on stay. */
  readonly cut: number
  /** What stays is more than the budget: the newest group alone exceeds it. */
  readonly overBudget: boolean
  /** Whether messages before those given, behind the leading ones, could not change the plan. */
  readonly settled: boolean
}

/**
 * Where to cut a conversation so that what stays fits the budget and no tool call is parted from its results. Cuts never fall between a
 * call and any of its results, nor behind a call that still waits for one, unless the conversation has gone on without it: a user
 * spoke and an assistant answered. The first `lead` messages stay in any case; `fixedTokens` are spent beforehand.
 */
export function planTrim(
  messages: readonly ChatMessage[],
  budget: TrimBudget,
  { lead = 0, fixedTokens = 0, mayCutAll = false }: { lead?: number; fixedTokens?: number; mayCutAll?: boolean } = {},
): TrimPlan {
  const { allowed, unexplained, lastExchange } = allowedCuts(messages)
  const fits = suffixFits(messages, budget, lead, fixedTokens)
  const last = mayCutAll ? messages.length : messages.length - 1
  let cut = lead
  let newest = lead
  let found = false
  for (let index = lead; index <= last && !found; index++) {
    if (!allowed[index]) continue
    newest = index
    if (fits(index)) {
      cut = index
      found = true
    }
  }
  if (!found) cut = newest
  return {
    cut,
    overBudget: messages.length > 0 && !fits(cut),
    settled: cut > lead && lastExchange >= lead && unexplained < cut,
  }
}

/** The tokens of messages that stay in any case. */
export function tokensOf(messages: readonly ChatMessage[], { countTokens }: TrimBudget): number {
  return countTokens ? messages.reduce((sum, message) => sum + checkedTokens(countTokens(message)), 0) : 0
}

/** What the caller's function counted, or a `TypeError`: anything else would cut at random. */
function checkedTokens(tokens: unknown): number {
  if (typeof tokens === 'number' && tokens >= 0) return tokens
  throw misuse(`countTokens returned ${String(tokens)}, not a number from 0 on`)
}

/** Whether the messages from an index on, with the leading ones that stay, are within the budget. */
function suffixFits(messages: readonly ChatMessage[], budget: TrimBudget, lead: number, fixedTokens: number) {
  const { maxEntries = Number.POSITIVE_INFINITY, maxTokens, countTokens } = budget
  const tokensFrom = new Float64Array(messages.length + 1)
  let leadTokens = fixedTokens
  if (maxTokens !== undefined && countTokens) {
    for (let index = messages.length - 1; index >= 0; index--) {
      const tokens = checkedTokens(countTokens(messages[index] as ChatMessage))
      tokensFrom[index] = (tokensFrom[index + 1] ?? 0) + tokens
      if (index < lead) leadTokens += tokens
    }
  }
  return (index: number): boolean =>
    messages.length - index + lead <= maxEntries &&
    (maxTokens === undefined || (tokensFrom[index] ?? 0) + leadTokens <= maxTokens)
}

/** `unexplained` is the last answer without a call before it; that call may be further back than these messages go. */
function allowedCuts(messages: readonly ChatMessage[]) {
  const links = messages.map(toolLinks)
  const crossed = new Int32Array(messages.length + 2)
  const forbidBetween = (a: number, b: number) => {
    crossed[a + 1] = (crossed[a + 1] ?? 0) + 1
    crossed[b + 1] = (crossed[b + 1] ?? 0) - 1
  }
  const called = new Map<string, number>()
  const waiting = new Map<string, number>()
  let unexplained = -1
  links.forEach(({ calls, answers }, index) => {
    for (const id of answers) {
      const call = called.get(id)
      if (call === undefined) unexplained = index
      else forbidBetween(call, index)
      waiting.delete(id)
    }
    for (const id of calls) {
      called.set(id, index)
      waiting.set(id, index)
    }
  })
  const lastExchange = lastUserAnswered(messages)
  for (const index of waiting.values()) if (index > lastExchange) forbidBetween(index, messages.length)
  const allowed: boolean[] = []
  let open = 0
  for (let index = 0; index <= messages.length; index++) {
    open += crossed[index] ?? 0
    allowed.push(open === 0)
  }
  return { allowed, unexplained, lastExchange }
}

/** The last user message that an assistant has answered, or -1. */
function lastUserAnswered(messages: readonly ChatMessage[]): number {
  const assistant = messages.findLastIndex(({ role }) => role === 'assistant')
  return messages.slice(0, Math.max(0, assistant)).findLastIndex(({ role }) => role === 'user')
}
