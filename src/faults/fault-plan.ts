import type { Backend } from '../core/backend.ts'

/** The methods of a backend that can be made to fail. */
export type FaultyMethod = Exclude<keyof Backend, 'name' | 'close'>

/**
 * - `fail before`: the connection is cut before the backend hears of the call.
 * - `fail after`: the backend carries the call out, and the answer is lost.
 * - `hang before`, `hang after`: the same, but nothing is heard any more.
 * - `delay`: the call is carried out, `milliseconds` later.
 * - `pause`: the call is carried out once `meanwhile` has ended. The store's timeout must allow for it.
 */
export type FaultKind = 'fail before' | 'fail after' | 'hang before' | 'hang after' | 'delay' | 'pause'

export interface PlannedFault {
  readonly do: FaultKind
  /** At the n-th call, from 1, of those named by `of`. */
  readonly at: number
  /** Which methods are counted; all where it is not given. */
  readonly of?: FaultyMethod | readonly FaultyMethod[]
  /** And at so many calls after it, for ever with `Infinity`; 1 where it is not given. */
  readonly times?: number
  /** For `delay`. */
  readonly milliseconds?: number
  /** For `pause`: what happens before the call, of which it is told the method. */
  readonly meanwhile?: (method: FaultyMethod) => Promise<unknown>
  /** What the caller gets; a failed connection where it is not given. */
  readonly error?: Error
}

/** Faults at random: the same seed, the same faults at the same calls. */
export interface RandomFaults {
  readonly seed: number
  /** Which share of the calls fail, from 0 to 1. */
  readonly rate: number
  /** One of these; `fail before` and `fail after` where it is not given. */
  readonly kinds?: readonly FaultKind[]
  readonly of?: FaultyMethod | readonly FaultyMethod[]
}

export type FaultPlan = readonly PlannedFault[] | RandomFaults

export interface FiredFault {
  /** Which call it was, from 1, of all there were. */
  readonly call: number
  readonly method: FaultyMethod
  readonly did: FaultKind
}
