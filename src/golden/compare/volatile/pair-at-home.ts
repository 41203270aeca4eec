import { groupBy } from '../rows/group-by.ts'
import { isToken, type TokenPairs, type TokenRow } from './tokens.ts'

/**
 * Pairs the tokens of rows that agree in everything that does not change: the columns of a row identify it better than
 * the rows that point to it. Returns whether any were paired.
 */
export function pairAtHome(rows: readonly TokenRow[], pairs: TokenPairs): boolean {
  const named = rows.flatMap((row) => {
    const stable = row.cells.map((cell) => (isToken(cell) ? pairs.has(cell) && pairs.number(cell) : cell))
    return [...row.home].flatMap((position) => {
      const token = row.cells[position]
      if (token === undefined || !isToken(token) || pairs.has(token)) return []
      return [{ token, description: JSON.stringify([row.table, position, token.shape, ...stable]) }]
    })
  })
  let isAnyPaired = false
  for (const group of groupBy(named, ({ description }) => description).values()) {
    const [one, other] = group.map(({ token }) => token)
    if (group.length !== 2 || one === undefined || other === undefined || one.side === other.side) continue
    if (pairs.has(one) || pairs.has(other)) continue
    pairs.pair(one, other)
    isAnyPaired = true
  }
  return isAnyPaired
}
