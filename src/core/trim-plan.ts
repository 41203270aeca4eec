import { inTurns } from './give-way.ts'
import type { Outline } from './outline.ts'
import { adjacent, noLinks } from './tool-links.ts'
import type { TrimBudget } from './trim-budget.ts'

/** What a plan depends on. The tokens are in the outlines. */
type Limits = Pick<TrimBudget, 'maxEntries' | 'maxTokens' | 'startOn'>

export interface TrimPlan {
  /** The index of the first message that stays. */
  readonly cut: number
  /** The result exceeds the budget, because the newest group alone does. */
  readonly overBudget: boolean
  /** Whether earlier messages (after the leading ones) cannot change the plan. */
  readonly settled: boolean
}

/**
 * Where to cut a conversation so that the rest fits the budget and no tool call is separated from its results. A cut never falls between a
 * call and any of its results, nor after a call that is still waiting for one, unless the conversation has moved on without it: a user
 * spoke and an assistant answered. The first `lead` messages always stay; `fixedTokens` are spent up front. However many messages there are, it yields to
 * the event loop.
 */
export async function planTrim(
  messages: readonly Outline[],
  budget: Limits,
  { lead = 0, fixedTokens = 0, mayCutAll = false }: { lead?: number; fixedTokens?: number; mayCutAll?: boolean } = {},
): Promise<TrimPlan> {
  const { crossed, unexplained, lastExchange } = await crossings(messages)
  const fits = await suffixFits(messages, budget, lead, fixedTokens)
  const mayStart = budget.startOn === 'user' ? startsOnUser(messages) : () => true
  const last = mayCutAll ? messages.length : messages.length - 1
  const wanted = new Cuts()
  const any = new Cuts()
  let open = 0
  await inTurns(last + 1, (index) => {
    open += crossed[index] ?? 0
    if (index < lead || open > 0) return true
    any.add(index, fits)
    if (mayStart(index)) wanted.add(index, fits)
    return wanted.first === undefined
  })
  const cut = wanted.best ?? any.best ?? lead
  const isWanted = wanted.best !== undefined && cut > lead && !fits(lead)
  return {
    cut,
    overBudget: messages.length > 0 && !fits(cut),
    settled: isWanted && lastExchange >= lead && unexplained < cut,
  }
}

/** Places where a cut may fall, front to back. */
class Cuts {
  /** The first after which the rest fits. */
  first: number | undefined
  #last: number | undefined

  add(index: number, fits: (index: number) => boolean): void {
    this.#last = index
    if (this.first === undefined && fits(index)) this.first = index
  }

  get best(): number | undefined {
    return this.first ?? this.#last
  }
}

/** Whether the first message from an index on, system messages aside, is a user's. */
function startsOnUser(messages: readonly Outline[]): (index: number) => boolean {
  const starts = new Uint8Array(messages.length)
  let isUser = 0
  for (let index = messages.length - 1; index >= 0; index--) {
    const { speaker } = messages[index] as Outline
    if (speaker !== 'system') isUser = speaker === 'user' ? 1 : 0
    starts[index] = isUser
  }
  return (index) => starts[index] === 1
}

/** Whether the messages from an index on, with the leading ones that stay, are within the budget. */
async function suffixFits(messages: readonly Outline[], budget: Limits, lead: number, fixedTokens: number) {
  const { maxEntries = Number.POSITIVE_INFINITY, maxTokens = Number.POSITIVE_INFINITY } = budget
  const tokensFrom = new Float64Array(messages.length + 1)
  let leadTokens = fixedTokens
  await inTurns(messages.length, (place) => {
    const index = messages.length - 1 - place
    const { tokens = 0 } = messages[index] ?? {}
    tokensFrom[index] = (tokensFrom[index + 1] ?? 0) + tokens
    if (index < lead) leadTokens += tokens
    return true
  })
  return (index: number): boolean =>
    messages.length - index + lead <= maxEntries && (tokensFrom[index] ?? 0) + leadTokens <= maxTokens
}

/**
 * `crossed` is, for each index, how many more call-result pairs a cut there would separate than a cut one before. `unexplained` is the last result without
 * a call before it; that call may be earlier than these messages.
 */
async function crossings(messages: readonly Outline[]) {
  const crossed = new Int32Array(messages.length + 2)
  const forbidBetween = (a: number, b: number) => {
    crossed[a + 1] = (crossed[a + 1] ?? 0) + 1
    crossed[b + 1] = (crossed[b + 1] ?? 0) - 1
  }
  const called = new Map<string, number>()
  const waiting = new Map<string, number>()
  let lastCall: number | undefined
  let unexplained = -1
  await inTurns(messages.length, (index) => {
    const { calls, answers, joinsNext } = messages[index]?.links ?? noLinks
    for (const id of answers) {
      const byId = id === adjacent ? undefined : called.get(id)
      const call = byId ?? (id === adjacent ? lastCall : called.get(adjacent))
      if (call !== undefined) forbidBetween(call, index)
      if (byId === undefined) for (const [one, at] of waiting) if (at === call) waiting.delete(one)
      if (call === undefined || (byId === undefined && id !== adjacent)) unexplained = index
      waiting.delete(id)
    }
    for (const id of calls) {
      called.set(id, index)
      waiting.set(id === adjacent ? `\0${index}` : id, index)
      lastCall = index
    }
    if (joinsNext) forbidBetween(index, index + 1)
    return true
  })
  const lastExchange = lastUserAnswered(messages)
  for (const index of waiting.values()) if (index > lastExchange) forbidBetween(index, messages.length)
  return { crossed, unexplained, lastExchange }
}

/** The last user message that an assistant has answered, or -1. */
function lastUserAnswered(messages: readonly Outline[]): number {
  const assistant = messages.findLastIndex(({ speaker }) => speaker === 'assistant')
  for (let index = assistant - 1; index >= 0; index--) if (messages[index]?.speaker === 'user') return index
  return -1
}
