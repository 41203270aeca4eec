import { untilAborted } from './until-aborted.ts'

/** A queue of the waiters for one session in this process, in the order they came. */
export class TurnQueue {
  readonly #tails = new Map<string, Promise<void>>()

  /** Waits for those ahead, and resolves to the function that leaves the queue. If `signal` aborts, it rejects and leaves the queue. */
  async enter(session: string, signal: AbortSignal): Promise<() => void> {
    const ahead = this.#tails.get(session)
    let leave = () => {}
    const mine = new Promise<void>((resolve) => {
      leave = resolve
    })
    const tail = Promise.all([ahead, mine]).then(() => {
      if (this.#tails.get(session) === tail) this.#tails.delete(session)
    })
    this.#tails.set(session, tail)
    if (ahead === undefined) return leave
    try {
      await untilAborted(ahead, signal)
      return leave
    } catch (error) {
      leave()
      throw error
    }
  }
}
