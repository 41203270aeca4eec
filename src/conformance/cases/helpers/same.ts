import { AssertionError } from 'node:assert/strict'
import { types } from 'node:util'

/**
 * Asserts that what a store returned is what was expected: the same values in the same order. Objects may carry more fields than were
 * expected, never fewer, and may be of any class.
 */
export function same(actual: unknown, expected: unknown, about?: string): void {
  const place = firstDifference(actual, expected, '', new Set())
  if (place === null) return
  const where = place === '' ? '' : `, first at ${place}`
  throw new AssertionError({
    message: `${about ?? 'expected the same'}${where}`,
    actual,
    expected,
    operator: 'same',
    stackStartFn: same,
  })
}

/** The same check, as a boolean. */
export function isSame(actual: unknown, expected: unknown): boolean {
  return firstDifference(actual, expected, '', new Set()) === null
}

/** The path to the first place where they differ; `null` if they don't. */
function firstDifference(actual: unknown, expected: unknown, path: string, under: Set<unknown>): string | null {
  if (typeof expected !== 'object' || expected === null) return Object.is(actual, expected) ? null : path
  if (typeof actual !== 'object' || actual === null) return path
  if (expected instanceof Date) return actual instanceof Date && +actual === +expected ? null : path
  if (types.isTypedArray(expected)) return isSameView(actual, expected) ? null : path
  if (expected instanceof URL) return actual instanceof URL && actual.href === expected.href ? null : path
  if (types.isArrayBuffer(expected)) {
    return types.isArrayBuffer(actual) && Buffer.from(actual).equals(Buffer.from(expected)) ? null : path
  }
  if (Array.isArray(expected) !== Array.isArray(actual)) return path
  if (expected instanceof Set) {
    return actual instanceof Set && actual.size === expected.size && [...expected].every((one) => actual.has(one))
      ? null
      : path
  }
  if (expected instanceof Map) {
    return actual instanceof Map ? firstDifference([...actual], [...expected], path, under) : path
  }
  if (under.has(expected)) return under.has(actual) ? null : path
  const below = new Set([...under, expected, actual])
  if (Array.isArray(expected) && (actual as unknown[]).length !== expected.length) return `${path}.length`
  for (const key of Object.keys(expected)) {
    const at = Array.isArray(expected) ? `${path}[${key}]` : `${path}.${key}`
    const wanted = (expected as Record<string, unknown>)[key]
    if (wanted !== undefined && !isReadable(actual, key)) return at
    const difference = firstDifference((actual as Record<string, unknown>)[key], wanted, at, below)
    if (difference !== null) return difference
  }
  return null
}

/** A field of its own or of its class, but not what every object has. */
function isReadable(value: object, key: string): boolean {
  return Object.hasOwn(value, key) || (key in value && !(key in Object.prototype))
}

function isSameView(actual: object, expected: NodeJS.TypedArray): boolean {
  if (!types.isTypedArray(actual) || actual[Symbol.toStringTag] !== expected[Symbol.toStringTag]) return false
  const bytes = (view: NodeJS.TypedArray) => Buffer.from(view.buffer, view.byteOffset, view.byteLength)
  return bytes(actual).equals(bytes(expected))
}
