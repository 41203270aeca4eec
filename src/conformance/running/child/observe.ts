import { inspect } from 'node:util'
import { nextTurn, presentTurn } from './next-turn.ts'

/** One call of a case, as a person would write it. */
export interface SeenCall {
  readonly text: string
  /** The session it was about; `null` if it named none. */
  readonly session: string | null
}

/** What a case did to a store, for the report, and which errors came from the store and not from the case. */
export class Observation {
  readonly methods = new Set<string>()
  readonly errors = new WeakSet<object>()
  static readonly #everSeen = new WeakSet<object>()
  readonly #onCall: (newest: readonly string[]) => void
  readonly #seen: SeenCall[] = []
  readonly #returned = new WeakMap<object, SeenCall>()
  readonly #waiting = new Map<SeenCall, number>()
  #lastAnswered: SeenCall | null = null
  #answers = 0
  #answeredAt = performance.now()

  /** @param onCall - Called for every call, with the newest ones before it. */
  constructor(onCall: (newest: readonly string[]) => void = () => {}) {
    this.#onCall = onCall
  }

  /** Whether a store has reported this error to a caller. */
  static hasTold(error: unknown): boolean {
    return typeof error === 'object' && error !== null && Observation.#everSeen.has(error)
  }

  /** The newest calls; of one session, those that name no session among them. */
  calls(session: string | null = null): string[] {
    const concerned = session === null ? this.#seen : this.#seen.filter((one) => [session, null].includes(one.session))
    return concerned.slice(-callsShown).map(({ text }) => text)
  }

  /** The call that a difference is about: the one that returned the value, else one to a session that is named, else the last that was answered. */
  concernedBy(value: unknown, message: string): SeenCall | null {
    const returned = isObject(value) ? this.#returned.get(value) : undefined
    const named = () =>
      this.#seen
        .filter(
          ({ session }) => session !== null && [`"${session}"`, `'${session}'`].some((id) => message.includes(id)),
        )
        .at(-1)
    return returned ?? named() ?? this.#lastAnswered
  }

  /** How many calls were answered, how long ago the last one was, and which have been waiting for longer, in milliseconds. */
  progress(): { answers: number; quietFor: number; waiting: { text: string; since: number }[] } {
    const now = performance.now()
    const waiting = [...this.#waiting].map(([{ text }, begun]) => ({ text, since: now - begun }))
    return { answers: this.#answers, quietFor: now - this.#answeredAt, waiting }
  }

  /** Records every call of a store, and turns an error that is thrown synchronously into a rejection. */
  observe<Store extends object>(store: Store, session: string | null = null): Store {
    return new Proxy(store, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        if (typeof name === 'symbol') return value.bind(target)
        return (...parameters: unknown[]) => this.#call(target, name, value as Method, parameters, session)
      },
    })
  }

  #call(target: object, name: string, method: Method, parameters: unknown[], inTurnOf: string | null): unknown {
    this.methods.add(name)
    const [first] = parameters
    const session = inTurnOf ?? (typeof first === 'string' ? first : null)
    const call = { text: `${name}(${parameters.map(shorten).join(', ')})`, session }
    this.#seen.push(call)
    if (this.#seen.length > callsKept) this.#seen.splice(0, callsKept / 2)
    this.#onCall(this.calls())
    if (name === 'session') {
      const handle = method.apply(target, parameters)
      return isObject(handle) ? this.observe(handle, session) : handle
    }
    const given = name === 'withTurn' ? this.#observeTurn(parameters, session) : parameters
    return this.watch(call, () => leavingTheQueue(async () => method.apply(target, given)))
  }

  /** What is called on a turn is noted like what is called on the store. */
  #observeTurn(parameters: readonly unknown[], session: string | null): unknown[] {
    const observed =
      (run: Method) =>
      (turn: object, ...more: unknown[]) =>
        run(this.observe(turn, session), ...more)
    return parameters.map((one) => (typeof one === 'function' ? observed(one as Method) : one))
  }

  /** Notes that a call is waiting and what it returns, and records the error of one that is rejected. */
  watch(call: SeenCall, run: () => Promise<unknown>): Promise<unknown> {
    this.#waiting.set(call, performance.now())
    const returned = run()
    returned.then(
      (value) => {
        this.#answer(call)
        for (const one of [value, ...(Array.isArray(value) ? value.slice(0, callsKept) : [])]) {
          if (isObject(one)) this.#returned.set(one, call)
        }
      },
      (error: unknown) => {
        this.#answer(call)
        if (!isObject(error)) return
        this.errors.add(error)
        this.#returned.set(error, call)
        Observation.#everSeen.add(error)
      },
    )
    return returned
  }

  #answer(call: SeenCall): void {
    this.#waiting.delete(call)
    this.#answers += 1
    this.#answeredAt = performance.now()
    this.#lastAnswered = call
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
const callsShown = 12
const callsKept = 4000

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

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
