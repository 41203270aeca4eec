import type Database from 'better-sqlite3'
import { messageOf } from '../../../plain/message-of.ts'
import { GoldenError } from '../../errors.ts'
import { openDatabase } from '../../system/open-database.ts'

export type Side = 'before' | 'after'

export const otherSide = (side: Side): Side => (side === 'before' ? 'after' : 'before')

/**
 * Two databases in one connection, attached as `before` and `after`. The files must be copies that nobody else has open, in rollback mode.
 * A path of null stands for a database without content.
 */
export class DatabasePair {
  readonly #connection: Database.Database
  /** The text encoding of both; undefined if they differ, because then they cannot be attached together. */
  readonly encodings: Readonly<Record<Side, string>>

  constructor(before: string | null, after: string | null) {
    const known = {
      before: before === null ? null : readEncoding(before),
      after: after === null ? null : readEncoding(after),
    }
    const fallback = known.before ?? known.after ?? 'UTF-8'
    this.encodings = { before: known.before ?? fallback, after: known.after ?? fallback }
    this.#connection = openDatabase(':memory:')
    this.#connection.pragma(`encoding = '${this.encodings.before}'`)
    this.#connection.defaultSafeIntegers(true)
    this.#attach(before, 'before')
    if (this.comparable) this.#attach(after, 'after')
  }

  /** Whether both are attached: SQLite attaches only databases of one encoding. */
  get comparable(): boolean {
    return this.encodings.before === this.encodings.after
  }

  all<Result>(sql: string, ...parameters: readonly unknown[]): Result[] {
    return this.#connection.prepare(sql).all(...parameters) as Result[]
  }

  get<Result>(sql: string, ...parameters: readonly unknown[]): Result {
    return this.#connection.prepare(sql).get(...parameters) as Result
  }

  rows(sql: string, ...parameters: readonly unknown[]): IterableIterator<unknown[]> {
    return this.#connection
      .prepare(sql)
      .raw()
      .iterate(...parameters) as IterableIterator<unknown[]>
  }

  execute(sql: string): void {
    this.#connection.exec(sql)
  }

  /** Runs a statement for each list of parameters, in one transaction. */
  fill(sql: string, lists: readonly (readonly unknown[])[]): void {
    const statement = this.#connection.prepare(sql)
    this.#connection.transaction(() => {
      for (const parameters of lists) statement.run(...parameters)
    })()
  }

  close(): void {
    this.#connection.close()
  }

  #attach(path: string | null, side: Side): void {
    this.#connection.prepare(`ATTACH ? AS ${side}`).run(path ?? ':memory:')
  }
}

function readEncoding(path: string): string {
  let database: Database.Database | undefined
  try {
    database = openDatabase(path, { fileMustExist: true })
    return database.pragma('encoding', { simple: true }) as string
  } catch (error) {
    if (error instanceof GoldenError) throw error
    throw new GoldenError('CORRUPT', `${path} is corrupt, or was written by a newer SQLite: ${messageOf(error)}.`, {
      cause: error,
    })
  } finally {
    database?.close()
  }
}
