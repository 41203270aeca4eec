import { PerformanceObserver } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

export interface Watched {
  /** The longest turn of the event loop while the work was under way. */
  readonly held: number
  /** The most processor time that this thread took in one turn: what remains of `held` on a machine where nobody else wants to run. */
  readonly busy: number
  /** The longest pause for garbage collection among them, which a heap of a million live objects takes whoever made them. */
  readonly collected: number
  readonly took: number
}

/** How long the longest turn of the event loop takes while `work` is under way, and `work` itself, in milliseconds. */
export async function watchLoop(work: () => Promise<unknown>): Promise<Watched> {
  let longest = 0
  let busiest = 0
  let collected = 0
  const collections = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) collected = Math.max(collected, duration)
  })
  collections.observe({ entryTypes: ['gc'] })
  let last = performance.now()
  let lastBusy = threadTime()
  let isDone = false
  const note = () => {
    const [now, busy] = [performance.now(), threadTime()]
    longest = Math.max(longest, now - last)
    busiest = Math.max(busiest, busy - lastBusy)
    last = now
    lastBusy = busy
  }
  const look = () => {
    note()
    if (!isDone) setImmediate(look)
  }
  setImmediate(look)
  const started = performance.now()
  try {
    await work()
  } finally {
    isDone = true
    note()
  }
  const took = performance.now() - started
  await pause(0) // entries of an observer come in a later turn
  collections.disconnect()
  return { held: longest, busy: busiest, collected, took }
}

/** Of this thread, in milliseconds. */
function threadTime(): number {
  const { user, system } = (process as NodeJS.Process & { threadCpuUsage(): NodeJS.CpuUsage }).threadCpuUsage()
  return (user + system) / 1000
}
