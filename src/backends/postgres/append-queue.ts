import { MemoryStoreBackendError } from '../../core/errors.ts'

/** So many appends, and about so many characters, share one statement. */
const most = { appends: 64, characters: 1_000_000 }

/** So many statements are under way at a time. While they are, appends gather for the next. One that takes so long waits for a lock and is not counted. */
const parallel = 4
const waiting = 50

/** Messages without bytes to add to a session, and nothing else. */
export interface Append {
  readonly session: string
  readonly key: Buffer
  readonly operation: Buffer
  readonly digest: string
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

/**
 * Sends appends at once while few are under way, else together with others: one round trip and one commit for all of them. Those to one session
 * go one statement after the other, for they would only wait for one another, on a connection each.
 */
export class AppendQueue {
  readonly #send: (appends: readonly Append[], deadline: number) => Promise<readonly string[]>
  readonly #sessions = new Set<string>()
  /** The statements that are counted, the oldest first. */
  readonly #underWay = new Set<{ readonly since: number }>()
  #waiting: Waiting[] = []
  #uncounting: NodeJS.Timeout | undefined

  /** `send` replies to each, `["BUSY"]` to those whose session is locked by others. It rejects with the same for all. */
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
    while (this.#underWay.size < parallel) {
      const batch = this.#next()
      if (batch.length === 0) return
      void this.#follow(batch)
    }
    if (this.#waiting.length > 0) this.#uncounting ??= setTimeout(() => this.#uncount(), waiting)
  }

  #uncount(): void {
    this.#uncounting = undefined
    const longAgo = performance.now() - waiting
    for (const statement of this.#underWay) if (statement.since <= longAgo) this.#underWay.delete(statement)
    this.#pump()
  }

  async #follow(batch: readonly Waiting[]): Promise<void> {
    const statement = { since: performance.now() }
    this.#underWay.add(statement)
    for (const { append } of batch) this.#sessions.add(append.session)
    const again = await this.#sendBatch(batch)
    for (const { append } of batch) this.#sessions.delete(append.session)
    this.#underWay.delete(statement)
    for (const part of again) void this.#follow(part)
    this.#pump()
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
      else if (isFull || this.#sessions.has(one.append.session)) left.push(one)
      else {
        batch.push(one)
        characters += size
      }
    }
    this.#waiting = left
    return batch
  }

  /** Settles those that were sent, and returns the others in the parts in which they are to be sent again. */
  async #sendBatch(batch: readonly Waiting[]): Promise<Waiting[][]> {
    try {
      const deadline = Math.min(...batch.map((one) => one.deadline))
      const replies = await this.#send(
        batch.map(({ append }) => append),
        deadline,
      )
      const busy = new Map<string, Waiting[]>()
      for (const [index, one] of batch.entries()) {
        const { session } = one.append
        const reply = replies[index] ?? '["BUSY"]'
        if (reply !== '["BUSY"]') one.resolve(reply)
        else busy.set(session, [...(busy.get(session) ?? []), one])
      }
      return [...busy.values()]
    } catch (error) {
      const isRefused = error instanceof MemoryStoreBackendError && error.applied === 'no' && !error.retryable
      if (batch.length > 1 && isRefused) return batch.map((one) => [one])
      for (const one of batch) one.reject(error)
      return []
    }
  }
}

function late(): MemoryStoreBackendError {
  return new MemoryStoreBackendError('TIMEOUT', 'the append was not sent in time', {
    applied: 'no',
    retryable: true,
  })
}
