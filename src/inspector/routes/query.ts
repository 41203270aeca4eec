import { misuse } from '../../core/errors.ts'

export function textOf(query: URLSearchParams, name: string): string {
  const value = query.get(name)
  if (value === null || value === '') throw misuse(`${name}: expected some text`)
  return value
}

export function wholeOf(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name)
  if (value === null) return undefined
  if (!/^\d{1,15}$/.test(value)) throw misuse(`${name}: expected a whole number`)
  return Number(value)
}

/** Keeps a page small, whatever is asked for. */
export function countOf(query: URLSearchParams, name: string, most: number): number | undefined {
  const count = wholeOf(query, name)
  return count === undefined ? undefined : Math.min(count, most)
}
