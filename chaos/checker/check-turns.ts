import type { Report } from './checking.ts'
import { type Operation, placeOf, resultOf } from './history.ts'

/** What was written through one turn is not mixed with what was written through another. */
export function checkTurns(writes: readonly Operation[], report: Report): void {
  const turns = new Map<string, { birth: string; counter: number; operation: Operation }[]>()
  for (const operation of writes) {
    const { version } = resultOf(operation) ?? {}
    if (operation.turn === undefined || typeof version !== 'string') continue
    const place = placeOf(version)
    const key = `${operation.turn} in ${place.birth}`
    turns.set(key, [...(turns.get(key) ?? []), { ...place, operation }])
  }
  const spans = [...turns.values()].flatMap((commits) => {
    const ordered = [...commits].sort((a, b) => a.counter - b.counter)
    const [first, last] = [ordered[0], ordered.at(-1)]
    return first === undefined || last === undefined ? [] : [{ first, last }]
  })
  const byStart = spans.sort((a, b) => a.first.counter - b.first.counter)
  for (const [index, { first, last }] of byStart.entries()) {
    const next = byStart.slice(index + 1).find((other) => other.first.birth === first.birth)
    if (next === undefined || next.first.counter > last.counter) continue
    report(
      'one turn at a time',
      [first.operation, next.first.operation, last.operation],
      'the second wrote through another turn while the turn of the first and the third was held',
    )
  }
}
