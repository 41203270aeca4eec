import { groupBy } from '../rows/group-by.ts'
import { pairAtHome } from './pair-at-home.ts'
import { pairBySimilarity } from './pair-by-similarity.ts'
import { type Colors, refineColors } from './refine-colors.ts'
import { isToken, type Token, TokenPairs, type TokenRow } from './tokens.ts'

/**
 * Finds which value of one run corresponds to which value of the other. Tokens with a color that is unique on their side are paired; ties are broken
 * by pairing one of each independent group and refining again; what changed is paired by what its own row says, then by similarity. The result is a renaming, which the
 * caller applies and compares exactly: a wrong guess can show a false difference, but never hide one.
 */
export function pairTokens(rows: readonly TokenRow[]): TokenPairs {
  const pairs = new TokenPairs()
  for (;;) {
    const open = rows.filter(({ cells }) => cells.some((cell) => isToken(cell) && !pairs.has(cell)))
    if (open.length === 0) return pairs
    const colors = refineColors(open, pairs)
    const progress =
      pairUnique(colors.at(-1), pairs) ||
      breakTies(open, colors, pairs) ||
      pairAtHome(open, pairs) ||
      colors.toReversed().some((round) => pairUnique(round, pairs)) ||
      pairBySimilarity(open, pairs)
    if (!progress) return pairs
  }
}

function pairUnique(round: ReadonlyMap<Token, number> | undefined, pairs: TokenPairs): boolean {
  let paired = false
  for (const group of unpairedByColor(round, pairs)) {
    const [one, other] = group
    if (one === undefined || other === undefined || group.length !== 2 || one.side === other.side) continue
    pairs.pair(one, other)
    paired = true
  }
  return paired
}

/** Groups that share no token are independent, so one tie of each can be broken at once, if a group of the other side has the same colors. */
function breakTies(rows: readonly TokenRow[], colors: Colors, pairs: TokenPairs): boolean {
  const deepest = colors.at(-1) ?? new Map<Token, number>()
  const components = connectedTokens(rows, pairs).map((tokens) => {
    const sorted = [...tokens].sort((a, b) => (deepest.get(a) ?? 0) - (deepest.get(b) ?? 0))
    return { first: sorted[0], signature: sorted.map((token) => deepest.get(token)).join() }
  })
  let paired = false
  for (const group of groupBy(components, ({ signature }) => signature).values()) {
    const firsts = group.flatMap(({ first }) => first ?? [])
    const before = firsts.filter(({ side }) => side === 'before')
    const after = firsts.filter(({ side }) => side === 'after')
    for (const [index, one] of before.entries()) {
      const other = after[index]
      if (other === undefined) break
      pairs.pair(one, other)
      paired = true
    }
  }
  return paired
}

function connectedTokens(rows: readonly TokenRow[], pairs: TokenPairs): Set<Token>[] {
  const parents = new Map<Token, Token>()
  const rootOf = (token: Token): Token => {
    let root = token
    for (let parent = parents.get(root); parent !== undefined && parent !== root; parent = parents.get(root))
      root = parent
    parents.set(token, root)
    return root
  }
  for (const { cells } of rows) {
    const [first, ...others] = cells.filter((cell) => isToken(cell) && !pairs.has(cell)) as Token[]
    if (first === undefined) continue
    rootOf(first)
    for (const other of others) parents.set(rootOf(other), rootOf(first))
  }
  return [...groupBy(parents.keys(), rootOf).values()].map((tokens) => new Set(tokens))
}

function unpairedByColor(round: ReadonlyMap<Token, number> | undefined, pairs: TokenPairs): Iterable<Token[]> {
  const open = [...(round?.keys() ?? [])].filter((token) => !pairs.has(token))
  return groupBy(open, (token) => round?.get(token)).values()
}
