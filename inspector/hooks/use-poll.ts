import { useEffect, useRef } from 'preact/hooks'

/** Runs `work` again and again, one at a time, with a pause between; not while the page is hidden. */
export function usePoll(work: (signal: AbortSignal) => Promise<void>, pause: number): void {
  const latest = useRef(work)
  latest.current = work
  useEffect(() => {
    const ended = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const run = () => {
      timer = undefined
      if (document.hidden || ended.signal.aborted) return
      latest.current(ended.signal).then(plan, plan)
    }
    const plan = () => {
      if (!ended.signal.aborted) timer = setTimeout(run, pause)
    }
    const wake = () => {
      if (!document.hidden && timer === undefined) run()
    }
    plan()
    document.addEventListener('visibilitychange', wake, { signal: ended.signal })
    return () => {
      clearTimeout(timer)
      ended.abort()
    }
  }, [pause])
}
