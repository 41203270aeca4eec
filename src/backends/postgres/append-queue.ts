import { MemoryStoreBackendError } from '../../core/errors.ts'

/** So many appends, and about so many characters, share one statement. */
const most = { appends: 64, characters: 1_000_000 }

/** So many statements are under way at a time. While they are, appends gather for the next. One that takes so long waits for a lock and is not counted. */
const parallel = 4
const waiting = 50

/** Messages without bytes to add to a session, and nothing else. */
export interface Append {
  readonly key: Buffer
  readonly id: Buffer
  readonly operation: Buffer
  readonly digest: string
  readonly nonce: string
  readonly ttl: number | null
  readonly bodies: readonly string[]
}

interface Waiting {
  readonly append: Append
  readonly session: string
  readonly deadline: number
  readonly resolve: (reply: string) => void
  readonly reject: (error: unknown) => void
}

/**
 * Sends appends at once while few are under way, else together with others: one round trip and one commit for all of them. Those to one session
 * go one statement after the other, for they would only wait for one another, on a connection each.
 */
export class AppendQueue {
  readonly #send: (appends: readonly Append[], deadline: number) => Promise<readonly string[]>
  readonly #sessions = new Set<string>()
  #waiting: Waiting[] = []
  #underWay = 0

  /** `send` replies to each, `["BUSY"]` to those that are to be sent alone. It rejects with the same for all. */
  constructor(send: (appends: readonly Append[], deadline: number) => Promise<readonly string[]>) {
    this.#send = send
  }

  add(append: Append, deadline: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const session = append.key.toString('latin1')
      this.#waiting.push({ append, session, deadline, resolve, reject })
      this.#pump()
    })
  }

  #pump(): void {
    while (this.#underWay < parallel) {
      const batch = this.#next()
      if (batch.length === 0) return
      const sessions = new Set(batch.map(({ session }) => session))
      for (const session of sessions) this.#sessions.add(session)
      let isCounted = true
      const uncount = () => {
        if (!isCounted) return
        isCounted = false
        this.#underWay -= 1
        this.#pump()
      }
      this.#underWay += 1
      const timer = setTimeout(uncount, waiting)
      void this.#sendBatch(batch).finally(() => {
        clearTimeout(timer)
        for (const session of sessions) this.#sessions.delete(session)
        uncount()
        this.#pump()
      })
    }
  }

  /** Those that come next; one whose deadline has passed meanwhile is told so. */
  #next(): Waiting[] {
    const batch: Waiting[] = []
    const left: Waiting[] = []
    const now = performance.now()
    let characters = 0
    for (const one of this.#waiting) {
      const size = one.append.bodies.reduce((sum, { length }) => sum + length, 0)
      const isFull = batch.length > 0 && (batch.length === most.appends || characters + size > most.characters)
      if (one.deadline <= now) one.reject(late())
      else if (isFull || this.#sessions.has(one.session)) left.push(one)
      else {
        batch.push(one)
        characters += size
      }
    }
    this.#waiting = left
    return batch
  }

  async #sendBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const deadline = Math.min(...batch.map((one) => one.deadline))
      const replies = await this.#send(
        batch.map(({ append }) => append),
        deadline,
      )
      const busy = batch.filter((one, index) => {
        const reply = replies[index] ?? '["BUSY"]'
        if (reply !== '["BUSY"]') one.resolve(reply)
        return reply === '["BUSY"]'
      })
      await Promise.all(busy.map((one) => this.#sendBatch([one])))
    } catch (error) {
      const isRefused = error instanceof MemoryStoreBackendError && error.applied === 'no' && !error.retryable
      if (batch.length > 1 && isRefused) await Promise.all(batch.map((one) => this.#sendBatch([one])))
      else for (const one of batch) one.reject(error)
    }
  }
}

function late(): MemoryStoreBackendError {
  return new MemoryStoreBackendError('TIMEOUT', 'the append was not sent in time', {
    applied: 'no',
    retryable: true,
  })
}
