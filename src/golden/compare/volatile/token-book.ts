import { escapeHidden } from '../../../plain/visible-text.ts'
import { isAtPath } from '../json/json-path.ts'
import { jsonScalar } from '../json/json-scalar.ts'
import { type JsonValue, jsonValues } from '../json/json-values.ts'
import { type DatabasePair, otherSide, type Side } from '../rows/database-pair.ts'
import { quoteName } from '../rows/sql-names.ts'
import { InvalidText, type SqlValue, toLiteral } from '../rows/values.ts'
import { shapeOf, type Volatility } from './shapes.ts'
import type { Piece, Token } from './tokens.ts'
import type { VolatileColumn } from './volatile-columns.ts'
import type { VolatileRows } from './volatile-rows.ts'

/** Turns values into pieces, with one token for each value of a side. */
export class TokenBook {
  readonly #tokens: Readonly<Record<Side, Map<string, Token>>> = { before: new Map(), after: new Map() }
  readonly #values = new Map<string, SqlValue>()

  pieces(side: Side, value: SqlValue, volatility: VolatileColumn | undefined): Piece[] {
    if (volatility === undefined) return [toLiteral(value)]
    const whole = volatility.whole === null ? null : this.#piece(side, value, volatility.whole)
    if (whole !== null) return [whole]
    const found = typeof value === 'string' ? valuesInside(value, volatility) : []
    return typeof value !== 'string' || found.length === 0 ? [toLiteral(value)] : this.#piecesOf(side, value, found)
  }

  /** The literals of tokens that occur in both databases, even in a row that does not differ. */
  onBothSides(pair: DatabasePair, tables: readonly VolatileRows[]): Set<string> {
    const { before, after } = this.#tokens
    const common = new Set([...before.keys()].filter((literal) => after.has(literal)))
    pair.execute(
      'CREATE TABLE IF NOT EXISTS temp.tokens (value PRIMARY KEY, literal) WITHOUT ROWID; DELETE FROM temp.tokens',
    )
    for (const own of ['before', 'after'] as const) {
      const other = otherSide(own)
      const open = [...this.#tokens[own].keys()].filter(
        (literal) => !common.has(literal) && !(this.#values.get(literal) instanceof InvalidText),
      )
      pair.fill(
        'INSERT OR REPLACE INTO temp.tokens VALUES (?, ?)',
        open.map((literal) => [this.#values.get(literal), literal]),
      )
      for (const { source, volatile } of tables) {
        const from = source.from[other]
        if (from === null || open.length === 0) continue
        for (const [column, volatility] of volatile) {
          if (source.lone[own].includes(column)) continue
          for (const literal of wholeLiterals(pair, from, column)) common.add(literal)
          const isOpen = (literal: string) => this.#tokens[own].has(literal)
          for (const literal of literalsInside(pair, from, column, volatility)) if (isOpen(literal)) common.add(literal)
        }
      }
      pair.execute('DELETE FROM temp.tokens')
    }
    return common
  }

  /** Null if the value stays as it is. */
  #piece(side: Side, value: SqlValue, volatility: Volatility): string | Token | null {
    const shape = shapeOf(value, volatility)
    if (shape === null) return null
    if ('standIn' in shape) return toLiteral(shape.standIn)
    return shape.keepsIdentity ? this.#token(side, value, shape.name) : `<${shape.name}>`
  }

  #token(side: Side, value: SqlValue, shape: string): Token {
    const literal = toLiteral(value)
    const known = this.#tokens[side].get(literal)
    if (known !== undefined) return known
    const token: Token = { side, shape, value: literal }
    this.#tokens[side].set(literal, token)
    this.#values.set(literal, value)
    return token
  }

  /** The text stays byte by byte, except for the values found. No literal reads like it, as it is not in quotes. */
  #piecesOf(side: Side, text: string, found: readonly (JsonValue & { volatility: Volatility })[]): Piece[] {
    const pieces: Piece[] = []
    let at = 0
    for (const { start, end, volatility } of found) {
      const json = text.slice(start, end)
      const piece = start < at ? null : this.#piece(side, jsonScalar(json), volatility)
      if (piece === null) continue
      pieces.push(written(text.slice(at, start)))
      pieces.push(typeof piece === 'string' ? piece : { token: piece, json: written(json) })
      at = end
    }
    return at === 0 ? [toLiteral(text)] : [...pieces, written(text.slice(at))]
  }
}

const written = (text: string) => escapeHidden(text.replaceAll('\\', '\\\\'))

/** In the order of the text. */
function valuesInside(text: string, { inside }: VolatileColumn): (JsonValue & { volatility: Volatility })[] {
  if (inside.length === 0) return []
  return jsonValues(text).flatMap((value) => {
    const declared = inside.find(({ path }) => isAtPath(value.path, path))
    return declared === undefined ? [] : [{ ...value, volatility: declared.volatility }]
  })
}

/** The literals of `temp.tokens` that a column has. The plus sign keeps a text from being compared as a number: '0e64' is not 0. */
function wholeLiterals(pair: DatabasePair, from: string, column: string): string[] {
  const found = `SELECT DISTINCT k.literal FROM ${from} AS t JOIN temp.tokens AS k ON k.value = +t.${quoteName(column)} COLLATE BINARY`
  return [...pair.rows(found)].map(([literal]) => String(literal))
}

/** The literals inside of the JSON texts of a column. */
function literalsInside(pair: DatabasePair, from: string, column: string, volatility: VolatileColumn): string[] {
  if (volatility.inside.length === 0) return []
  const name = `t.${quoteName(column)}`
  const texts = [...pair.rows(`SELECT ${name} FROM ${from} AS t WHERE typeof(${name}) = 'text'`)]
  return texts.flatMap(([text]) =>
    valuesInside(String(text), volatility).map(({ start, end }) =>
      toLiteral(jsonScalar(String(text).slice(start, end))),
    ),
  )
}
