/** How long a process that shares a file writes before it lets others write, in milliseconds. */
const turn = 4

/** How long it then leaves the lock alone: longer than whoever has waited for long takes to look again. */
const rest = 3

/** The longest pause between two attempts, at first; and the shortest, for whoever has waited for long. */
const pauses = { longest: 16, shortest: 1 }

/** The pause halves each time this many milliseconds have passed. */
const halfAfter = 8

/**
 * Shares the write lock of a file between processes. SQLite's lock has no queue: whoever asks when it is free gets it, which is mostly the one who
 * just had it. So each process that sees others write takes a rest after its turn, and the longer it has waited, the more often it asks. Nobody
 * has to be told: a process that was killed, or one that does not know these rules, blocks nobody.
 */
export class LockTurns {
  readonly #clock: () => number
  #seen: string | null = null
  #isShared = false
  #hasRested = false
  #since = 0
  #lastEnd = 0
  #waitingSince: number | undefined

  constructor(clock = () => performance.now()) {
    this.#clock = clock
  }

  /** How long to leave the lock alone before the next transaction, in milliseconds. */
  restNow(): number {
    const now = this.#clock()
    if (now - this.#lastEnd > rest) this.#since = now
    if (!this.#isShared || this.#hasRested || now - this.#since < turn) return 0
    this.#hasRested = true
    return rest
  }

  /** A transaction has begun. `changes`: differs from what it was if others have written since. */
  begun(changes: string | null): void {
    if (changes !== this.#seen) {
      this.#isShared = this.#seen !== null
      this.#since = this.#clock()
    } else if (this.#hasRested) this.#isShared = false
    this.#seen = changes
    this.#hasRested = false
    this.#waitingSince = undefined
  }

  ended(): void {
    this.#lastEnd = this.#clock()
  }

  /** How long to wait before the next attempt to get the lock: random, so that nobody keeps meeting the same rival. */
  waitAgain(deadline: number): number {
    const now = this.#clock()
    this.#waitingSince ??= now
    const share = 2 ** ((this.#waitingSince - now) / halfAfter)
    const pause = Math.max(pauses.shortest, pauses.longest * share) * (0.5 + Math.random())
    return Math.max(0, Math.min(pause, deadline - now))
  }
}
