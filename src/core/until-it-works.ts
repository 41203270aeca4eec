import { setTimeout as pause } from 'node:timers/promises'

/** Minimum time allowed for opening, in milliseconds, however short the deadlines of calls are: a loaded machine or server is slow to connect. */
export const leastToOpen = 10_000

/** Retries transient failures, such as a server that is full, starting or slow, but not a missing server. */
export async function untilItWorks<T>(
  work: () => Promise<T>,
  mayPass: (error: unknown) => boolean,
  deadline: number,
): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const wait = 20 + Math.random() * 80
      if (!mayPass(error) || isAbsent(error) || performance.now() + wait >= deadline) throw error
      await pause(wait)
    }
  }
}

function isAbsent(error: unknown): boolean {
  const { code, errors = [] } = ((error as Error).cause ?? {}) as { code?: unknown; errors?: { code?: unknown }[] }
  return [code, ...errors.map((one) => one.code)].some((one) => one === 'ECONNREFUSED' || one === 'ENOTFOUND')
}
