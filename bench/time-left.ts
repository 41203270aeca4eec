import type { Line } from './report.ts'

/**
 * How many seconds the rows to come will take: as many as in an earlier run, at the pace of this one; a row that the earlier run does not know, as many as the mean of those done.
 */
export function timeLeft(
  done: readonly Line[],
  toCome: readonly string[],
  earlier: ReadonlyMap<string, number>,
): number {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
  const took = sum(done.map(({ seconds }) => seconds))
  const known = done.filter(({ name }) => earlier.has(name))
  const expected = sum(known.map(({ name }) => earlier.get(name) ?? 0))
  const pace = expected > 0 ? sum(known.map(({ seconds }) => seconds)) / expected : 1
  const mean = done.length > 0 ? took / done.length : 0
  return sum(toCome.map((name) => (earlier.has(name) ? (earlier.get(name) ?? 0) * pace : mean)))
}
