import { Line } from './line.ts'
import type { Append } from './plain-append.ts'
import type { Reply } from './reply.ts'

const maxPerStatement = { appends: 64, characters: 1_000_000 }

interface Waiting {
  readonly session: string
  readonly deadline: number
  readonly reject: (error: unknown) => void
}

/** An append that was not answered yet. */
export interface WaitingAppend extends Waiting {
  readonly append: Append
  readonly resolve: (reply: Reply) => void
}

/** A write that shares no statement. */
export interface LoneWrite extends Waiting {
  /** Ends when the write is done, and never rejects. `true` if the session is locked by others, and it was not to wait. */
  readonly run: (mayWait: boolean) => Promise<boolean>
}

export type Write = WaitingAppend | LoneWrite

/**
 * Writes to be sent, by session, each in order. A session with writes in progress is held back until they are
 * done, and then comes after the others. Taking some takes constant time, however many wait.
 */
export class WaitingWrites {
  /** By what is first. */
  readonly #appends = new Map<string, Line<Write>>()
  readonly #lone = new Map<string, Line<Write>>()
  readonly #held = new Map<string, Line<Write>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  get anyAppend(): boolean {
    return this.#appends.size > 0
  }

  add(one: Write): void {
    const { session } = one
    const before = this.#held.get(session) ?? this.#appends.get(session) ?? this.#lone.get(session)
    if (before === undefined) this.#offer(session, new Line([one]))
    else before.push(one)
    this.#size += 1
  }

  /** Appends that fit into one statement. Their sessions are held. */
  takeAppends(): WaitingAppend[] {
    const taken: WaitingAppend[] = []
    let characters = 0
    const fits = ({ append }: WaitingAppend) => {
      characters += append.bodies.reduce((sum, { length }) => sum + length, 0)
      return taken.length === 0 || (taken.length < maxPerStatement.appends && characters <= maxPerStatement.characters)
    }
    for (const [session, waiting] of this.#appends) {
      const before = taken.length
      for (let next = waiting.first; next && !isLone(next) && fits(next); next = waiting.first) {
        taken.push(next)
        waiting.shift()
      }
      if (taken.length === before) break
      this.#appends.delete(session)
      this.#held.set(session, waiting)
    }
    this.#size -= taken.length
    return taken
  }

  /** A write that shares no statement, if there is one whose turn it is. Its session is held. */
  takeLone(): LoneWrite | null {
    for (const [session, waiting] of this.#lone) {
      this.#lone.delete(session)
      this.#held.set(session, waiting)
      this.#size -= 1
      return waiting.shift() as LoneWrite
    }
    return null
  }

  /** Puts what was taken of a session back to its front; the session is still held. */
  putBack(session: string, taken: readonly Write[]): void {
    this.#held.set(session, new Line([...taken, ...(this.#held.get(session) ?? [])]))
    this.#size += taken.length
  }

  /** Nothing of the session is in progress anymore. */
  release(session: string): void {
    const waiting = this.#held.get(session)
    this.#held.delete(session)
    if (waiting !== undefined) this.#offer(session, waiting)
  }

  /** Removes those whose deadline has passed, and returns the earliest remaining deadline. */
  takeLate(now: number): { late: Write[]; next: number } {
    const late: Write[] = []
    let next = Number.POSITIVE_INFINITY
    const stillInTime = (waiting: Line<Write>) => {
      const left: Write[] = []
      for (const one of waiting) (one.deadline <= now ? late : left).push(one)
      for (const { deadline } of left) next = Math.min(next, deadline)
      return new Line(left)
    }
    for (const [session, waiting] of this.#held) this.#held.set(session, stillInTime(waiting))
    const offered = [...this.#appends, ...this.#lone]
    this.#appends.clear()
    this.#lone.clear()
    for (const [session, waiting] of offered) this.#offer(session, stillInTime(waiting))
    this.#size -= late.length
    return { late, next }
  }

  #offer(session: string, waiting: Line<Write>): void {
    const { first } = waiting
    if (first !== undefined) (isLone(first) ? this.#lone : this.#appends).set(session, waiting)
  }
}

function isLone(write: Write): write is LoneWrite {
  return 'run' in write
}
