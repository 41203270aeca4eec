/** Does the same with each, with limited concurrency, because a server has a limited number of connections. Stops at the first failure. */
export async function severalAtOnce<T>(
  all: readonly T[],
  atOnce: number,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const waiting = [...all]
  const failures: unknown[] = []
  const worker = async () => {
    for (let one = waiting.shift(); one !== undefined && failures.length === 0; one = waiting.shift()) {
      await work(one).catch((error: unknown) => failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  if (failures.length > 0) throw failures[0]
}
