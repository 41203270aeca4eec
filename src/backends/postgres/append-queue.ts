import { MemoryStoreBackendError } from '../../core/errors.ts'

/** So many appends, and about so many characters, share one statement. */
const most = { appends: 64, characters: 1_000_000 }

/** So many statements are under way at a time. While they are, appends gather for the next. */
const parallel = 4

/** Messages without bytes to add to a session, and nothing else. */
export interface Append {
  readonly key: Buffer
  readonly id: Buffer
  readonly operation: Buffer
  readonly digest: string
  readonly answer: string | null
  readonly nonce: string
  readonly ttl: number | null
  readonly bodies: readonly string[]
}

interface Waiting {
  readonly append: Append
  readonly deadline: number
  readonly resolve: (reply: string) => void
  readonly reject: (error: unknown) => void
}

/** Sends appends at once while few are under way, else together with others: one round trip and one commit for all of them. */
export class AppendQueue {
  readonly #send: (appends: readonly Append[], deadline: number) => Promise<readonly string[]>
  #waiting: Waiting[] = []
  #underWay = 0

  /** `send` replies to each, `["BUSY"]` to those that are to be sent alone. It rejects with the same for all. */
  constructor(send: (appends: readonly Append[], deadline: number) => Promise<readonly string[]>) {
    this.#send = send
  }

  add(append: Append, deadline: number): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ append, deadline, resolve, reject })
      this.#pump()
    })
  }

  #pump(): void {
    while (this.#underWay < parallel && this.#waiting.length > 0) {
      const batch = this.#next()
      if (batch.length === 0) continue
      this.#underWay += 1
      void this.#sendBatch(batch).finally(() => {
        this.#underWay -= 1
        this.#pump()
      })
    }
  }

  /** Those that come next; one whose deadline has passed meanwhile is told so. */
  #next(): Waiting[] {
    const batch: Waiting[] = []
    const now = performance.now()
    let characters = 0
    let taken = 0
    for (const one of this.#waiting) {
      const size = one.append.bodies.reduce((sum, { length }) => sum + length, 0)
      const isFull = batch.length === most.appends || characters + size > most.characters
      if (batch.length > 0 && isFull) break
      taken += 1
      if (one.deadline <= now) one.reject(late())
      else {
        batch.push(one)
        characters += size
      }
    }
    this.#waiting = this.#waiting.slice(taken)
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
      for (const one of busy) void this.#sendBatch([one])
    } catch (error) {
      const isRefused = error instanceof MemoryStoreBackendError && error.applied === 'no' && !error.retryable
      if (batch.length > 1 && isRefused) for (const one of batch) void this.#sendBatch([one])
      else for (const one of batch) one.reject(error)
    }
  }
}

function late(): MemoryStoreBackendError {
  return new MemoryStoreBackendError('TIMEOUT', 'the append was not sent in time', { applied: 'no' })
}
