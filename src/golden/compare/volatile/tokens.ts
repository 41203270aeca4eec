import type { Side } from '../rows/database-pair.ts'

/** A value that changes on every run, of one database. */
export interface Token {
  readonly side: Side
  readonly shape: string
  readonly value: string
}

/** A part of a value as it is shown: text, a token, or a token inside of a JSON text, with what the text has there. */
export type Piece = string | Token | { readonly token: Token; readonly json: string }

/** A row in which literals are strings, and values that keep their identity are tokens. */
export interface TokenRow {
  readonly table: string
  readonly side: Side
  readonly cells: readonly (string | Token)[]
  /** The positions that identify the row itself, as opposed to references. */
  readonly home: ReadonlySet<number>
}

/** Which token of one side stands for which of the other, both ways, and under which number both are shown. */
export class TokenPairs {
  readonly #numbers = new Map<Token, number>()
  #count = 0

  pair(one: Token, other: Token): void {
    const number = ++this.#count
    this.#numbers.set(one, number)
    this.#numbers.set(other, number)
  }

  has(token: Token): boolean {
    return this.#numbers.has(token)
  }

  /** Numbers a token that has no partner. */
  number(token: Token): number {
    const known = this.#numbers.get(token)
    if (known !== undefined) return known
    this.#numbers.set(token, ++this.#count)
    return this.#count
  }
}

export const isToken = (cell: Piece): cell is Token => typeof cell !== 'string' && 'side' in cell
