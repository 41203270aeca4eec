import type { DatabasePair, Side } from '../rows/database-pair.ts'
import { sharedColumns } from '../rows/lone-columns.ts'
import type { RowSource } from '../rows/row-source.ts'
import { pairTokens } from './pair-tokens.ts'
import { TokenBook } from './token-book.ts'
import { isToken, type Piece, type Token, type TokenRow } from './tokens.ts'
import type { VolatileRows } from './volatile-rows.ts'

/** Literals and placeholders; null for a column that this side does not have. */
export type PlainRow = readonly (string | null)[]

export type PlainRows = Readonly<Record<Side, readonly PlainRow[]>>

/** Each column of a row in pieces. */
type PieceRow = readonly (readonly Piece[] | null)[]

/** Writes the rows that differ with placeholders that mean the same in both databases. The order of the tables is kept. */
export function matchVolatile(pair: DatabasePair, tables: readonly VolatileRows[]): PlainRows[] {
  const tokens = new TokenBook()
  const read = tables.map(({ source, volatile, differing }) => {
    const volatilities = source.columns.map((column) => volatile.get(column))
    const rowsOf = (side: Side) =>
      differing.flatMap((row): PieceRow[] => {
        const values = row[side]
        if (values === null) return []
        return [values.map((value, at) => (value === undefined ? null : tokens.pieces(side, value, volatilities[at])))]
      })
    return { before: rowsOf('before'), after: rowsOf('after') }
  })
  const common = tokens.onBothSides(pair, tables)
  const settled = read.map(({ before, after }) => ({
    before: before.map((row) => settle(row, common)),
    after: after.map((row) => settle(row, common)),
  }))
  const pairs = pairTokens(
    settled.flatMap(({ before, after }, index) => {
      const table = tables[index]
      if (table === undefined) return []
      const describe = (side: Side) => (row: PieceRow) => toTokenRow(row, side, table)
      return [...before.map(describe('before')), ...after.map(describe('after'))]
    }),
  )
  const show = (piece: Piece): string => {
    if (typeof piece === 'string') return piece
    const token = isToken(piece) ? piece : piece.token
    return `<${token.shape} ${pairs.number(token)}>`
  }
  const plain = (row: PieceRow): PlainRow => row.map((pieces) => pieces?.map(show).join('') ?? null)
  return settled.map(({ before, after }) => ({ before: before.map(plain), after: after.map(plain) }))
}

/**
 * The row as it is matched: by the columns that both sides have. The tokens inside of a JSON text follow the columns, because their number is that
 * of the text.
 */
function toTokenRow(row: PieceRow, side: Side, { source, references }: VolatileRows): TokenRow {
  const inside: Token[] = []
  const cells = sharedColumns(source).map((_, index) => {
    const pieces = row[index] ?? []
    const [only] = pieces
    if (pieces.length === 1 && only !== undefined && isToken(only)) return only
    const texts = pieces.map((piece) => {
      if (typeof piece === 'string') return piece
      inside.push(isToken(piece) ? piece : piece.token)
      return '\0'
    })
    return texts.join('')
  })
  return { table: source.name, side, cells: [...cells, ...inside], home: homeOf(source, references) }
}

/** The key, if there is one; never a reference to another row. */
function homeOf(source: RowSource, references: ReadonlySet<string>): ReadonlySet<number> {
  const { key } = source
  const isHome = (column: string) => (key.length === 0 || key.includes(column)) && !references.has(column)
  return new Set(sharedColumns(source).flatMap((column, position) => (isHome(column) ? position : [])))
}

/** A value that both databases have stands for itself. */
function settle(row: PieceRow, common: ReadonlySet<string>): PieceRow {
  const settled = (piece: Piece) => {
    if (typeof piece === 'string') return piece
    if (isToken(piece)) return common.has(piece.value) ? piece.value : piece
    return common.has(piece.token.value) ? piece.json : piece
  }
  return row.map((pieces) => pieces?.map(settled) ?? null)
}
