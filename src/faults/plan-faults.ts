import type { FaultPlan, FaultyMethod, PlannedFault, RandomFaults } from './fault-plan.ts'

/** Decides for every call whether it fails, and how. */
export interface FaultPlanner {
  next(method: FaultyMethod): PlannedFault | null
  /** The planned faults that have not fired yet. */
  pending(): PlannedFault[]
}

export function planFaults(plan: FaultPlan): FaultPlanner {
  return 'seed' in plan ? planRandomly(plan) : planExactly(plan)
}

function planExactly(plan: readonly PlannedFault[]): FaultPlanner {
  const counted = plan.map((fault) => ({ fault, seen: 0, fired: 0 }))
  for (const { at, times = 1 } of plan) {
    if (!Number.isInteger(at) || at < 1) throw new TypeError('at: expected the number of a call, starting at 1')
    if (!(times >= 1)) throw new TypeError('times: expected 1 or more')
  }
  return {
    next(method) {
      let found: PlannedFault | null = null
      for (const one of counted) {
        if (!concerns(one.fault.of, method)) continue
        one.seen += 1
        const { at, times = 1 } = one.fault
        if (found !== null || one.seen < at || one.fired >= times) continue
        one.fired += 1
        found = one.fault
      }
      return found
    },
    pending: () => counted.filter(({ fired }) => fired === 0).map(({ fault }) => fault),
  }
}

function planRandomly({ seed, rate, kinds = ['fail before', 'fail after'], of }: RandomFaults): FaultPlanner {
  const random = makeRandom(seed)
  return {
    next(method) {
      if (!concerns(of, method) || random() >= rate) return null
      const kind = kinds[Math.floor(random() * kinds.length)]
      return kind === undefined ? null : { do: kind, at: 1, milliseconds: Math.floor(random() * 20) }
    },
    pending: () => [],
  }
}

function concerns(of: PlannedFault['of'], method: FaultyMethod): boolean {
  return of === undefined || (typeof of === 'string' ? of === method : of.includes(method))
}

/** Numbers from 0 to 1 that look random and are the same for the same seed (the generator known as mulberry32). */
export function makeRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
