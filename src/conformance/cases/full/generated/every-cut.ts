import type { ChatMessage, EntryInput } from '../../../../core/entries.ts'
import type { FullStore } from '../../../case.ts'
import { same } from '../../helpers/same.ts'
import type { WrittenCase } from '../../written-case.ts'
import { leadOf, type Said, wantedCut } from './cut-rules.ts'
import { Dice, randomConversation, type Taste } from './random-conversation.ts'
import { bodyOf, requireEntries } from './sample-entries.ts'

const full = { level: 'full', needs: ['windows', 'exact'] } as const

/** An entry of a session, and what it says if it is a message. */
interface Placed {
  readonly entry: EntryInput
  readonly said: Said | null
}

interface Budget {
  readonly maxEntries?: number
  readonly maxTokens?: number
  readonly keepSystem?: boolean
  readonly startOn?: 'user'
}

/** Other entries between the messages. */
function mixed(said: readonly Said[], dice: Dice): Placed[] {
  return said.flatMap((one, index): Placed[] => {
    const others: EntryInput[] = [
      { kind: 'record', record: { type: 't', number: index } },
      { kind: 'toolCall', toolCall: { id: `${index}`, name: 'n' } },
      { kind: 'summary', summary: { text: `note ${index}` } },
      { kind: 'summary', summary: { text: `sum ${index}` }, standsIn: true },
    ]
    const between = others.filter(() => dice.below(4) === 0).map((entry) => ({ entry, said: null }))
    return [...between, { entry: { kind: 'message', message: one.message }, said: one }]
  })
}

function randomBudget(dice: Dice, length: number): Budget {
  const [maxEntries, maxTokens] = [1 + dice.below(length + 1), 1 + dice.below(2 * length + 2)]
  return {
    ...dice.of([{ maxEntries }, { maxEntries }, { maxTokens }, { maxEntries, maxTokens }]),
    ...(dice.below(2) === 0 && { keepSystem: true }),
    ...(dice.below(3) === 0 && { startOn: 'user' as const }),
  }
}

function counting(said: readonly Said[], budget: Pick<Budget, 'maxTokens'>) {
  if (budget.maxTokens === undefined) return {}
  const tokens = new Map(said.map((one) => [JSON.stringify(one.message), one.tokens]))
  return { countTokens: (message: ChatMessage) => tokens.get(JSON.stringify(message)) ?? tokensOfSummary }
}

function textOf(entry: EntryInput): string {
  return (bodyOf(entry) as { text?: string }).text ?? ''
}

function standsIn({ entry }: Placed): boolean {
  return entry.kind === 'summary' && entry.standsIn === true
}

/** What a view shows of an entry. */
function shownOf(one: Placed, kept: ReadonlySet<Said>): ChatMessage[] {
  if (one.said !== null) return kept.has(one.said) ? [one.said.message] : []
  return standsIn(one) ? [{ role: 'system', content: textOf(one.entry) }] : []
}

/** Compares views by several budgets and a trim by the last of them with what the clauses say. */
async function cutEverywhere(store: FullStore, session: string, placed: readonly Placed[], dice: Dice): Promise<void> {
  const said = placed.flatMap((one) => one.said ?? [])
  const firstSummary = placed.findIndex(standsIn)
  const beforeSummaries = placed
    .slice(0, firstSummary === -1 ? undefined : firstSummary)
    .flatMap((one) => one.said ?? [])
  await store.addEntries(
    session,
    placed.map(({ entry }) => entry),
  )
  for (let round = 4; round > 0; round--) {
    const budget = randomBudget(dice, said.length)
    const about = `${JSON.stringify(budget)} of ${describe(said)}`
    const lead = budget.keepSystem ? leadOf(beforeSummaries) : 0
    const fixedTokens = tokensOfSummary * placed.filter(standsIn).length
    const { cut, overBudget } = wantedCut(said, { ...budget, lead, fixedTokens, mayCutAll: false })
    const options = { ...budget, ...counting(said, budget) }
    const kept = new Set([...said.slice(0, lead), ...said.slice(cut)])
    const view = await store.getHistory(session, options)
    same(
      view,
      placed.flatMap((one) => shownOf(one, kept)),
      `a view within ${about}`,
    )
    same(view.overBudget, overBudget, `overBudget of a view within ${about}`)
    if (round > 1) continue
    const records = dice.of(['keep', 'cut'] as const)
    const trimmed = await store.trim(session, { ...options, records })
    same([trimmed.removed, trimmed.overBudget], [cut - lead, overBudget], `what a trim tells, ${about}`)
    const left = cut === lead ? placed : placed.filter(staysIn(placed, said[cut], said.slice(0, lead), records))
    requireEntries(
      await store.getEntries(session),
      left.map(({ entry }) => entry),
      `after a trim to ${about}, records: ${records}`,
    )
  }
}

