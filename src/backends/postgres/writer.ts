import type { Change } from '../../core/backend.ts'
import { MemoryStoreBackendError } from '../../core/errors.ts'
import { appendStatement } from './append-statement.ts'
import { type Arguments, callFunction, type Query } from './call-function.ts'
import { changeArguments } from './change-arguments.ts'
import type { Attempt, Link, Send } from './link.ts'
import { lockWait } from './lock-wait.ts'
import type { OpenedLink } from './open-link.ts'
import { plainAppend } from './plain-append.ts'
import { toldAsBackendError } from './postgres-error.ts'
import { type Reply, toReply } from './reply.ts'
import { stateOf } from './state-of.ts'
import { WriteQueue } from './write-queue.ts'

/** Sends all that changes the memory: what concerns one session in the order in which it came, appends together. */
export class Writer {
  readonly #link: Link
  readonly #schema: string
  readonly #readOnly: string | null
  readonly #queue: WriteQueue
  /** Whether statements that write need a transaction around them, for the server's default isolation is not READ COMMITTED. */
  #isWrapping: boolean

  constructor({ link, schema, readOnly, isWrapping }: OpenedLink) {
    this.#link = link
    this.#schema = schema
    this.#readOnly = readOnly
    this.#isWrapping = isWrapping
    this.#queue = new WriteQueue((appends, deadline, mayWait) =>
      this.#send((wait) => appendStatement(schema, appends, mayWait ? wait : null), deadline),
    )
  }

  /** `append` leaves some to `apply_change`, which is then called with the same. */
  async commit(session: string, change: Change, deadline: number): Promise<Reply> {
    const append = plainAppend(session, change)
    if (append !== null) {
      try {
        return await this.#queue.append(append, deadline)
      } catch (error) {
        if (!isLeftToApplyChange(error)) throw error
      }
    }
    return this.callFor(session, 'apply_change_2', changeArguments(session, change), deadline)
  }

  /** Calls a function that locks a session, after what was to be written to it before. */
  callFor(session: string, name: string, args: Arguments, deadline: number): Promise<Reply> {
    return this.#queue.alone(session, deadline, (mayWait) => this.#call(name, args, deadline, mayWait))
  }

  /** Calls a function that locks no session. */
  call(name: string, args: Arguments, deadline: number): Promise<Reply> {
    return this.#call(name, args, deadline, true)
  }

  requireWritable(): void {
    if (this.#readOnly !== null) throw new MemoryStoreBackendError('READ_ONLY', this.#readOnly, { applied: 'no' })
  }

  async #call(name: string, args: Arguments, deadline: number, mayWait: boolean): Promise<Reply> {
    const statement = (wait: number) =>
      callFunction('SELECT', this.#schema, name, { wait: mayWait ? wait : null, ...args })
    const [reply] = await this.#send(statement, deadline)
    return reply ?? { status: 'OK', details: [] }
  }

  /** They wait for a lock no longer than we wait for them. */
  async #send(statement: (wait: number) => Query, deadline: number): Promise<readonly Reply[]> {
    this.requireWritable()
    const work = (send: Send, { until }: Attempt) => send(...statement(lockWait(until)))
    const rows = await toldAsBackendError(
      'unknown',
      this.#isWrapping ? this.#link.inTransaction(work, deadline) : this.#link.use(work, deadline),
    )
    const replies = rows.map((row) => toReply(Object.values(row as Record<string, string>)[0] ?? ''))
    if (replies[0]?.status !== 'ISOLATION') return replies
    this.#isWrapping = true
    return this.#send(statement, deadline)
  }
}

/** An operation that is there already, or a default isolation that is no longer READ COMMITTED. */
function isLeftToApplyChange(error: unknown): boolean {
  const { cause } = error as Error
  const { table } = (cause ?? {}) as { table?: unknown }
  const state = stateOf(cause)
  const isKnown = state === '23505' && /^operations(_\d+)?$/.test(String(table))
  return isKnown || state === '40001'
}
