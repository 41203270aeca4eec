/** Runs something for each item with limited concurrency. After a failure, no other is started, and the error is thrown once the running ones have ended. */
export async function eachAtOnce<T>(
  all: AsyncIterable<T> | Iterable<T>,
  limit: number,
  run: (one: T) => Promise<void>,
): Promise<void> {
  const underWay = new Set<Promise<void>>()
  const failures: unknown[] = []
  for await (const one of all) {
    const running = run(one)
      .catch((error: unknown) => {
        failures.push(error)
      })
      .finally(() => underWay.delete(running))
    underWay.add(running)
    if (underWay.size >= limit) await Promise.race(underWay)
    if (failures.length > 0) break
  }
  await Promise.all(underWay)
  if (failures.length > 0) throw failures[0]
}