/** What is before the cut stays if it is a system message that is kept, a summary or a record. */
function staysIn(all: readonly Placed[], first: Said | undefined, lead: readonly Said[], records: 'keep' | 'cut') {
  const start = all.findIndex(({ said }) => said !== null && said === first)
  return (one: Placed, index: number): boolean => {
    if (index >= start || (one.said !== null && lead.includes(one.said))) return true
    return one.entry.kind === 'summary' || (one.entry.kind === 'record' && records === 'keep')
  }
}

/** In short, for a person: who spoke, and which calls are made and answered. */
function describe(said: readonly Said[]): string {
  const one = ({ speaker, calls, answers, joinsNext }: Said) =>
    [speaker, ...calls.map((id) => `+${id}`), ...answers.map((id) => `-${id}`), ...(joinsNext ? ['&'] : [])].join(' ')
  return said.length > 40 ? `${said.length} messages` : `[${said.map(one).join('; ')}]`
}

const tokensOfSummary = 3

/** A conversation as it is after some compactions. */
interface Compacted {
  readonly said: readonly Said[]
  /** How many system messages come before the summary. */
  readonly lead: number
  readonly summary: string | null
}

function shown({ said, lead, summary }: Compacted): ChatMessage[] {
  const messages = said.map(({ message }) => message)
  const summaries = summary === null ? [] : [{ role: 'system', content: summary }]
  return [...messages.slice(0, lead), ...summaries, ...messages.slice(lead)]
}

/** Compacts what a conversation has become, and compares with what the clauses say. */
async function compactOnce(store: FullStore, session: string, before: Compacted, dice: Dice): Promise<Compacted> {
  const { said, summary } = before
  const lead = summary === null ? leadOf(said) : before.lead
  const [keep, keepTokens] = [dice.below(said.length + 1), 1 + dice.below(2 * said.length + 1)]
  const limits: { keep?: number; keepTokens?: number } = dice.of([{ keep }, { keepTokens }, { keep, keepTokens }])
  const leadTokens = said.slice(0, lead).reduce((sum, { tokens }) => sum + tokens, 0)
  const { cut } = wantedCut(said, {
    ...(limits.keep !== undefined && { maxEntries: limits.keep + lead }),
    ...(limits.keepTokens !== undefined && { maxTokens: limits.keepTokens + leadTokens }),
    lead,
    fixedTokens: 0,
    mayCutAll: limits.keep === 0,
  })
  const about = `${JSON.stringify(limits)} of ${describe(said)}`
  const text = `sum of ${said.length}`
  const given: ChatMessage[] = []
  const { removed, seq } = await store.compact(session, {
    ...limits,
    ...counting(said, { ...(limits.keepTokens !== undefined && { maxTokens: limits.keepTokens }) }),
    summarize(turns) {
      given.push(...turns)
      return text
    },
  })
  same(removed, cut - lead, `how many turns are compacted, ${about}`)
  same(seq === null, removed === 0, `whether there is a summary, ${about}`)
  const after = removed === 0 ? before : { said: [...said.slice(0, lead), ...said.slice(cut)], lead, summary: text }
  const old = removed === 0 ? [] : shown({ said: said.slice(lead, cut), lead: 0, summary })
  same(given, old, `what is summarized, ${about}`)
  same(await store.getHistory(session), shown(after), `the history after a compaction, ${about}`)
  return after
}

