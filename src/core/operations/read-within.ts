import type { Entry } from '../entries.ts'
import { type ClosedRange, countEntries, splitHead, splitTail } from '../path.ts'
import type { PathReader } from '../path-reader.ts'
import { planTrim, type TrimBudget, tokensOf } from '../trim-plan.ts'
import { isHistory, leadLength, toMessage } from './read.ts'

/**
 * The history within a budget, as `trim` would leave it, without reading more of a long one than the cut depends on: from the back in growing
 * steps, the leading system messages from the front, and the summaries that stand in for turns.
 */
export async function readWithin(
  reader: PathReader,
  budget: TrimBudget,
): Promise<{ entries: Entry[]; overBudget: boolean }> {
  const { lead, rest } = budget.keepSystem ? await readLead(reader) : { lead: [], rest: reader.ranges }
  const leading = lead.filter(isMessage)
  const standIns = reader.decode((await reader.summaries()).filter(({ kind }) => kind === 'compaction'))
  const spent = tokensOf(standIns.map(toMessage), budget)
  let size = Math.max(256, 2 * (budget.maxEntries ?? 0))
  for (;;) {
    const [before, tail] = splitTail(rest, size)
    const recent = (await reader.entries(tail)).filter(isHistory)
    const messages = recent.filter(isMessage)
    const plan = planTrim([...leading, ...messages].map(toMessage), budget, {
      lead: leading.length,
      fixedTokens: spent,
    })
    if (before.length > 0 && !plan.settled) {
      size *= 2
      continue
    }
    const kept = messages.slice(plan.cut - leading.length)
    const first = kept[0]?.seq
    const firstKept = recent.findIndex(({ seq }) => seq === first)
    const suffix = firstKept === -1 ? [] : recent.slice(firstKept)
    const shown = new Set(suffix.map(({ seq }) => seq))
    const earlier = standIns.filter(({ seq }) => !shown.has(seq))
    return { entries: [...leading, ...earlier, ...suffix], overBudget: plan.overBudget }
  }
}

/** The leading system messages, and the path behind them. */
async function readLead(reader: PathReader): Promise<{ lead: Entry[]; rest: readonly ClosedRange[] }> {
  const lead: Entry[] = []
  let rest: readonly ClosedRange[] = reader.ranges
  for (let size = 8; countEntries(rest) > 0; size *= 2) {
    const [head, behind] = splitHead(rest, size)
    const entries = await reader.entries(head)
    const end = leadLength(entries)
    lead.push(...entries.slice(0, end))
    if (end < entries.length) return { lead, rest: [...splitHead(head, end)[1], ...behind] }
    rest = behind
  }
  return { lead, rest }
}

function isMessage(entry: Entry): boolean {
  return entry.kind === 'message'
}
