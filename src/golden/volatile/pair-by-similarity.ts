import { isToken, type Token, type TokenPairs, type TokenRow } from './tokens.ts'

/** Features that more tokens than this share say little, and cost much. */
const tooCommon = 40

/** Pairs the tokens whose rows have the most cells in common; returns whether any were. */
export function pairBySimilarity(rows: readonly TokenRow[], pairs: TokenPairs): boolean {
  const scores = new Map<Token, Map<Token, number>>()
  for (const holders of holdersByFeature(rows, pairs).values()) {
    if (holders.before.length * holders.after.length > tooCommon ** 2) continue
    for (const one of holders.before) {
      const scored = scores.get(one) ?? new Map<Token, number>()
      scores.set(one, scored)
      for (const other of holders.after) scored.set(other, (scored.get(other) ?? 0) + 1)
    }
  }
  const candidates = [...scores].flatMap(([one, scored]) =>
    [...scored].map(([other, score]) => ({ one, other, score })),
  )
  candidates.sort((a, b) => b.score - a.score)
  const best = candidates[0]?.score
  let paired = false
  for (const { one, other, score } of candidates) {
    if (score !== best) break
    if (pairs.has(one) || pairs.has(other)) continue
    pairs.pair(one, other)
    paired = true
  }
  return paired
}

interface Holders {
  readonly before: Token[]
  readonly after: Token[]
}

function holdersByFeature(rows: readonly TokenRow[], pairs: TokenPairs): Map<string, Holders> {
  const features = new Map<string, Holders>()
  for (const { table, cells } of rows) {
    const described = cells.flatMap((cell, column) => {
      if (!isToken(cell)) return cell.startsWith('<') ? [] : `${column}=${cell}`
      return pairs.has(cell) ? `${column}=#${pairs.number(cell)}` : []
    })
    for (const [position, cell] of cells.entries()) {
      if (!isToken(cell) || pairs.has(cell)) continue
      for (const feature of described) {
        const name: string = JSON.stringify([table, position, cell.shape, feature])
        const holders: Holders = features.get(name) ?? { before: [], after: [] }
        features.set(name, holders)
        if (holders[cell.side].at(-1) !== cell) holders[cell.side].push(cell)
      }
    }
  }
  return features
}
