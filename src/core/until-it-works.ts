import { setTimeout as pause } from 'node:timers/promises'

/** In milliseconds, however short the deadlines of calls are: a machine or a server under load is slow to connect. */
export const leastToOpen = 10_000

/** Tries again what may pass, such as a server that is full, starting or slow; not one that is not there at all. */
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
