import { AsyncLocalStorage } from 'node:async_hooks'
import { tracingChannel } from 'node:diagnostics_channel'
import type { CallTrace } from 'unforget'

interface Span {
  readonly depth: number
}

/**
 * Prints the calls of every store in this process as spans, each under the one that it was made in. An instrumentation for OpenTelemetry has the same shape: it starts a
 * span in `start`, makes it the active one in `bindStore`, and ends it in `asyncEnd`.
 */
export function printSpans(print: (line: string) => void): () => void {
  const calls = tracingChannel<unknown, CallTrace>('unforget:call')
  const active = new AsyncLocalStorage<Span>()
  const spans = new WeakMap<CallTrace, Span>()
  calls.start.bindStore(active, (call) => {
    const span = { depth: (active.getStore()?.depth ?? -1) + 1 }
    spans.set(call, span)
    return span
  })
  const end = (message: unknown) => {
    const call = message as CallTrace
    const { method, session, duration = 0, attempt, error } = call
    const { code = 'no code' } = (error ?? {}) as { code?: string }
    const outcome = 'error' in call ? `failed with ${code}` : 'ok'
    const indent = '  '.repeat(spans.get(call)?.depth ?? 0)
    print(`${indent}unforget.${method} session=${session} attempt=${attempt} ${outcome} ${duration.toFixed(1)} ms`)
  }
  calls.asyncEnd.subscribe(end)
  return () => {
    calls.asyncEnd.unsubscribe(end)
    calls.start.unbindStore(active)
  }
}
