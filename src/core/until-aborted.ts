/** The result of `work`, or the reason of the signal as soon as it aborts. The work itself continues. */
export async function untilAborted<T>(work: T | Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    const listener = () => reject(signal.reason as Error)
    if (signal.aborted) listener()
    signal.addEventListener('abort', listener, { once: true })
    stop = () => signal.removeEventListener('abort', listener)
  })
  try {
    return await Promise.race([aborted, work])
  } finally {
    stop()
  }
}
