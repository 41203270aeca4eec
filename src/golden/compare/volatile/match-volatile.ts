import type { DatabasePair, Side } from '../rows/database-pair.ts'
import type { DifferingRow, RowSource } from '../rows/differing-rows.ts'
import { quoteName } from '../rows/sql-names.ts'
import { InvalidText, type SqlValue, toLiteral } from '../rows/values.ts'
import { pairTokens } from './pair-tokens.ts'
import { shapeOf, type Volatility } from './shapes.ts'
import { isToken, type Token, type TokenRow } from './tokens.ts'
import type { VolatileTable } from './volatile-columns.ts'

/** The rows of a table that differ, and how its columns vary. */
export interface VolatileRows {
  readonly source: RowSource
  readonly volatile: VolatileTable
  /** The columns that point to another row. */
  readonly references: ReadonlySet<string>
  readonly differing: readonly DifferingRow[]
}

/** Rows as literals and placeholders, those of each side. */
export type PlainRows = Readonly<Record<Side, (readonly string[])[]>>

/** Writes the rows that differ with placeholders that mean the same in both databases. The order of the tables is kept. */
export function matchVolatile(pair: DatabasePair, tables: readonly VolatileRows[]): PlainRows[] {
  const tokens = new TokenBook()
  const read = tables.map(({ source, volatile, references, differing }) => {
    const home = homeOf(source, references)
    const volatilities = source.columns.map((column) => volatile.get(column))
    const rowsOf = (side: Side) =>
      differing.flatMap((row): TokenRow[] => {
        const values = row[side]
        if (values === null) return []
        const cells = values.map((value, at) => tokens.cell(side, value, volatilities[at]))
        return [{ table: source.name, side, cells, home }]
      })
    return { before: rowsOf('before'), after: rowsOf('after') }
  })
  const common = tokens.onBothSides(pair, tables)
  const settled = read.map(({ before, after }) => ({
    before: before.map((row) => settle(row, common)),
    after: after.map((row) => settle(row, common)),
  }))
  const pairs = pairTokens(settled.flatMap(({ before, after }) => [...before, ...after]))
  const plain = ({ cells }: TokenRow) =>
    cells.map((cell) => (isToken(cell) ? `<${cell.shape} ${pairs.number(cell)}>` : cell))
  return settled.map(({ before, after }) => ({ before: before.map(plain), after: after.map(plain) }))
}

/** The key, if there is one; never a reference to another row. */
function homeOf({ columns, key }: RowSource, references: ReadonlySet<string>): ReadonlySet<number> {
  const isHome = (column: string) => (key.length === 0 || key.includes(column)) && !references.has(column)
  return new Set(columns.flatMap((column, position) => (isHome(column) ? position : [])))
}

/** A value that both databases have stands for itself. */
function settle(row: TokenRow, common: ReadonlySet<string>): TokenRow {
  return { ...row, cells: row.cells.map((cell) => (isToken(cell) && common.has(cell.value) ? cell.value : cell)) }
}

class TokenBook {
  readonly #tokens: Readonly<Record<Side, Map<string, Token>>> = { before: new Map(), after: new Map() }
  readonly #values = new Map<string, SqlValue>()

  cell(side: Side, value: SqlValue, volatility: Volatility | undefined): string | Token {
    const shape = volatility === undefined ? null : shapeOf(value, volatility)
    if (shape === null) return toLiteral(value)
    if ('standIn' in shape) return toLiteral(shape.standIn)
    if (!shape.keepsIdentity) return `<${shape.name}>`
    const literal = toLiteral(value)
    const known = this.#tokens[side].get(literal)
    if (known !== undefined) return known
    const token: Token = { side, shape: shape.name, value: literal }
    this.#tokens[side].set(literal, token)
    this.#values.set(literal, value)
    return token
  }

  /** The literals of tokens that occur in both databases, even in a row that does not differ. */
  onBothSides(pair: DatabasePair, tables: readonly VolatileRows[]): Set<string> {
    const { before, after } = this.#tokens
    const common = new Set([...before.keys()].filter((literal) => after.has(literal)))
    pair.execute(
      'CREATE TABLE IF NOT EXISTS temp.tokens (value PRIMARY KEY, literal) WITHOUT ROWID; DELETE FROM temp.tokens',
    )
    for (const [own, other] of [
      ['before', 'after'],
      ['after', 'before'],
    ] as const) {
      const open = [...this.#tokens[own].keys()].filter(
        (literal) => !common.has(literal) && !(this.#values.get(literal) instanceof InvalidText),
      )
      pair.fill(
        'INSERT OR REPLACE INTO temp.tokens VALUES (?, ?)',
        open.map((literal) => [this.#values.get(literal), literal]),
      )
      for (const { source, volatile } of tables) {
        if (source.from[other] === null) continue
        for (const column of volatile.keys()) {
          const found = `SELECT DISTINCT k.literal FROM ${source.from[other]} AS t JOIN temp.tokens AS k ON k.value = t.${quoteName(column)} COLLATE BINARY`
          for (const [literal] of pair.rows(found)) common.add(String(literal))
        }
      }
      pair.execute('DELETE FROM temp.tokens')
    }
    return common
  }
}
