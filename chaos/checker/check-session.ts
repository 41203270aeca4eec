import { isDeepStrictEqual } from 'node:util'
import { checkOrder, floors } from './check-order.ts'
import { checkReads } from './check-reads.ts'
import { checkTurns } from './check-turns.ts'
import type { CheckOptions, Life } from './checking.ts'
import {
  answersOf,
  isWrite,
  mayBeApplied,
  type Operation,
  placeOf,
  resultOf,
  spanOf,
  type Violation,
} from './history.ts'
import { placeAll, replay } from './replay.ts'

/** Checks everything that was done to one session. */
export function checkSession(
  session: string,
  operations: readonly Operation[],
  options: CheckOptions = {},
): { readonly violations: Violation[]; readonly lives: readonly Life[] } {
  const violations: Violation[] = []
  const report = (rule: string, culprits: readonly Operation[], message: string, needsWrites = false) =>
    violations.push({ rule, session, operations: culprits.map(({ id }) => id), message, needsWrites })

  for (const operation of operations) {
    for (const { outcome } of operation.attempts) {
      if (outcome?.is === 'untyped') report('every error is typed', [operation], `${outcome.code}: ${outcome.message}`)
      if (outcome?.is === 'refused' && outcome.code === 'MEMORY_LOST') {
        report('nothing is lost', [operation], outcome.message ?? 'MEMORY_LOST')
      }
    }
    const results = answersOf(operation).map(({ result }) => result)
    if (isWrite(operation) && results.some((result) => !isDeepStrictEqual(result, results[0]))) {
      report('a repeated operation returns the first result', [operation], JSON.stringify(results))
    }
  }

  const writes = operations.filter(isWrite)
  const births = birthsOf(writes)
  checkOrder(operations, births, report, options)
  checkTurns(writes, report)

  const lives: Life[] = []
  for (const birth of births) {
    const own = writes.filter((one) => birthOf(one) === birth)
    const { placed, twice } = placeAll(own)
    for (const pair of twice) report('each commit has a place of its own', pair, 'two writes returned the same counter')
    const floorOf = floors(operations, birth)
    const { states, failure } = replay({
      placed,
      unplaced: writes.filter((one) => mayBeApplied(one) && spanOf(one).from < lastReturn(own)),
      floorOf,
      ownCommits: writes.filter(({ call }) => call.method === 'rewind').length,
    })
    for (const deletion of deletionsOf(operations, birth)) {
      const late = [...placed].find(([counter]) => counter > placeOf(deletion.call.ifVersion).counter)
      if (late !== undefined) report('a deletion is of one version', [deletion, late[1]], 'the second is later than it')
    }
    if (failure !== null) report('one order explains every result', [failure.operation], failure.message, true)
    lives.push({ birth, states })
  }
  const isWhole = !violations.some(({ needsWrites }) => needsWrites)
  if (isWhole) checkReads(operations, lives, report, options)
  return { violations, lives }
}

function birthOf(operation: Operation): string | null {
  const { version } = resultOf(operation) ?? {}
  return typeof version === 'string' ? placeOf(version).birth : null
}

function deletionsOf(operations: readonly Operation[], birth: string) {
  return operations.flatMap((operation) => {
    const { call } = operation
    const isDone = call.method === 'delete' && resultOf(operation)?.deleted === true
    return isDone && placeOf(call.ifVersion).birth === birth ? [{ ...operation, call }] : []
  })
}

/** In the order in which they began. */
function birthsOf(writes: readonly Operation[]): string[] {
  const first = new Map<string, number>()
  for (const write of writes) {
    const birth = birthOf(write)
    if (birth !== null) first.set(birth, Math.min(first.get(birth) ?? Infinity, spanOf(write).to))
  }
  return [...first].sort((a, b) => a[1] - b[1]).map(([birth]) => birth)
}

function lastReturn(operations: readonly Operation[]): number {
  return Math.max(...operations.map((one) => spanOf(one).to))
}
