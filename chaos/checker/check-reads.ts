import { isDeepStrictEqual } from 'node:util'
import { ceilings, floors } from './check-order.ts'
import type { CheckOptions, Life, Report } from './checking.ts'
import { type Item, isWrite, mayBeApplied, type Operation, placeOf, type Result, resultOf } from './history.ts'
import type { State } from './state.ts'

/** Every read shows the state at its version, and every refusal had a reason while it was made. */
export function checkReads(
  operations: readonly Operation[],
  lives: readonly Life[],
  report: Report,
  { mayLoseUnacknowledged = false }: CheckOptions,
): void {
  for (const operation of operations) {
    const result = resultOf(operation)
    if (result !== null && !isWrite(operation)) {
      const state = stateAt(lives, result.version)
      const isKnown = state !== undefined && (state.version === result.version || !mayLoseUnacknowledged)
      const wrong = isKnown ? compare(operation, result, state) : null
      if (wrong !== null) report('a read shows the state at its version', [operation], wrong, true)
      if (result.ok === false) report('verify finds nothing', [operation], 'verify found damage')
    }
  }
  const [life] = lives
  if (lives.length !== 1 || life === undefined || operations.some(({ call }) => call.method === 'delete')) return
  const between = window(operations, life)
  for (const operation of operations) {
    const states = between(operation)
    if (states.length === 0) continue
    const result = resultOf(operation)
    if (result?.version === null && !states.some(({ counter }) => counter === 0)) {
      report('acknowledged means kept', [operation], 'it found no session, and there was one all the time')
    }
    if (operation.call.method === 'listSnapshots' && result !== null && !mayLoseUnacknowledged) {
      const isThere = (state: State) => isDeepStrictEqual(savedOf(state), new Map(result.snapshots))
      if (!states.some(isThere)) {
        report(
          'snapshots are kept',
          [operation],
          `at no time were the snapshots ${JSON.stringify(result.snapshots)}`,
          true,
        )
      }
    }
    const reason = unreasonable(operation, states)
    if (reason !== null && !mayLoseUnacknowledged) report('a refusal has a reason', [operation], reason, true)
  }
}

/** The states that a call can have met, if it has an answer. */
function window(operations: readonly Operation[], { birth, states }: Life): (operation: Operation) => readonly State[] {
  const floorOf = floors(operations, birth)
  const ceilingOf = ceilings(operations, birth)
  const mayGoOn = operations.some(mayBeApplied)
  return (operation) => {
    const ends = operation.attempts.map(({ returned }) => returned)
    if (operation.attempts.length !== 1 || ends[0] === null || ends[0] === undefined) return []
    const ceiling = ceilingOf(ends[0])
    if (ceiling >= states.length && mayGoOn) return []
    return states.slice(floorOf(operation), ceiling + 1)
  }
}

function stateAt(lives: readonly Life[], version: string | null | undefined): State | undefined {
  if (typeof version !== 'string') return undefined
  const { birth, counter } = placeOf(version)
  return lives.find((life) => life.birth === birth)?.states[counter]
}

function compare({ call }: Operation, result: Result, state: State): string | null {
  if (call.method === 'paths') {
    return result.end === state.end ? null : `the log ends at ${result.end}; at its version it ended at ${state.end}`
  }
  if (call.method !== 'read') return null
  const path = call.at === undefined ? state.path : state.snapshots.get(call.at)
  if (path === undefined) return `it read snapshot ${call.at}, which was not there`
  const expected = call.last === undefined ? path : call.last === 0 ? [] : path.slice(-call.last)
  if (!isDeepStrictEqual(result.seqs, expected)) {
    return `it read ${JSON.stringify(result.seqs)}; at its version there was ${JSON.stringify(expected)}`
  }
  const wrong = result.items?.findIndex(({ kind, text }, index) => {
    const item: Item | undefined = state.log.get(expected[index] ?? -1)
    return item?.kind !== kind || item.text !== text
  })
  if (wrong === undefined || wrong === -1) return null
  return `entry ${expected[wrong]} is ${JSON.stringify(result.items?.[wrong])}, and was ${JSON.stringify(state.log.get(expected[wrong] ?? -1))}`
}

function savedOf({ snapshots, automatic }: State): Map<string, number> {
  return new Map([...snapshots].filter(([id]) => !automatic.includes(id)).map(([id, path]) => [id, path.length]))
}

/** What is wrong with a refusal, if there was no reason for it at any time. */
function unreasonable({ call, attempts, turn }: Operation, states: readonly State[]): string | null {
  const outcome = attempts[0]?.outcome
  if (outcome?.is !== 'refused') return null
  const never = (is: (state: State) => boolean) => !states.some(is)
  const snapshot = 'snapshot' in call ? call.snapshot : 'at' in call ? call.at : undefined
  switch (outcome.code) {
    case 'VERSION_CONFLICT': {
      const { ifVersion, ifEpoch } = call as { ifVersion?: string | null; ifEpoch?: string | null }
      const isOther = (state: State) =>
        state.version === null ||
        (ifVersion !== undefined && state.version !== ifVersion) ||
        (ifEpoch !== undefined && (state.epoch === null || state.epoch !== ifEpoch))
      return never(isOther) ? 'a conflict, and the session was as it demanded all the time' : null
    }
    case 'SNAPSHOT_NOT_FOUND':
      return never(({ snapshots }) => !snapshots.has(snapshot ?? '')) ? `${snapshot} was there all the time` : null
    case 'SNAPSHOT_EXISTS':
      return never(({ snapshots }) => snapshots.has(snapshot ?? '')) ? `${snapshot} was never there` : null
    case 'TURN_LOST':
      return turn === undefined ? 'it was not made through a turn' : null
    default:
      return null
  }
}
