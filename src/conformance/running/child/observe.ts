import { inspect } from 'node:util'
import { nextTurn, presentTurn } from './next-turn.ts'

/** What a case did to a store, for the report, and which errors came from the store and not from the case. */
export class Observation {
  readonly methods = new Set<string>()
  readonly errors = new WeakSet<object>()
  static readonly #everSeen = new WeakSet<object>()
  /** The newest calls, as a person would write them. */
  readonly calls: string[] = []

  /** Whether a store has reported this error to a caller. */
  static hasTold(error: unknown): boolean {
    return typeof error === 'object' && error !== null && Observation.#everSeen.has(error)
  }

  /** Records every call of a store, and turns an error that is thrown synchronously into a rejection. */
  observe<Store extends object>(store: Store): Store {
    return new Proxy(store, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        if (typeof name === 'symbol') return value.bind(target)
        return (...parameters: unknown[]) => this.#call(target, name, value as Method, parameters)
      },
    })
  }

  #call(target: object, name: string, method: Method, parameters: unknown[]): unknown {
    this.methods.add(name)
    this.calls.push(`${name}(${parameters.map(shorten).join(', ')})`)
    if (this.calls.length > callsKept) this.calls.shift()
    if (name === 'session') return method.apply(target, parameters)
    const given = name === 'withTurn' ? this.#observeTurn(parameters) : parameters
    return this.watch(() => leavingTheQueue(async () => method.apply(target, given)))
  }

  /** What is called on a turn is noted like what is called on the store. */
  #observeTurn([session, run, ...rest]: unknown[]): unknown[] {
    if (typeof run !== 'function') return [session, run, ...rest]
    return [session, (turn: object, ...more: unknown[]) => run(this.observe(turn), ...more), ...rest]
  }

  /** Records the error of a rejected call. */
  watch(call: () => Promise<unknown>): Promise<unknown> {
    const returned = call()
    returned.catch((error: unknown) => {
      if (typeof error !== 'object' || error === null) return
      this.errors.add(error)
      Observation.#everSeen.add(error)
    })
    return returned
  }
}

/**
 * A store may answer without ever leaving the queue of microtasks. A case that calls it in a loop would then starve the store's own timers,
 * workers and streams, so the answer to such a call is handed on in the next turn of the event loop.
 */
async function leavingTheQueue(call: () => Promise<unknown>): Promise<unknown> {
  const turn = presentTurn()
  try {
    return await call()
  } finally {
    if (turn === presentTurn()) await nextTurn()
  }
}

type Method = (...parameters: unknown[]) => unknown
const callsKept = 12

function shorten(value: unknown): string {
  if (Array.isArray(value) && value.length > 2) return `[${shorten(value[0])}, … ${value.length} in all]`
  const text = inspect(value, {
    depth: 3,
    breakLength: Number.POSITIVE_INFINITY,
    maxStringLength: 60,
    maxArrayLength: 4,
  })
  return text.length > 160 ? `${text.slice(0, 159)}…` : text
}
