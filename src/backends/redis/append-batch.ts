import type { Change, Committed } from '../../core/backend.ts'
import { makeNonce } from '../../core/make-nonce.ts'
import { type CommitReply, toCommitReply } from './commit-reply.ts'
import type { Append, Appends } from './commit-request.ts'
import { type Reply, textOf } from './reply.ts'
import { appendsFromText } from './state-text.ts'

/** Few enough that the server works on one script while the next is prepared. */
const maxPerScript = { appends: 16, characters: 500_000 }

interface Waiting extends Append {
  readonly session: string
  readonly answer: string | null
  readonly messages: number
  readonly deadline: number
  readonly resolve: (reply: CommitReply) => void
  readonly reject: (error: unknown) => void
}

interface Batch {
  readonly bySession: Map<string, Waiting[]>
  readonly messages: number
  count: number
  characters: number
  deadline: number
}

/** Sends concurrent plain appends as one script. Each has its own outcome. */
export class AppendBatch {
  readonly #send: (appends: Appends, deadline: number) => Promise<Reply>
  readonly #isOneSession: () => boolean
  #waiting: Waiting[] = []

  /** `isOneSession`: whether a script may write to one session only, as in a cluster. */
  constructor(send: (appends: Appends, deadline: number) => Promise<Reply>, isOneSession: () => boolean) {
    this.#send = send
    this.#isOneSession = isOneSession
  }

  add(session: string, change: Change, deadline: number): Promise<CommitReply> {
    return new Promise((resolve, reject) => {
      const answer = change.operation.answer ?? null
      const messages = change.append?.length ?? 0
      this.#waiting.push({ session, change, nonce: makeNonce(), answer, messages, deadline, resolve, reject })
      if (this.#waiting.length === 1) process.nextTick(() => this.flush())
    })
  }

  /** Sends what is waiting, so that later calls come after it. */
  flush(): void {
    if (this.#waiting.length === 0) return
    const waiting = this.#waiting
    this.#waiting = []
    const isOneSession = this.#isOneSession()
    const open = new Map<string, Batch>()
    for (const one of waiting) {
      const lane = isOneSession ? one.session : ''
      const batch = open.get(lane)
      if (batch !== undefined && fits(batch, one)) {
        put(batch, one)
        continue
      }
      if (batch !== undefined) this.#dispatch(batch)
      open.set(lane, begin(one))
    }
    for (const batch of open.values()) this.#dispatch(batch)
  }

  #dispatch({ bySession, deadline }: Batch): void {
    this.#send(bySession, deadline).then(
      (reply) => {
        let index = 0
        for (const [session, waiting] of bySession) {
          settle(session, waiting, bySession.size === 1 ? reply : (reply as readonly Reply[])[index])
          index += 1
        }
      },
      (error) => {
        for (const waiting of bySession.values()) for (const { reject } of waiting) reject(error)
      },
    )
  }
}

function begin(one: Waiting): Batch {
  const batch = { bySession: new Map(), messages: one.messages, count: 0, characters: 0, deadline: one.deadline }
  put(batch, one)
  return batch
}

function fits(batch: Batch, one: Waiting): boolean {
  if (batch.count >= maxPerScript.appends || batch.characters >= maxPerScript.characters) return false
  if (batch.messages !== one.messages) return false
  const others = batch.bySession.get(one.session)
  return others === undefined || others.every(({ change }) => change.operation.id !== one.change.operation.id)
}

function put(batch: Batch, one: Waiting): void {
  const others = batch.bySession.get(one.session)
  if (others === undefined) batch.bySession.set(one.session, [one])
  else others.push(one)
  batch.count += 1
  for (const { body } of one.change.append ?? []) batch.characters += body.length
  if (one.deadline > batch.deadline) batch.deadline = one.deadline
}

/** What was written together has one record; else each has its own, or says why not. */
function settle(session: string, waiting: readonly Waiting[], reply: Reply): void {
  try {
    if (Array.isArray(reply)) {
      for (const [index, { resolve }] of waiting.entries()) resolve(toCommitReply(session, reply[index]))
      return
    }
    const all = appendsFromText(session, textOf(reply), waiting)
    for (const [index, { resolve }] of waiting.entries()) resolve({ status: 'OK', committed: all[index] as Committed })
  } catch (error) {
    for (const { reject } of waiting) reject(error)
  }
}
