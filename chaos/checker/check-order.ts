import type { CheckOptions, Report } from './checking.ts'
import { isWrite, type Operation, placeOf, resultOf, spanOf } from './history.ts'

interface Point {
  readonly operation: Operation
  readonly from: number
  readonly to: number
  /** The life and the counter, as one number that orders them. */
  readonly place: number
  readonly nonce: string
}

const perLife = 1e9

/** Whoever starts after another has its answer sees at least what that one saw, and a write comes after it. */
export function checkOrder(
  operations: readonly Operation[],
  births: readonly string[],
  report: Report,
  { mayLoseUnacknowledged = false }: CheckOptions,
): void {
  const points = pointsOf(operations, births)
  const nonces = new Map(points.filter(({ operation }) => isWrite(operation)).map(({ place, nonce }) => [place, nonce]))
  const isLasting = ({ place, nonce, operation }: Point) =>
    isWrite(operation) || !mayLoseUnacknowledged || nonces.get(place) === nonce
  const byEnd = points.filter(isLasting).sort((a, b) => a.to - b.to)
  let done = 0
  let newest: Point | null = null
  for (const point of [...points].sort((a, b) => a.from - b.from)) {
    for (let next = byEnd[done]; next !== undefined && next.to < point.from; next = byEnd[++done]) {
      if (newest === null || next.place > newest.place) newest = next
    }
    if (newest === null || newest.operation === point.operation) continue
    const isLate = isWrite(point.operation) ? point.place <= newest.place : point.place < newest.place
    if (!isLate) continue
    const what = isWrite(point.operation) ? 'committed before' : 'read a state before'
    report(
      'the order agrees with real time',
      [newest.operation, point.operation],
      `the second ${what} the first, which had its answer when the second began`,
    )
  }
}

function pointsOf(operations: readonly Operation[], births: readonly string[]): Point[] {
  return operations.flatMap((operation) => {
    const { version } = resultOf(operation) ?? {}
    if (typeof version !== 'string' || isElsewhere(operation)) return []
    const { birth, counter, nonce } = placeOf(version)
    const life = births.indexOf(birth)
    if (life === -1) return []
    return [{ operation, ...spanOf(operation), place: life * perLife + counter, nonce }]
  })
}

/** Its version is that of another session. */
function isElsewhere({ call }: Operation): boolean {
  return call.method === 'fork' || call.method === 'import'
}

/** The counter of one life that was there, for somebody, when an operation began. */
export function floors(operations: readonly Operation[], birth: string): (operation: Operation) => number {
  const ends = pointsOf(operations, [birth]).sort((a, b) => a.to - b.to)
  const highest: number[] = []
  for (const { place } of ends) highest.push(Math.max(place, highest.at(-1) ?? 0))
  return (operation) => {
    const { from } = spanOf(operation)
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle]?.to ?? Infinity) < from) low = middle + 1
      else high = middle
    }
    return highest[low - 1] ?? 0
  }
}

/** The highest counter that was there when an operation ended: writes that began later come after it. */
export function ceilings(operations: readonly Operation[], birth: string): (to: number) => number {
  const writes = pointsOf(operations.filter(isWrite), [birth])
  return (to) => Math.min(Infinity, ...writes.filter(({ from }) => from > to).map(({ place }) => place)) - 1
}
