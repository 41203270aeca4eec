import type {
  Backend,
  Change,
  Committed,
  DamageFound,
  Drop,
  Health,
  Reading,
  Reclaimed,
  SnapshotList,
  StagedEntry,
  Usage,
  Want,
} from '../../core/backend.ts'
import {
  CopyLostError,
  MemoryLostError,
  MemoryStoreBackendError,
  misuse,
  OperationConflictError,
  SnapshotExistsError,
  SnapshotNotFoundError,
  VersionConflictError,
} from '../../core/errors.ts'
import type { ClosedRange } from '../../core/path.ts'
import { takeParameter } from '../../core/take-parameter.ts'
import { appendStatement } from './append-statement.ts'
import { type Arguments, changeArguments, stageArguments } from './change-arguments.ts'
import type { PgPool } from './client.ts'
import { findDamage } from './find-damage.ts'
import { keyOf, shortKeyOf } from './hash.ts'
import type { Attempt, Link, Send } from './link.ts'
import { openLink, type PostgresOptions } from './open-link.ts'
import { plainAppend } from './plain-append.ts'
import { toBackendError } from './postgres-error.ts'
import { type PartRow, toAppended, toCommitted, toListed, toReading, toSnapshotList } from './rows.ts'
import { readHealth } from './server-facts.ts'
import { stateOf } from './state-of.ts'
import { WriteQueue } from './write-queue.ts'

/** Memory in a schema of a PostgreSQL database, which any number of processes may share. Every change is one statement, and so atomic. */
export class PostgresBackend implements Backend {
  readonly name = 'postgres'
  readonly #link: Link
  readonly #schema: string
  /** Why nothing can be written; `null` if it can. */
  readonly #readOnly: string | null
  readonly #writes: WriteQueue
  /** Whether statements that write need a transaction around them, for the server's default isolation is not READ COMMITTED. */
  #isWrapping: boolean

  /** Opens the memory at a URL (`postgres://`, `postgresql://`, optionally with `?schema=`), or through the caller's own pool of the package `pg`. */
  static async open(target: string | PgPool, options: PostgresOptions = {}): Promise<PostgresBackend> {
    return new PostgresBackend(await openLink(...takeParameter(target, 'schema', options)))
  }

