import type { ChatMessage } from '../../../../core/entries.ts'

/** A message, and what the clauses about cuts say of it. */
export interface Said {
  readonly message: ChatMessage
  readonly speaker: 'system' | 'user' | 'assistant' | 'other'
  readonly calls: readonly string[]
  readonly answers: readonly string[]
  readonly joinsNext: boolean
  readonly tokens: number
}

/** The id of a call or a result that has none. */
export const noId = ''

export interface Limits {
  readonly maxEntries?: number
  readonly maxTokens?: number
  readonly startOn?: 'user'
  /** How many leading messages stay, whatever the cut. */
  readonly lead: number
  /** What the summaries count. */
  readonly fixedTokens: number
  readonly mayCutAll: boolean
}

/** Where the clauses want the cut, found the slow way: every place is tried. */
export function wantedCut(said: readonly Said[], limits: Limits): { cut: number; overBudget: boolean } {
  const { lead, startOn, mayCutAll } = limits
  const last = mayCutAll ? said.length : said.length - 1
  const all = Array.from({ length: Math.max(0, last + 1) }, (_, cut) => cut)
  const allowed = all.filter((cut) => cut >= lead && !partsAny(said, cut))
  const wanted = startOn === 'user' ? allowed.filter((cut) => beginsWithUser(said, cut)) : allowed
  const from = wanted.length > 0 ? wanted : allowed
  const cut = from.find((one) => fits(said, one, limits)) ?? from.at(-1) ?? lead
  return { cut, overBudget: said.length > 0 && !fits(said, cut, limits) }
}

/** How many of the first messages are system messages. */
export function leadOf(said: readonly Said[]): number {
  const first = said.findIndex(({ speaker }) => speaker !== 'system')
  return first === -1 ? said.length : first
}

function fits(said: readonly Said[], cut: number, limits: Limits): boolean {
  const { maxEntries = Number.POSITIVE_INFINITY, maxTokens = Number.POSITIVE_INFINITY, lead, fixedTokens } = limits
  const kept = [...said.slice(0, lead), ...said.slice(Math.max(cut, lead))]
  const tokens = kept.reduce((sum, one) => sum + one.tokens, fixedTokens)
  return kept.length <= maxEntries && tokens <= maxTokens
}

/** Whether a cut separates what belongs together. */
function partsAny(said: readonly Said[], cut: number): boolean {
  return said.some((one, index) => {
    const isBefore = index < cut
    if (one.joinsNext && index === cut - 1) return true
    if (!isBefore && one.answers.some((id) => (callOf(said, id, index) ?? cut) < cut)) return true
    return isBefore && one.calls.some((id) => isWaiting(said, id, index)) && !movedOn(said, index)
  })
}

/** The nearest call before a result, of its id if it has one. */
function callOf(said: readonly Said[], id: string, result: number): number | undefined {
  const isIt = ({ calls }: Said) => (id === noId ? calls.length > 0 : calls.includes(id))
  const call = said.slice(0, result).findLastIndex(isIt)
  return call === -1 ? undefined : call
}

function isWaiting(said: readonly Said[], id: string, call: number): boolean {
  const isAnswer = (one: string, index: number) => (one === id || one === noId) && callOf(said, one, index) === call
  return !said.some(({ answers }, index) => index > call && answers.some((one) => isAnswer(one, index)))
}

/** A user spoke and an assistant answered. */
function movedOn(said: readonly Said[], call: number): boolean {
  const user = said.findIndex(({ speaker }, index) => index > call && speaker === 'user')
  return user !== -1 && said.some(({ speaker }, index) => index > user && speaker === 'assistant')
}

function beginsWithUser(said: readonly Said[], cut: number): boolean {
  return said.slice(cut).find(({ speaker }) => speaker !== 'system')?.speaker === 'user'
}
