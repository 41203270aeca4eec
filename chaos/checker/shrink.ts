import { checkHistory } from './check-history.ts'
import type { CheckOptions } from './checking.ts'
import { isWrite, type Operation, spanOf, type Violation } from './history.ts'

/**
 * The fewest operations that still show a violation. Writes stay if the rest is computed from them: without one of them, everything after it
 * would look wrong.
 */
export function shrink(
  operations: readonly Operation[],
  violation: Violation,
  options: CheckOptions = {},
): readonly Operation[] {
  const isShown = (some: readonly Operation[]) =>
    checkHistory(some, options).some(
      ({ rule, operations: culprits }) => rule === violation.rule && culprits.join() === violation.operations.join(),
    )
  const culprits = new Set(violation.operations)
  const end = Math.max(...operations.filter(({ id }) => culprits.has(id)).map((one) => endOf(one)))
  const mayGo = (one: Operation) => !culprits.has(one.id) && !(violation.needsWrites && isWrite(one))
  const isNear = (one: Operation) =>
    culprits.has(one.id) || (one.session === violation.session && spanOf(one).from <= end)
  const candidates = [operations.filter((one) => isNear(one) && !mayGo(one)), operations.filter(isNear), operations]
  let kept = candidates.find(isShown) ?? operations
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < kept.length; from += size) {
      const rest = kept.filter((one, index) => index < from || index >= from + size || !mayGo(one))
      if (rest.length < kept.length && isShown(rest)) kept = rest
    }
  }
  return [...kept].sort((a, b) => spanOf(a).from - spanOf(b).from)
}

function endOf(operation: Operation): number {
  const { from, to } = spanOf(operation)
  return Number.isFinite(to) ? to : from
}
