/** Runs something for each, at most `limit` at a time. When one fails, no other is begun, and its error is thrown once those under way have ended. */
export async function eachAtOnce<T>(
  all: AsyncIterable<T>,
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
