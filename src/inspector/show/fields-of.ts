import type { Fields } from './part.ts'

/** Those of a list that have fields; none if it is no list. */
export function fieldsOf(list: unknown): Fields[] {
  if (!Array.isArray(list)) return []
  return list.filter((item: unknown): item is Fields => typeof item === 'object' && item !== null)
}
