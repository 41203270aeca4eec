import { StoreClosedError } from '../../core/errors.ts'
import { within } from '../../core/within.ts'
import { NotConnected } from '../../plain/not-connected.ts'
import { type PgClient, type Statement, types } from './client.ts'
import { keyOf } from './hash.ts'
import type { PoolSource } from './pool-source.ts'
import { stateOf } from './state-of.ts'

/** The server's codes for a prepared statement that is not on this connection, or is there though it was not prepared. */
const unkept = new Set(['26000', '42P05'])

/** With less time than this left, in milliseconds, an attempt may use it all. */
const lastAttempt = 100

/** What is sent on one connection, one after the other. */
export type Send = (text: string, values?: unknown[]) => Promise<readonly unknown[]>

export interface Attempt {
  readonly connection: PgClient
  /** It is given up then. */
  readonly until: number
}

/**
 * The connection to the server. An attempt without a response within half of the remaining time is abandoned, so that another on a new connection
 * fits in; the hung connection is not used again.
 */
export class Link {
  readonly #source: PoolSource
  readonly #names = new Map<string, string>()
  #isClosed = false

  /** Whether statements are prepared once on each connection, and so are part of its state. Turned off automatically if that state is not kept. */
  prepares = false

  constructor(source: PoolSource) {
    this.#source = source
  }

  query(text: string, values: unknown[], deadline: number): Promise<readonly unknown[]> {
    return this.use((send) => send(text, values), deadline)
  }

  /** The same, in a transaction of that isolation: for servers whose default is another. */
  async inTransaction<T>(work: (send: Send, attempt: Attempt) => Promise<T>, deadline: number): Promise<T> {
    return this.use(async (send, attempt) => {
      await send('BEGIN ISOLATION LEVEL READ COMMITTED')
      const result = await work(send, attempt)
      await send('COMMIT')
      return result
    }, deadline)
  }

  /** Passes a connection to `work`. A connection that failed within a transaction, or did not respond, is closed. */
  async use<T>(work: (send: Send, attempt: Attempt) => Promise<T>, deadline: number): Promise<T> {
    if (this.#isClosed) throw new StoreClosedError()
    const { pool } = this.#source
    let client: PgClient | undefined
    let isSpoilt = false
    let isLate = false
    let statements = 0
    const spoil = () => {
      isSpoilt = true
    }
    const release = () => {
      client?.release(isSpoilt)
      client?.off('error', spoil)
    }
    const run = async () => {
      const connected = await pool.connect().catch(notConnected)
      if (isLate) {
        connected.release()
        throw new Overrun()
      }
      client = connected
      connected.on('error', spoil)
      try {
        return await work(
          (text, values = []) => {
            statements += 1
            return connected.query(this.#statement(text, values)).then(({ rows }) => rows)
          },
          { connection: connected, until },
        )
      } catch (error) {
        const isUnkept = unkept.has(stateOf(error) ?? '')
        if (isUnkept) this.prepares = false
        if (isUnkept || statements > 1) spoil()
        throw error
      } finally {
        if (!isLate) release()
      }
    }
    const patience = patienceOf(deadline)
    const until = performance.now() + patience
    return within(patience, run(), () => {
      isLate = true
      if (client === undefined) return new NotConnected(new Error('the server does not respond'))
      spoil()
      release()
      this.#source.renew(pool)
      return new Overrun()
    })
  }

  #statement(text: string, values: unknown[]): Statement {
    if (values.length === 0) return { text, types }
    if (!this.prepares) return { text, values, types }
    const name = this.#names.get(text) ?? `unforget_${keyOf(text).toString('hex', 0, 16)}`
    this.#names.set(text, name)
    return { name, text, values, types }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#source.close()
  }
}

export class Overrun extends Error {
  constructor() {
    super('the server did not respond in time')
  }
}

/** How long an attempt that starts now may take, in milliseconds. */
function patienceOf(deadline: number): number {
  const left = deadline - performance.now()
  return Math.max(0, left > lastAttempt ? left / 2 : left)
}

function notConnected(cause: unknown): never {
  throw new NotConnected(cause)
}
