import { StoreClosedError } from '../../core/errors.ts'
import { type PgClient, type PgPool, type Statement, types } from './client.ts'
import { keyOf } from './hash.ts'
import type { PoolSource } from './pool-source.ts'

/** With less time than this left, in milliseconds, an attempt may use it all. */
const lastAttempt = 100

/** What is sent on one connection, one after the other. */
export type Send = (text: string, values?: unknown[]) => Promise<readonly unknown[]>

/**
 * The way to the server. An attempt that gets no answer in half of the time that is left is given up, so that another on a new connection
 * fits in; the connection it hung on is not used again.
 */
export class Link {
  readonly #source: PoolSource
  readonly #prepared: Map<string, string> | null
  #isClosed = false

  /** `prepare`: statements are prepared once on each connection, and so are its state. */
  constructor(source: PoolSource, prepare: boolean) {
    this.#source = source
    this.#prepared = prepare ? new Map() : null
  }

  /** How long an attempt may take that begins now, in milliseconds. */
  static patience(deadline: number): number {
    const left = deadline - performance.now()
    return Math.max(0, left > lastAttempt ? left / 2 : left)
  }

  async query(text: string, values: unknown[], deadline: number): Promise<readonly unknown[]> {
    return this.use((send) => send(text, values), deadline)
  }

  /** The same, in a transaction of that isolation: for servers whose default is another. */
  async inTransaction<T>(work: (send: Send) => Promise<T>, deadline: number): Promise<T> {
    return this.use(async (send) => {
      await send('BEGIN ISOLATION LEVEL READ COMMITTED')
      const result = await work(send)
      await send('COMMIT')
      return result
    }, deadline)
  }

  /** Hands a connection to `work`. One that failed within a transaction, or did not answer, is closed. */
  async use<T>(work: (send: Send) => Promise<T>, deadline: number): Promise<T> {
    if (this.#isClosed) throw new StoreClosedError()
    const { pool } = this.#source
    const end = performance.now() + Link.patience(deadline)
    const client = await this.#connect(pool, end)
    let isSpoilt = false
    const spoil = () => {
      isSpoilt = true
    }
    client.on('error', spoil)
    let statements = 0
    const send: Send = async (text, values = []) => {
      statements += 1
      return (await client.query(this.#statement(text, values))).rows
    }
    try {
      return await before(work(send), end, () => new Overrun())
    } catch (error) {
      if (statements > 1) spoil()
      if (error instanceof Overrun) {
        spoil()
        this.#source.renew(pool)
      }
      throw error
    } finally {
      client.release(isSpoilt)
      client.off('error', spoil)
    }
  }

  #statement(text: string, values: unknown[]): Statement {
    if (values.length === 0) return { text, types }
    if (this.#prepared === null) return { text, values, types }
    const name = this.#prepared.get(text) ?? `unforget_${keyOf(text).toString('hex', 0, 16)}`
    this.#prepared.set(text, name)
    return { name, text, values, types }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#source.close()
  }

  async #connect(pool: PgPool, end: number): Promise<PgClient> {
    const connecting = pool.connect()
    try {
      return await before(connecting, end, () => new Error('the server does not answer'))
    } catch (error) {
      connecting.then(
        (client) => client.release(),
        () => {},
      )
      throw new NotConnected(error)
    }
  }
}

/** The server did not answer what was sent. */
export class Overrun extends Error {
  constructor() {
    super('the server did not answer in time')
  }
}

/** Nothing was sent, for there was no connection. */
export class NotConnected extends Error {
  constructor(cause: unknown) {
    super(`no connection: ${messageOf(cause)}`, { cause })
  }
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

async function before<T>(work: Promise<T>, end: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const lateness = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), Math.max(0, end - performance.now()))
  })
  work.catch(() => {})
  try {
    return await Promise.race([work, lateness])
  } finally {
    clearTimeout(timer)
  }
}
