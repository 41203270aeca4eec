import { AsyncLocalStorage } from 'node:async_hooks'
import { tracingChannel } from 'node:diagnostics_channel'

/** What is published about one call of the store on the tracing channel `tracing:unforget:call`. Never content. */
export interface CallTrace {
  /** The name of the method, such as `addMessages`. */
  readonly method: string
  /** The id of the session that it is about; `null` if it is about the whole store. */
  readonly session: string | null
  /** The most attempts that one of its calls to the backend has taken so far; 1 if nothing was retried. */
  attempt: number
  /** How long it took, in milliseconds; missing until it ends. */
  duration?: number
  /** What it was rejected with; missing if it succeeded. */
  error?: unknown
}

const channel = tracingChannel<unknown, CallTrace>('unforget:call')

const traced = new AsyncLocalStorage<CallTrace>()

/** Runs a call of the store, and publishes when it starts and ends if anybody listens. */
export function traceCall<T>(method: string, session: string | undefined, call: () => Promise<T>): Promise<T> {
  return channel.hasSubscribers ? publishCall({ method, session: session ?? null, attempt: 1 }, call) : call()
}

/** Keeps the result out of the channel, which would otherwise carry it. */
async function publishCall<T>(trace: CallTrace, call: () => Promise<T>): Promise<T> {
  const started = performance.now()
  const results: T[] = []
  const withoutResult = async () => {
    try {
      results.push(await call())
    } finally {
      trace.duration = performance.now() - started
    }
  }
  await channel.tracePromise(() => traced.run(trace, withoutResult), trace)
  return results[0] as T
}

/** Notes another attempt of a call to the backend. */
export function traceAttempt(attempt: number): void {
  const trace = traced.getStore()
  if (trace !== undefined) trace.attempt = Math.max(trace.attempt, attempt)
}
