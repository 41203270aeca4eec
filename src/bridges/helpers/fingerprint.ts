import { createHash } from 'node:crypto'
import { carryValue, takeBytesOut } from '../../core/carry-value.ts'

/**
 * Equal for values that a store keeps alike: the order of keys does not matter, and a property that is `undefined` is a missing one. Throws
 * `InvalidEntryError` for what cannot be stored; `name` says in its message where that is.
 */
export function fingerprint(value: unknown, name: string): string {
  const carried = carryValue(value, name)
  takeBytesOut(carried)
  const places = carried.bytes.map(({ place, kind, bytes }) => [JSON.stringify(place), [kind, base64(bytes)]] as const)
  return createHash('sha256')
    .update(JSON.stringify([carried.data, Object.fromEntries(places)], sortKeys))
    .digest('base64url')
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}
