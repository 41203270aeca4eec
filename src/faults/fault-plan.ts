import type { Backend } from '../core/backend.ts'

/** The methods of a backend that can be made to fail. */
export type FaultyMethod = Exclude<keyof Backend, 'name' | 'close'>

/**
 * - `fail before`: the connection is cut before the backend sees the call.
 * - `fail after`: the backend executes the call, and the response is lost.
 * - `hang before`, `hang after`: the same, but no response ever comes.
 * - `delay`: the call is executed `milliseconds` later.
 * - `pause`: the call is executed once `meanwhile` has finished. The store's timeout must allow for it.
 */
export type FaultKind = 'fail before' | 'fail after' | 'hang before' | 'hang after' | 'delay' | 'pause'

export interface PlannedFault {
  readonly do: FaultKind
  /** The number of the call, starting at 1, among those named by `of`. */
  readonly at: number
  /** Which methods count; default: all. */
  readonly of?: FaultyMethod | readonly FaultyMethod[]
  /** How many calls in a row are hit, `Infinity` for all that follow; default 1. */
  readonly times?: number
  /** For `delay`. */
  readonly milliseconds?: number
  /** For `pause`: runs before the call, and gets its method. */
  readonly meanwhile?: (method: FaultyMethod) => Promise<unknown>
  /** What the caller gets; default: a failed connection. */
  readonly error?: Error
}

/** Random faults: the same seed gives the same faults at the same calls. */
export interface RandomFaults {
  readonly seed: number
  /** The fraction of calls that fail, from 0 to 1. */
  readonly rate: number
  /** One of these; default: `fail before` and `fail after`. */
  readonly kinds?: readonly FaultKind[]
  readonly of?: FaultyMethod | readonly FaultyMethod[]
}

export type FaultPlan = readonly PlannedFault[] | RandomFaults

export interface FiredFault {
  /** The number of the call, starting at 1, among all calls. */
  readonly call: number
  readonly method: FaultyMethod
  readonly did: FaultKind
}
