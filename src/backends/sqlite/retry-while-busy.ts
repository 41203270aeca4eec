import { setTimeout as pause } from 'node:timers/promises'
import { MemoryStoreBackendError } from '../../core/errors.ts'
import { isBusy } from './sqlite-error.ts'

/**
 * Retries something synchronous until no other connection blocks it, without ever blocking the event loop: SQLite's own waiting would, and
 * it starves processes.
 */
export async function retryWhileBusy<T>(run: () => T, deadline: number, file: string): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return run()
    } catch (error) {
      if (!isBusy(error)) throw error
      if (performance.now() >= deadline) throw busyTooLong(file, error)
    }
    await pause(busyPause(attempt, deadline))
  }
}

/** How long to wait before the next attempt: random, so that nobody keeps meeting the same rival. */
export function busyPause(attempt: number, deadline: number): number {
  const wait = Math.random() * Math.min(2 + attempt, 12)
  return Math.max(0, Math.min(wait, deadline - performance.now()))
}

export function busyTooLong(file: string, cause: unknown): MemoryStoreBackendError {
  return new MemoryStoreBackendError('TIMEOUT', `${file} was locked by another writer until the deadline`, {
    applied: 'no',
    retryable: true,
    cause,
  })
}
