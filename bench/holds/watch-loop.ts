import { PerformanceObserver } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

export interface Watched {
  /** The longest turn of the event loop while the work was under way. */
  readonly held: number
  /** The longest pause for garbage collection among them, which a heap of a million live objects takes whoever made them. */
  readonly collected: number
  readonly took: number
}

/** How long the longest turn of the event loop takes while `work` is under way, and `work` itself, in milliseconds. */
export async function watchLoop(work: () => Promise<unknown>): Promise<Watched> {
  let longest = 0
  let collected = 0
  const collections = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) collected = Math.max(collected, duration)
  })
  collections.observe({ entryTypes: ['gc'] })
  let last = performance.now()
  let isDone = false
  const look = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!isDone) setImmediate(look)
  }
  setImmediate(look)
  const started = performance.now()
  try {
    await work()
  } finally {
    isDone = true
    longest = Math.max(longest, performance.now() - last)
  }
  const took = performance.now() - started
  await pause(0) // entries of an observer come in a later turn
  collections.disconnect()
  return { held: longest, collected, took }
}
