import type { Append } from './plain-append.ts'

/** So many appends, and about so many characters, share one statement. */
const most = { appends: 64, characters: 1_000_000 }

/** An append that was not answered yet. */
export interface Waiting {
  readonly append: Append
  readonly deadline: number
  readonly resolve: (reply: string) => void
  readonly reject: (error: unknown) => void
}

/**
 * Appends that are to be sent, by their session. A session of which some are under way is held back until they are done, and comes after the
 * others then. However many wait, taking some takes no longer.
 */
export class WaitingAppends {
  readonly #ready = new Map<string, Waiting[]>()
  readonly #held = new Map<string, Waiting[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  get anyReady(): boolean {
    return this.#ready.size > 0
  }

  add(one: Waiting): void {
    const { session } = one.append
    const sessions = this.#held.has(session) ? this.#held : this.#ready
    const waiting = sessions.get(session)
    if (waiting === undefined) sessions.set(session, [one])
    else waiting.push(one)
    this.#size += 1
  }

  /** Those that fit into one statement. Their sessions are held. */
  take(): Waiting[] {
    const taken: Waiting[] = []
    let characters = 0
    const fits = ({ append }: Waiting) => {
      characters += append.bodies.reduce((sum, { length }) => sum + length, 0)
      return taken.length === 0 || (taken.length < most.appends && characters <= most.characters)
    }
    for (const [session, waiting] of this.#ready) {
      const before = taken.length
      for (const one of waiting) {
        if (!fits(one)) break
        taken.push(one)
      }
      if (taken.length === before) break
      this.#ready.delete(session)
      this.#held.set(session, waiting.slice(taken.length - before))
    }
    this.#size -= taken.length
    return taken
  }

  /** What was taken of a session waits again, before all else of it; the session is still held. */
  putBack(session: string, taken: readonly Waiting[]): void {
    this.#held.set(session, [...taken, ...(this.#held.get(session) ?? [])])
    this.#size += taken.length
  }

  /** None of the session is under way any more. */
  release(session: string): void {
    const waiting = this.#held.get(session) ?? []
    this.#held.delete(session)
    if (waiting.length > 0) this.#ready.set(session, waiting)
  }

  /** Takes out those whose deadline has passed, and tells the earliest that is left. */
  takeLate(now: number): { late: Waiting[]; next: number } {
    const late: Waiting[] = []
    let next = Number.POSITIVE_INFINITY
    for (const sessions of [this.#ready, this.#held]) {
      for (const [session, waiting] of sessions) {
        const left: Waiting[] = []
        for (const one of waiting) (one.deadline <= now ? late : left).push(one)
        for (const { deadline } of left) next = Math.min(next, deadline)
        if (left.length > 0 || sessions === this.#held) sessions.set(session, left)
        else sessions.delete(session)
      }
    }
    this.#size -= late.length
    return { late, next }
  }
}
