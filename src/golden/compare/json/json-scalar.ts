import type { SqlValue } from '../rows/values.ts'

const widest = 2n ** 63n

/** The value that SQLite's `json_extract` returns for a part of a JSON text: an object or an array is its text. */
export function jsonScalar(json: string): SqlValue {
  const value: unknown = JSON.parse(json)
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 1n : 0n
  if (typeof value !== 'number') return json
  const integer = /^-?\d+$/.test(json) ? BigInt(json) : widest
  return integer < widest && integer >= -widest ? integer : value
}