  private constructor({ link, schema, readOnly, isWrapping }: Awaited<ReturnType<typeof openLink>>) {
    this.#link = link
    this.#schema = schema
    this.#readOnly = readOnly
    this.#isWrapping = isWrapping
    this.#writes = new WriteQueue((appends, deadline, mayWait) =>
      this.#write((wait) => appendStatement(schema, appends, mayWait ? wait : null), deadline),
    )
  }

  async read(id: string, want: Want, deadline: number): Promise<Reading> {
    const { operation, snapshot, ranges, last, summariesAfter, maxBytes } = want
    const isNothing = ranges?.length === 0
    const args = {
      key: keyOf(id),
      ...(operation !== undefined && { operation: shortKeyOf(operation) }),
      ...(snapshot !== undefined && { snapshot: shortKeyOf(snapshot) }),
      ...(ranges !== undefined && !isNothing && { ranges: ranges.flat() }),
      ...(last !== undefined && !isNothing && { last }),
      ...(summariesAfter !== undefined && { summaries_after: summariesAfter }),
      ...(maxBytes !== undefined && { max_bytes: maxBytes }),
    }
    return toReading(id, await this.#readSession('read_session_2', args, deadline))
  }

  async commit(id: string, change: Change, deadline: number): Promise<Committed> {
    const append = plainAppend(id, change)
    const general = () => this.#applyTo(id, 'apply_change_2', changeArguments(id, change), deadline)
    const writing = append ? this.#writes.append(append, deadline).catch(orBy(general)) : general()
    const reply = await writing.catch((error) => this.#tellLoss(id, error, deadline))
    if (append && !reply.startsWith('[')) return toAppended(append, reply)
    const [status, ...details] = JSON.parse(reply) as [string, ...unknown[]]
    const token = (details[0] || null) as string | null
    switch (status) {
      case 'OK':
        return toCommitted(id, details)
      case 'OPERATION':
        throw new OperationConflictError(id, change.operation.id)
      case 'VERSION':
        throw new VersionConflictError(id, 'version', change.ifVersion ?? null, token)
      case 'EPOCH':
        throw new VersionConflictError(id, 'epoch', change.ifEpoch ?? null, token)
      case 'COPY':
        throw new CopyLostError(id, change.staged?.count ?? 0, Number(details[0]))
      case 'NO_SNAPSHOT':
        throw new SnapshotNotFoundError(id, change.ifSnapshot?.id ?? '')
      case 'SNAPSHOT_EXISTS':
        throw new SnapshotExistsError(id, change.putSnapshot?.id ?? '')
      default:
        throw await this.#lost(id, deadline)
    }
  }

  async stage(_id: string, copy: string, entries: readonly StagedEntry[], deadline: number): Promise<void> {
    await this.#apply('stage_2', stageArguments(copy, entries), deadline)
  }

  async unstage(_id: string, copy: string, deadline: number): Promise<boolean> {
    const args = { copy: shortKeyOf(copy) }
    const [, existed] = JSON.parse(await this.#apply('unstage_2', args, deadline)) as [string, boolean]
    return existed
  }

  async snapshots(id: string, deadline: number): Promise<SnapshotList> {
    const args = { key: keyOf(id) }
    return toSnapshotList(id, await this.#readSession('read_snapshots_2', args, deadline))
  }

  async drop(id: string, { ifEpoch, ranges, epochs, limit }: Drop, deadline: number): Promise<Reclaimed | null> {
    const args = { key: keyOf(id), if_epoch: ifEpoch, ranges: ranges.flat(), epochs, limit }
    const [status, entries, done] = JSON.parse(await this.#applyTo(id, 'drop_entries_2', args, deadline)) as Removed
    if (status === 'LOST') throw await this.#lost(id, deadline)
    return status === 'OK' ? { entries, done } : null
  }

  async sessions(cursor: string | null, limit: number, deadline: number): ReturnType<Backend['sessions']> {
    if (cursor !== null && !/^[0-9a-f]{64}$/.test(cursor))
      throw misuse('options.cursor: expected the cursor of an earlier page')
    const args = { after: Buffer.from(cursor ?? '', 'hex'), limit }
    const rows = (await this.#read('list_sessions_2', args, deadline)) as ListedRow[]
    const known = rows.filter(({ body }) => body !== null)
    return {
      sessions: rows.map(toListed),
      cursor: known.length < limit ? null : (known.at(-1)?.key.toString('hex') ?? null),
    }
  }

  async erase(id: string, operation: string, deadline: number): Promise<boolean> {
    const args = { key: keyOf(id), operation: shortKeyOf(operation) }
    const [, existed] = JSON.parse(await this.#applyTo(id, 'erase_session_2', args, deadline)) as [string, boolean]
    return existed
  }

  async reclaim(scope: 'erased' | 'all', deadline: number): Promise<Reclaimed> {
    const args = { expired: scope === 'all' }
    const [, entries, done] = JSON.parse(await this.#apply('reclaim_2', args, deadline)) as Removed
    return { entries, done }
  }

  async measure(id: string | null, ranges: readonly ClosedRange[], deadline: number): Promise<Usage> {
    const args = { key: id === null ? null : keyOf(id), ranges: ranges.flat() }
    const [row] = (await this.#read('measure_2', args, deadline)) as Usage[]
    return { entries: row?.entries ?? 0, bytes: row?.bytes ?? 0 }
  }

  async damage(deadline: number): Promise<DamageFound> {
    const damage = await findDamage((after, limit) => this.#read('find_damage_2', { after, limit }, deadline))
    return { damage, done: true }
  }

  health(deadline: number): Promise<Health> {
    return this.#tell(
      'no',
      this.#link.use((send) => readHealth(send, this.#schema), deadline),
    )
  }

  /** Drops the schema with every session and all remembered operations. For tests: other processes are not told. */
  async forgetEverything(deadline: number): Promise<void> {
    this.#requireWritable()
    await this.#tell('unknown', this.#link.query(`DROP SCHEMA ${this.#schema} CASCADE`, [], deadline))
  }

  close(): Promise<void> {
    return this.#link.close()
  }

  /** A session that seems to have expired is read again while nobody writes to it: an append that came in time may be about to extend it. */
  async #readSession(name: string, args: { key: Buffer }, deadline: number): Promise<PartRow[]> {
    const rows = (await this.#read(name, args, deadline)) as PartRow[]
    if (!rows.some(({ part }) => part === 'expired')) return rows
    const lock = `pg_advisory_xact_lock_shared(${this.#schema}.lock_of_2($2))`
    const reading = this.#link.inTransaction(async (send, { until }) => {
      await send(`SELECT set_config('lock_timeout', $1, true) || ${lock}::text`, [`${lockWait(until)}`, args.key])
      return send(...this.#call('SELECT * FROM', name, args))
    }, deadline)
    return (await this.#tell('no', reading)) as PartRow[]
  }

  #read(name: string, args: Arguments, deadline: number): Promise<readonly unknown[]> {
    return this.#tell('no', this.#link.query(...this.#call('SELECT * FROM', name, args), deadline))
  }

  #applyTo(session: string, name: string, args: Arguments, deadline: number): Promise<string> {
    return this.#writes.alone(session, deadline, (mayWait) => this.#apply(name, args, deadline, mayWait))
  }

  async #apply(name: string, args: Arguments, deadline: number, mayWait = true): Promise<string> {
    const statement = (wait: number) => this.#call('SELECT', name, { wait: mayWait ? wait : null, ...args })
    const [reply] = await this.#write(statement, deadline)
    return reply ?? '[]'
  }

  /** What the functions that write reply. They wait for a lock no longer than we wait for them. */
  async #write(
    statement: (wait: number) => [text: string, values: unknown[]],
    deadline: number,
  ): Promise<readonly string[]> {
    this.#requireWritable()
    const work = (send: Send, { until }: Attempt) => send(...statement(lockWait(until)))
    const rows = await this.#tell(
      'unknown',
      this.#isWrapping ? this.#link.inTransaction(work, deadline) : this.#link.use(work, deadline),
    )
    const replies = rows.map((row) => Object.values(row as Record<string, string>)[0] ?? '')
    if (replies[0] !== '["ISOLATION"]') return replies
    this.#isWrapping = true
    return this.#write(statement, deadline)
  }

  #requireWritable(): void {
    if (this.#readOnly !== null) throw new MemoryStoreBackendError('READ_ONLY', this.#readOnly, { applied: 'no' })
  }

  #tell<T>(ifCut: 'no' | 'unknown', work: Promise<T>): Promise<T> {
    return work.catch((error) => {
      throw toBackendError(error, ifCut)
    })
  }

  #call(how: 'SELECT' | 'SELECT * FROM', name: string, args: Arguments): [text: string, values: unknown[]] {
    const names = Object.keys(args).map((key, index) => `p_${key} => $${index + 1}`)
    return [`${how} ${this.#schema}.${name}(${names.join(', ')})`, Object.values(args)]
  }

  /** A row that must not exist yet is one that the session's state does not know. */
  async #tellLoss(session: string, error: Error, deadline: number): Promise<never> {
    if (stateOf(error.cause) !== '23505') throw error
    await this.read(session, {}, deadline)
    throw new MemoryLostError(session, [], 'it has rows that its state does not know', { cause: error })
  }

  /** What is missing is in the error that reading it throws. */
  async #lost(session: string, deadline: number): Promise<Error> {
    await this.read(session, {}, deadline)
    return new MemoryStoreBackendError('BACKEND_FAILED', 'the session was lost and is there again', {
      applied: 'no',
      retryable: true,
    })
  }
}

/** How long to wait for a lock, in milliseconds, so that a response arrives before the deadline; throws if no time is left. */
function lockWait(until: number): number {
  const left = until - performance.now()
  const toAnswer = Math.max(25, left / 5, Math.min(100, left / 2))
  const wait = Math.floor(left - toAnswer)
  if (wait > 0) return wait
  throw new MemoryStoreBackendError('TIMEOUT', 'there was no time left to send it', {
    applied: 'no',
    retryable: true,
  })
}

/** What `append` leaves to `apply_change`: an operation that is there already, or a default isolation that is no longer READ COMMITTED. */
function orBy(general: () => Promise<string>): (error: Error) => Promise<string> {
  return async (error) => {
    const { table } = (error.cause ?? {}) as { table?: unknown }
    const state = stateOf(error.cause)
    const isKnown = state === '23505' && /^operations(_\d+)?$/.test(String(table))
    if (isKnown || state === '40001') return general()
    throw error
  }
}

type Removed = [status: string, entries: number, done: boolean]

interface ListedRow {
  readonly key: Buffer
  readonly id: Buffer
  readonly body: string | null
}
