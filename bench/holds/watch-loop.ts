/** How long the longest turn of the event loop takes while `work` is under way, and `work` itself, in milliseconds. */
export async function watchLoop(work: () => Promise<unknown>): Promise<{ held: number; took: number }> {
  let longest = 0
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
  return { held: longest, took: performance.now() - started }
}
