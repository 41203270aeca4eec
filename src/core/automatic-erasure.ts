import type { Calls } from './calls.ts'
import { publish } from './diagnostics.ts'
import { MemoryStoreError } from './errors.ts'

/** How long after the last slice a write starts the next one, in milliseconds. */
const betweenPasses = 10 * 60 * 1000

/** How long to wait between two slices, in milliseconds, so that other work goes first. */
const betweenSlices = 50

/**
 * Erases what expired more than a day ago, slice by slice, once the store is opened and then during its writes. It delays nobody: a failure is
 * only published, and between slices it does not keep the process alive.
 */
export class AutomaticErasure {
  readonly #calls: Calls
  #slice: Promise<void> | undefined
  #next: NodeJS.Timeout | undefined
  #erasedAt = 0
  #isStopped = false

  constructor(calls: Calls) {
    this.#calls = calls
  }

  start(): void {
    this.#slice = this.#eraseSlice()
  }

  noteCommit(): void {
    const isAtWork = this.#slice !== undefined || this.#next !== undefined
    if (isAtWork || this.#isStopped || Math.abs(Date.now() - this.#erasedAt) < betweenPasses) return
    this.start()
  }

  /** Resolves once the slice in progress has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#next)
    await this.#slice
  }

  async #eraseSlice(): Promise<void> {
    this.#next = undefined
    try {
      const { done } = await this.#calls.reclaim('outdated')
      if (!done && !this.#isStopped) this.#next = setTimeout(() => this.start(), betweenSlices).unref()
    } catch (error) {
      const mayOnlyRead = MemoryStoreError.is(error) && error.code === 'READ_ONLY'
      if (!mayOnlyRead) publish('unswept', { session: null, error })
    } finally {
      this.#erasedAt = Date.now()
      this.#slice = undefined
    }
  }
}
