import type { Backend } from '../core/backend.ts'
import { MemoryStoreBackendError } from '../core/errors.ts'
import type { FaultPlan, FaultyMethod, FiredFault, PlannedFault } from './fault-plan.ts'
import { planFaults } from './plan-faults.ts'

export interface FaultyBackend extends Backend {
  /** What happened so far. */
  readonly fired: readonly FiredFault[]
  /** What was planned and has not happened: a test whose fault never fired has tested nothing. */
  readonly pending: readonly PlannedFault[]
  /** How many calls there were. */
  readonly calls: number
}

type Method = (...parameters: unknown[]) => Promise<unknown>

/**
 * A backend whose connection fails as planned. Calls that do not fail go to the given backend. Calls with which a store erases long-expired sessions are
 * not counted and do not fail: it makes them on its own.
 */
export function faulty(backend: Backend, plan: FaultPlan): FaultyBackend {
  const planner = planFaults(plan)
  const fired: FiredFault[] = []
  let calls = 0

  const call = (method: FaultyMethod, carryOut: () => Promise<unknown>): Promise<unknown> => {
    calls += 1
    const fault = planner.next(method)
    if (fault === null) return carryOut()
    fired.push({ call: calls, method, did: fault.do })
    return misbehave(fault, method, carryOut)
  }
  const own = { fired, close: () => backend.close() }
  return new Proxy(backend as FaultyBackend, {
    get: (target, name) => {
      if (name === 'pending') return planner.pending()
      if (name === 'calls') return calls
      if (Object.hasOwn(own, name)) return Reflect.get(own, name)
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...parameters: unknown[]) => {
        const carryOut = () => (value as Method).apply(target, parameters)
        return isHousekeeping(name, parameters) ? carryOut() : call(name as FaultyMethod, carryOut)
      }
    },
  })
}

/** What a store erases on its own, at times that no test chooses. */
function isHousekeeping(name: string | symbol, [scope]: readonly unknown[]): boolean {
  return name === 'reclaim' && scope === 'outdated'
}

async function misbehave(
  fault: PlannedFault,
  method: FaultyMethod,
  carryOut: () => Promise<unknown>,
): Promise<unknown> {
  switch (fault.do) {
    case 'fail before':
      throw fault.error ?? connectionLost('no')
    case 'fail after':
      await carryOut()
      throw fault.error ?? connectionLost(changes.has(method) ? 'unknown' : 'no')
    case 'hang before':
      return forever()
    case 'hang after':
      await carryOut()
      return forever()
    case 'delay':
      await new Promise((resolve) => setTimeout(resolve, fault.milliseconds ?? 0))
      return carryOut()
    case 'pause':
      await fault.meanwhile?.(method)
      return carryOut()
  }
}

const changes = new Set<FaultyMethod>([
  'commit',
  'stage',
  'unstage',
  'drop',
  'erase',
  'reclaim',
  'takeTurn',
  'renewTurn',
  'endTurn',
])

function connectionLost(applied: 'no' | 'unknown'): MemoryStoreBackendError {
  return new MemoryStoreBackendError('BACKEND_FAILED', 'the connection was cut, as planned', {
    applied,
    retryable: true,
  })
}

function forever(): Promise<never> {
  return new Promise(() => {})
}
