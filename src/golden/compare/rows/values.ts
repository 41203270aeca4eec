import { escapeHidden } from '../../../plain/visible-text.ts'
import { joinBalanced } from './sql-names.ts'

/** A value as SQLite stores it. Text that is not well-formed is an `InvalidText` with its bytes. */
export type SqlValue = null | bigint | number | string | Uint8Array | InvalidText

export class InvalidText {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
}

/** Undefined stands for a column that this side does not have. */
export type Row = readonly (SqlValue | undefined)[]

/** Selects columns so that `decodeRow` can tell all types apart: text comes as bytes, and the types as one string at the end. */
export function selectExact(columns: readonly string[]): string {
  const values = columns.map(
    (column) => `CASE typeof(${column}) WHEN 'text' THEN CAST(${column} AS BLOB) ELSE ${column} END`,
  )
  const types = columns.map((column) => `substr(typeof(${column}), 1, 1)`)
  return [...values, types.length === 0 ? "''" : joinBalanced(types, '||')].join(', ')
}

/** Decodes columns, starting at an offset, of a raw row that `selectExact` selected. */
export function decodeRow(raw: readonly unknown[], offset: number, width: number, encoding: string): Row {
  const types = String(raw[offset + width])
  return Array.from({ length: width }, (_, index) => {
    const value = raw[offset + index]
    return types[index] === 't' ? decodeText(value as Uint8Array, encoding) : (value as SqlValue)
  })
}

function decodeText(bytes: Uint8Array, encoding: string): string | InvalidText {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return new InvalidText(bytes)
  }
}

/** An SQL literal that no other value has. */
export function toLiteral(value: SqlValue): string {
  if (value === null) return 'NULL'
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return realLiteral(value)
  if (typeof value === 'string') return textLiteral(value)
  if (value instanceof InvalidText) return `CAST(x'${hex(value.bytes)}' AS TEXT)`
  return `x'${hex(value)}'`
}

function realLiteral(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '9e999' : '-9e999'
  if (Object.is(value, -0)) return '-0.0'
  const text = String(value)
  return /[.e]/.test(text) ? text : `${text}.0`
}

const textLiteral = (text: string) => `'${escapeHidden(text.replaceAll('\\', '\\\\').replaceAll("'", "''"))}'`

const hex = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')

/** The value of a literal; undefined for a placeholder and for text that is not well-formed. */
export function parseLiteral(literal: string): SqlValue | undefined {
  if (literal === 'NULL') return null
  if (/^-?\d+$/.test(literal)) return BigInt(literal)
  if (/^-?\d[\d.e+-]*$/.test(literal)) return Number(literal)
  if (/^x'[0-9a-f]*'$/.test(literal)) return Buffer.from(literal.slice(2, -1), 'hex')
  return /^'.*'$/s.test(literal) ? unescapeText(literal.slice(1, -1)) : undefined
}

const short: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

function unescapeText(text: string): string {
  return text
    .replaceAll("''", "'")
    .replaceAll(/\\(?:u([0-9a-f]{4})|(.))/g, (_, unit: string | undefined, character: string) =>
      unit === undefined ? (short[character] ?? character) : String.fromCharCode(Number.parseInt(unit, 16)),
    )
}
