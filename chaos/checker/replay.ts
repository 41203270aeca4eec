import { apply, Unexplained } from './apply.ts'
import { type Operation, placeOf, resultOf } from './history.ts'
import { nothing, type State } from './state.ts'

/** The commits of one incarnation of a session. */
export interface Commits {
  /** By the counter of the version that each returned. */
  readonly placed: ReadonlyMap<number, Operation>
  /** Applied or not, nobody knows where: they go where a counter is missing. */
  readonly unplaced: readonly Operation[]
  /** The counter that an operation can have seen at the earliest. */
  readonly floorOf: (operation: Operation) => number
  /** How many commits the store may have made by itself: a rewind under writers drops a snapshot of its own. */
  readonly ownCommits: number
}

export interface Replayed {
  /** By counter; the first is the state before the first commit. As far as it could be explained. */
  readonly states: readonly State[]
  readonly failure: { readonly operation: Operation; readonly message: string } | null
}

const mostAttempts = 3000

/** Applies the commits in the order of their counters, with the unplaced ones wherever they explain the results. */
export function replay({ placed, unplaced, floorOf, ownCommits }: Commits): Replayed {
  const last = Math.max(0, ...placed.keys())
  let best: Replayed = { states: [nothing], failure: null }
  let attempts = 0

  const step = (states: readonly State[], left: readonly Operation[], own: number): Replayed | null => {
    const all = [...states]
    for (;;) {
      const before = all.at(-1) as State
      const counter = before.counter + 1
      if (counter > last) return { states: all, failure: null }
      const operation = placed.get(counter)
      if (operation === undefined) return fillGap(all, left, own)
      try {
        all.push(apply(before, operation, resultOf(operation), seenBy(operation, all)))
      } catch (error) {
        if (!(error instanceof Unexplained)) throw error
        if (all.length >= best.states.length) best = { states: all, failure: { operation, message: error.message } }
        return null
      }
    }
  }

  const fillGap = (states: readonly State[], left: readonly Operation[], own: number): Replayed | null => {
    const before = states.at(-1) as State
    for (const operation of left) {
      if (++attempts > mostAttempts) break
      try {
        const state = apply(before, operation, null, seenBy(operation, states))
        const rest = left.filter((other) => other !== operation)
        const found = step([...states, state], rest, own)
        if (found !== null) return found
      } catch (error) {
        if (!(error instanceof Unexplained)) throw error
      }
    }
    if (own > 0) return step([...states, { ...before, counter: before.counter + 1, version: null }], left, own - 1)
    const next = placed.get([...placed.keys()].filter((one) => one > before.counter).sort((a, b) => a - b)[0] ?? 0)
    if (next !== undefined && states.length >= best.states.length) {
      const message = `commit ${before.counter + 1} comes before it, and nobody made it`
      best = { states, failure: { operation: next, message } }
    }
    return null
  }

  const seenBy = (operation: Operation, states: readonly State[]): State[] => {
    const { pathSince, counter } = states.at(-1) as State
    return states.slice(Math.min(counter, Math.max(floorOf(operation), pathSince)))
  }

  return step([nothing], unplaced, ownCommits) ?? best
}

/** The operations by counter, and those that claim a place that another has. */
export function placeAll(operations: readonly Operation[]) {
  const placed = new Map<number, Operation>()
  const twice: [Operation, Operation][] = []
  for (const operation of operations) {
    const { version } = resultOf(operation) ?? {}
    if (typeof version !== 'string') continue
    const { counter } = placeOf(version)
    const other = placed.get(counter)
    if (other === undefined) placed.set(counter, operation)
    else twice.push([other, operation])
  }
  return { placed, twice }
}
