import type { Change } from '../../core/backend.ts'
import { listOf, type Reply } from './reply.ts'

/** So many appends, or characters, go in one script: few enough that the server works on one while the next is made ready. */
const most = { appends: 16, characters: 500_000 }

interface Waiting {
  readonly session: string
  readonly change: Change
  readonly deadline: number
  readonly resolve: (reply: Reply) => void
  readonly reject: (error: unknown) => void
}

/** Plain appends by session, in their order, all under one ttl, no operation twice. */
export type Batch = ReadonlyMap<string, readonly Change[]>

/** Sends plain appends that were made at the same time as one script. Each has its own outcome. */
export class AppendBatch {
  readonly #send: (batch: Batch, deadline: number) => Promise<Reply>
  readonly #isOneSession: () => boolean
  #waiting: Waiting[] = []

  /** `isOneSession`: whether a script may write to one session only, as in a cluster. */
  constructor(send: (batch: Batch, deadline: number) => Promise<Reply>, isOneSession: () => boolean) {
    this.#send = send
    this.#isOneSession = isOneSession
  }

  /** What the commit script replies to this append alone; `null` if it has to be sent alone, for something about its session is odd. */
  add(session: string, change: Change, deadline: number): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ session, change, deadline, resolve, reject })
      if (this.#waiting.length === 1) process.nextTick(() => this.#flush())
    })
  }

  #flush(): void {
    let waiting = this.#waiting
    this.#waiting = []
    while (waiting.length > 0) {
      const [taken, left] = this.#take(waiting)
      void this.#settle(taken)
      waiting = left
    }
  }

  #take(waiting: readonly Waiting[]): [taken: Map<string, Waiting[]>, left: Waiting[]] {
    const taken = new Map<string, Waiting[]>()
    const left: Waiting[] = []
    const operations = new Set<string>()
    const passed = new Set<string>()
    let count = 0
    let characters = 0
    for (const one of waiting) {
      const { session, change } = one
      const operation = `${session.length} ${session} ${change.operation.id}`
      const isFirst = count === 0
      const fits =
        isFirst ||
        (count < most.appends &&
          characters < most.characters &&
          !operations.has(operation) &&
          !passed.has(session) &&
          change.ttl === waiting[0]?.change.ttl &&
          (taken.has(session) || !this.#isOneSession()))
      if (!fits) {
        left.push(one)
        passed.add(session)
        continue
      }
      const before = taken.get(session)
      if (before === undefined) taken.set(session, [one])
      else before.push(one)
      operations.add(operation)
      count += 1
      for (const { body } of change.append ?? []) characters += body.length
    }
    return [taken, left]
  }

  async #settle(taken: ReadonlyMap<string, readonly Waiting[]>): Promise<void> {
    const all = [...taken.values()].flat()
    try {
      const batch = new Map([...taken].map(([session, waiting]) => [session, waiting.map(({ change }) => change)]))
      const reply = await this.#send(batch, Math.max(...all.map(({ deadline }) => deadline)))
      const sessions = listOf(reply)
      if (all.length === 1 && !Array.isArray(sessions[0])) return all[0]?.resolve(reply)
      for (const [index, waiting] of [...taken.values()].entries()) {
        const records = listOf(sessions[index])
        for (const [place, { resolve }] of waiting.entries()) resolve(records[place] ?? null)
      }
    } catch (error) {
      for (const { reject } of all) reject(error)
    }
  }
}
