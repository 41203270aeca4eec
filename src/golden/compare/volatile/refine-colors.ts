import { isToken, type Token, type TokenPairs, type TokenRow } from './tokens.ts'

/** A color per token after each round: tokens with the same color cannot be told apart within that many steps. */
export type Colors = readonly ReadonlyMap<Token, number>[]

/** Numbers the descriptions, so that equal ones on both sides are one color. */
class Palette {
  readonly #colors = new Map<string, number>()

  color(description: string): number {
    const known = this.#colors.get(description)
    if (known !== undefined) return known
    this.#colors.set(description, this.#colors.size)
    return this.#colors.size - 1
  }

  get size(): number {
    return this.#colors.size
  }
}

/** Color refinement over the rows of both sides together, until no round tells more apart than the one before. Paired tokens are literals. */
export function refineColors(rows: readonly TokenRow[], pairs: TokenPairs): Colors {
  const first = new Palette()
  const start = colorsAtStart(rows, pairs, first)
  const rounds = [start]
  for (let apart = first.size, colors = start; ; ) {
    const rowPalette = new Palette()
    const uses = new Map<Token, string[]>()
    for (const { table, cells } of rows) {
      const described = cells.map((cell) => {
        if (!isToken(cell)) return cell
        return pairs.has(cell) ? `#${pairs.number(cell)}` : (colors.get(cell) ?? 0)
      })
      const rowColor = rowPalette.color(JSON.stringify([table, ...described]))
      for (const [position, token] of unpaired(cells, pairs)) {
        const known = uses.get(token)
        const use = `${rowColor}/${position}`
        if (known === undefined) uses.set(token, [use])
        else known.push(use)
      }
    }
    const palette = new Palette()
    const next = new Map<Token, number>()
    for (const [token, found] of uses) next.set(token, palette.color(`${colors.get(token)}:${found.sort().join()}`))
    if (palette.size === apart) return rounds
    rounds.push(next)
    apart = palette.size
    colors = next
  }
}

/** The first color of a token is its shape and the columns it occurs in. */
function colorsAtStart(rows: readonly TokenRow[], pairs: TokenPairs, palette: Palette): Map<Token, number> {
  const places = new Map<Token, Set<string>>()
  for (const { table, cells } of rows) {
    for (const [position, token] of unpaired(cells, pairs)) {
      places.set(token, (places.get(token) ?? new Set()).add(`${position} ${table}`))
    }
  }
  return new Map(
    [...places].map(([token, found]) => [token, palette.color(JSON.stringify([token.shape, ...[...found].sort()]))]),
  )
}

function unpaired(cells: TokenRow['cells'], pairs: TokenPairs): [position: number, token: Token][] {
  return [...cells.entries()].filter((entry): entry is [number, Token] => isToken(entry[1]) && !pairs.has(entry[1]))
}