/** The summary stays whatever the cut, and counts. */
async function viewSummed(store: FullStore, session: string, summed: Compacted, dice: Dice): Promise<void> {
  const { said, summary, lead } = summed
  if (summary === null) return
  const budget = randomBudget(dice, said.length)
  const kept = budget.keepSystem ? lead : 0
  const rules = { ...budget, lead: kept, fixedTokens: tokensOfSummary, mayCutAll: false }
  const { cut, overBudget } = wantedCut(said, rules)
  const left = { said: said.filter((_, index) => index < kept || index >= cut), summary }
  const expected = shown({ ...left, lead: kept + Math.max(0, lead - Math.max(cut, kept)) })
  const about = `${JSON.stringify(budget)} of a summary after ${lead} of ${describe(said)}`
  const options = { ...budget, ...counting(said, budget) }
  const view = await store.getHistory(session, options)
  same(view, expected, `a view within ${about}`)
  same(view.overBudget, overBudget, `overBudget of a view within ${about}`)
  await store.trim(session, options)
  same(await store.getHistory(session), expected, `after a trim to ${about}`)
}

/** One conversation after another, as a person of that taste would have them. */
function cutCase(id: string, title: string, taste: Taste, conversations: number): WrittenCase {
  return {
    ...full,
    id,
    clause: id.slice(0, id.indexOf('/')),
    title,
    async run({ store, seed }) {
      const dice = new Dice(seed)
      for (let number = 0; number < conversations; number++) {
        await cutEverywhere(store, `s${number}`, mixed(randomConversation(dice, taste), dice), dice)
      }
    },
  }
}

export const everyCut: WrittenCase[] = [
  cutCase(
    'trimming.1/every-cut',
    'whatever is said, the view and the trim keep the newest that the rules allow, by any budget',
    { length: 10, calls: 2, results: 2 },
    70,
  ),
  cutCase(
    'trimming.5/every-waiting-call',
    'wherever a call is that still waits, it is cut off only if the conversation moved on without it',
    { length: 7, calls: 4, results: 1 },
    100,
  ),
  {
    ...full,
    id: 'trimming.3/every-distance',
    clause: 'trimming.3',
    title: 'however far a call is from its result, no view and no trim separates them',
    async run({ store, seed }) {
      const dice = new Dice(seed)
      for (const distance of [120, 250, 500, 1100]) {
        for (const role of ['narrator', 'assistant', 'user']) {
          const said = randomConversation(dice, { length: 8, calls: 4, results: 3 })
          const place = dice.below(said.length)
          const between = Array.from({ length: distance }, (_, index): Said => {
            const speaker = role === 'narrator' ? 'other' : (role as 'user' | 'assistant')
            const message = { role, content: `between ${index}` }
            return { message, speaker, calls: [], answers: [], joinsNext: false, tokens: 1 }
          })
          const placed = [...said.slice(0, place), ...between, ...said.slice(place)].map(
            (one): Placed => ({ entry: { kind: 'message', message: one.message }, said: one }),
          )
          await cutEverywhere(store, `${distance} of ${role}`, placed, dice)
        }
      }
    },
  },
  {
    ...full,
    id: 'compaction.7/every-cut',
    clause: 'compaction.7',
    title: 'whatever is said, a compaction keeps the newest that the rules allow, and the next one goes on from there',
    async run({ store, seed }) {
      const dice = new Dice(seed)
      for (let number = 0; number < 50; number++) {
        const session = `s${number}`
        let compacted: Compacted = { said: [], lead: 0, summary: null }
        for (let round = 0; round < 3; round++) {
          const more = randomConversation(dice, { length: 6, calls: 2, results: 1 }, 1 + round * 100)
          await store.addMessages(
            session,
            more.map(({ message }) => message),
          )
          const grown = { ...compacted, said: [...compacted.said, ...more] }
          compacted = await compactOnce(store, session, grown, dice)
        }
        await viewSummed(store, session, compacted, dice)
      }
    },
  },
]
