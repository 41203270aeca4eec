import { type Inputs, useCallback, useEffect, useState } from 'preact/hooks'
import type { Failure } from '../api.ts'

export interface Loaded<Value> {
  readonly value: Value | null
  readonly failure: Failure | null
  /** Loads it again, and keeps what is there meanwhile. */
  readonly reload: () => void
}

/** Loads something when the page shows it, and again when `inputs` change; what comes late is dropped. */
export function useLoaded<Value>(load: (signal: AbortSignal) => Promise<Value>, inputs: Inputs): Loaded<Value> {
  const [state, setState] = useState<Pick<Loaded<Value>, 'value' | 'failure'>>({ value: null, failure: null })
  const [round, setRound] = useState(0)
  useEffect(() => {
    const ended = new AbortController()
    load(ended.signal).then(
      (value) => ended.signal.aborted || setState({ value, failure: null }),
      (failure: Failure) => ended.signal.aborted || setState(({ value }) => ({ value, failure })),
    )
    return () => ended.abort()
  }, [...inputs, round])
  return { ...state, reload: useCallback(() => setRound((one) => one + 1), []) }
}
