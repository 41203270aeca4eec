import { untilAborted } from './until-aborted.ts'

/** Lets those who wait for the same session in one process in one by one, in the order they came. */
export class TurnQueue {
  readonly #tails = new Map<string, Promise<void>>()

  /** Waits for those ahead, and resolves to the function to leave with. Rejects as `signal` says, and is out of the queue then. */
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
