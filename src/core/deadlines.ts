/** The longest delay a timer supports. */
const longestTimer = 2 ** 31 - 1

interface Waiting {
  /** Where it is among the others; -1 once it is not. */
  place: number
  /** By `performance.now()`. */
  readonly deadline: number
  readonly expire: () => void
}

/** Work in progress, each with its deadline. One timer serves all: a timer for each would cost more than the rest of a call. */
export class Deadlines {
  readonly #waiting: Waiting[] = []
  #timer: NodeJS.Timeout | undefined
  #wakesAt = Number.POSITIVE_INFINITY

  /**
   * The result of `work`, or the error that `late` makes once the deadline has passed. After a blocked event loop, the timer fires before the
   * sockets are read, so they are checked once more: a response that has already arrived is not late.
   */
  within<T>(deadline: number, work: Promise<T>, late: () => Error): Promise<T> {
    return new Promise((resolve, reject) => {
      const waiting = { place: -1, deadline, expire: () => reject(late()) }
      this.#add(waiting)
      work.then(
        (result) => {
          this.#remove(waiting)
          resolve(result)
        },
        (error) => {
          this.#remove(waiting)
          reject(error)
        },
      )
    })
  }

  #add(waiting: Waiting): void {
    waiting.place = this.#waiting.push(waiting) - 1
    if (waiting.deadline < this.#wakesAt) this.#wakeAt(waiting.deadline)
    else if (this.#waiting.length === 1) this.#timer?.ref()
  }

  /** While nothing is in progress, the timer does not keep the process alive. */
  #remove(waiting: Waiting): void {
    if (waiting.place === -1) return
    const last = this.#waiting.pop() as Waiting
    if (last !== waiting) {
      this.#waiting[waiting.place] = last
      last.place = waiting.place
    }
    waiting.place = -1
    if (this.#waiting.length === 0) this.#timer?.unref()
  }

  #wakeAt(deadline: number): void {
    clearTimeout(this.#timer)
    this.#wakesAt = deadline
    const milliseconds = Math.min(Math.max(0, deadline - performance.now()), longestTimer)
    this.#timer = setTimeout(() => this.#wake(), milliseconds)
  }

  #wake(): void {
    const now = performance.now()
    this.#timer = undefined
    this.#wakesAt = Number.POSITIVE_INFINITY
    let next = Number.POSITIVE_INFINITY
    for (const waiting of this.#waiting) {
      if (waiting.deadline <= now) this.#lookOnceMore(waiting)
      else next = Math.min(next, waiting.deadline)
    }
    if (next < Number.POSITIVE_INFINITY) this.#wakeAt(next)
  }

  #lookOnceMore(waiting: Waiting): void {
    setImmediate(() => {
      this.#remove(waiting)
      waiting.expire()
    })
  }
}
