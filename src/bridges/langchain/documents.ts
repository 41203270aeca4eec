import { Document } from './core-package.ts'

/** Where a document is in an artifact, such as `[0]` or `['found', 2]`. */
export type Place = readonly (string | number)[]

/**
 * Retrievers put instances of `Document` into a tool message's artifact. They are stored as plain objects, with a list of their places. Other
 * class instances are left as they are, for the store to reject.
 */
export function takeDocumentsOut(value: unknown, place: Place = []): { data: unknown; places: Place[] } {
  if (value instanceof Document) return { data: { ...value }, places: [place] }
  if (!isPlain(value)) return { data: value, places: [] }
  const inside = Object.entries(value).map(([key, one]) => {
    const step = Array.isArray(value) ? Number(key) : key
    return [key, takeDocumentsOut(one, [...place, step])] as const
  })
  const places = inside.flatMap(([, one]) => one.places)
  if (places.length === 0) return { data: value, places }
  const fields = inside.map(([key, { data }]) => [key, data] as const)
  return { data: Array.isArray(value) ? fields.map(([, data]) => data) : Object.fromEntries(fields), places }
}

export function putDocumentsBack(data: unknown, places: readonly Place[]): unknown {
  return places.reduce<unknown>((whole, place) => replaceAt(whole, place), data)
}

function replaceAt(data: unknown, [step, ...rest]: Place): unknown {
  if (step === undefined) return new Document(data as ConstructorParameters<typeof Document>[0])
  const holder = data as Record<string | number, unknown>
  holder[step] = replaceAt(holder[step], rest)
  return holder
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value) || [null, Object.prototype].includes(Object.getPrototypeOf(value) as object | null)
}
