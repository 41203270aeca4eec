import type { Entry } from '../entries.ts'
import { isHistory, type ShowEntry } from '../history.ts'
import { isLeading, type Outline, outlineOf, sumTokens } from '../outline.ts'
import { type ClosedRange, selectSeqs, splitAfter, splitBefore, splitTail } from '../path.ts'
import type { PathReader } from '../path-reader.ts'
import type { TrimBudget } from '../trim-budget.ts'
import { planTrim, type TrimPlan } from '../trim-plan.ts'

/**
 * The history within a budget, as `trim` would leave it, reading only as much of a long one as the cut depends on: backwards in growing
 * steps, the leading system messages from the front, and the summaries that stand in for turns. It holds what it returns and a slice.
 */
export async function readWithin<Item extends object>(
  reader: PathReader,
  budget: TrimBudget<Item>,
  show: ShowEntry<Item>,
): Promise<{ entries: Entry[]; overBudget: boolean }> {
  const { leading, rest } = budget.keepSystem ? await readLead(reader) : { leading: [], rest: reader.ranges }
  const standIns = await readStandIns(reader)
  const recent = new RecentTurns(budget, show, leading, standIns)
  const plan = await recent.read(reader, rest)
  const suffix = await recent.from(plan.cut, reader, rest)
  const shown = new Set(suffix.map(({ seq }) => seq))
  const earlier = standIns.filter(({ seq }) => !shown.has(seq))
  return { entries: [...leading, ...earlier, ...suffix], overBudget: plan.overBudget }
}

/** The end of a path, read backwards until the cut is settled. */
class RecentTurns<Item extends object> {
  readonly #budget: TrimBudget<Item>
  readonly #show: ShowEntry<Item>
  readonly #lead: readonly Outline[]
  readonly #fixedTokens: number
  /** The messages, slice by slice, the last slice first. */
  readonly #outlines: Outline[][] = []
  /** Their seqs. */
  readonly #seqs: number[][] = []
  #messages = 0
  #tokens = 0
  /** Slices that the result may start in, the last first; earlier ones do not fit. */
  readonly #held: Entry[][] = []
  #heldEntries = 0

  constructor(budget: TrimBudget<Item>, show: ShowEntry<Item>, leading: readonly Entry[], standIns: readonly Entry[]) {
    this.#budget = budget
    this.#show = show
    this.#lead = this.#outline(leading)
    this.#fixedTokens = sumTokens(this.#outline(standIns))
  }

  async read(reader: PathReader, ranges: readonly ClosedRange[]): Promise<TrimPlan> {
    const size = Math.max(256, 2 * (this.#budget.maxEntries ?? 0))
    let planned = 0
    for await (const stored of reader.slices(ranges, { fromEnd: true, size })) {
      this.#add(reader.decode(stored))
      if (this.#messages < 2 * planned) continue
      planned = this.#messages
      const plan = await this.#plan()
      if (plan.settled) return plan
    }
    return this.#plan()
  }

  /** Everything from the message at an index on. */
  async from(cut: number, reader: PathReader, ranges: readonly ClosedRange[]): Promise<Entry[]> {
    const index = cut - this.#lead.length
    const first = index < 0 ? undefined : this.#seqs.toReversed().flat()[index]
    const kept = first === undefined ? undefined : splitBefore(ranges, first)?.[1]
    if (first === undefined || kept === undefined) return []
    const [unheld] = splitTail(kept, this.#heldEntries)
    const held = ([] as Entry[]).concat(...this.#held.toReversed())
    if (unheld.length > 0) return [...(await reader.entries(unheld)), ...held].filter(isHistory)
    return held.slice(held.findIndex(({ seq }) => seq === first)).filter(isHistory)
  }

  #add(entries: Entry[]): void {
    const messages = entries.filter(({ kind }) => kind === 'message')
    const outlines = this.#outline(messages)
    if (this.#fits) {
      this.#held.push(entries)
      this.#heldEntries += entries.length
    }
    this.#outlines.push(outlines)
    this.#seqs.push(messages.map(({ seq }) => seq))
    this.#messages += outlines.length
    this.#tokens += sumTokens(outlines)
  }

  #outline(entries: readonly Entry[]): Outline[] {
    return entries.map((entry) => outlineOf(entry, this.#show, this.#budget))
  }

  get #fits(): boolean {
    const { maxEntries = Number.POSITIVE_INFINITY, maxTokens = Number.POSITIVE_INFINITY } = this.#budget
    const tokens = this.#fixedTokens + sumTokens(this.#lead) + this.#tokens
    return this.#messages + this.#lead.length <= maxEntries && tokens <= maxTokens
  }

  get #all(): Outline[] {
    return this.#lead.concat(...this.#outlines.toReversed())
  }

  #plan(): Promise<TrimPlan> {
    return planTrim(this.#all, this.#budget, { lead: this.#lead.length, fixedTokens: this.#fixedTokens })
  }
}

/** The summaries that stand in for turns, in the order of the path. */
async function readStandIns(reader: PathReader): Promise<Entry[]> {
  const standIns = new Map<number, Entry>()
  for await (const { onPath } of reader.summarySlices()) {
    for (const entry of reader.decode(onPath.filter(({ kind }) => kind !== 'summary'))) standIns.set(entry.seq, entry)
  }
  const seqs = [...standIns.keys()].sort((a, b) => a - b)
  return selectSeqs(reader.ranges, seqs).flatMap((seq) => standIns.get(seq) ?? [])
}

/** The leading system messages, and the path after them. */
async function readLead(reader: PathReader): Promise<{ leading: Entry[]; rest: readonly ClosedRange[] }> {
  const leading: Entry[] = []
  let rest: readonly ClosedRange[] = reader.ranges
  for await (const stored of reader.slices(reader.ranges, { size: 8 })) {
    for (const entry of reader.decode(stored)) {
      if (!isLeading(entry)) return { leading, rest }
      if (entry.kind === 'message') leading.push(entry)
      rest = splitAfter(rest, entry.seq)?.[1] ?? []
    }
  }
  return { leading, rest }
}
