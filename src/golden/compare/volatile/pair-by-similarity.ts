import { isToken, type Token, type TokenPairs, type TokenRow } from './tokens.ts'

/** Features shared by more tokens than this say little and cost much. */
const tooCommon = 40

/** The columns of a row count more than the rows that point to it. */
const weightAtHome = 1e6

/** Pairs the tokens whose rows have the most cells in common; returns whether any were. */
export function pairBySimilarity(rows: readonly TokenRow[], pairs: TokenPairs): boolean {
  const scores = new Map<Token, Map<Token, number>>()
  for (const { weight, holders } of holdersByFeature(rows, pairs).values()) {
    if (holders.before.length * holders.after.length > tooCommon ** 2) continue
    for (const one of holders.before) {
      const scored = scores.get(one) ?? new Map<Token, number>()
      scores.set(one, scored)
      for (const other of holders.after) scored.set(other, (scored.get(other) ?? 0) + weight)
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

interface Feature {
  readonly weight: number
  readonly holders: Holders
}

function holdersByFeature(rows: readonly TokenRow[], pairs: TokenPairs): Map<string, Feature> {
  const features = new Map<string, Feature>()
  for (const { table, cells, home } of rows) {
    const descriptions = cells.flatMap((cell, column) => {
      if (!isToken(cell)) return cell.startsWith('<') ? [] : `${column}=${cell}`
      return pairs.has(cell) ? `${column}=#${pairs.number(cell)}` : []
    })
    for (const [position, cell] of cells.entries()) {
      if (!isToken(cell) || pairs.has(cell)) continue
      const weight = home.has(position) ? weightAtHome : 1
      for (const described of descriptions) {
        const name: string = JSON.stringify([table, position, cell.shape, described])
        const feature: Feature = features.get(name) ?? { weight, holders: { before: [], after: [] } }
        features.set(name, feature)
        const { holders } = feature
        if (holders[cell.side].at(-1) !== cell) holders[cell.side].push(cell)
      }
    }
  }
  return features
}
