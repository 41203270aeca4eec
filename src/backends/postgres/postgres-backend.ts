import type {
  Backend,
  Change,
  Committed,
  DamageFound,
  Drop,
  Erasure,
  Health,
  Lease,
  ListedPage,
  Reading,
  Reclaimed,
  ReclaimScope,
  SnapshotList,
  StagedEntry,
  Usage,
  Want,
} from '../../core/backend.ts'
import { MemoryLostError, MemoryStoreBackendError, misuse } from '../../core/errors.ts'
import { expiredKept } from '../../core/operation.ts'
import { ownerCursorFromText, ownerCursorToText } from '../../core/owner-page.ts'
import type { ClosedRange } from '../../core/path.ts'
import { takeParameter } from '../../core/take-parameter.ts'
import { textToJson } from '../../core/text-json.ts'
import { type Arguments, callFunction } from './call-function.ts'
import { conditionArguments, stageArguments } from './change-arguments.ts'
import type { PgPool } from './client.ts'
import { findDamage } from './find-damage.ts'
import { keyOf, shortKeyOf } from './hash.ts'
import type { Link } from './link.ts'
import { lockWait } from './lock-wait.ts'
import { type OpenedLink, openLink, type PostgresOptions } from './open-link.ts'
import type { PartRow } from './part-row.ts'
import { toldAsBackendError } from './postgres-error.ts'
import { type Reply, refusedBy, toOutcome } from './reply.ts'
import { type ListedRow, textOf, toListed, toReading, toSnapshotList } from './rows.ts'
import { readHealth } from './server-facts.ts'
import { stateOf } from './state-of.ts'
import { Writer } from './writer.ts'

/** Memory in a schema of a PostgreSQL database, which any number of processes may share. Every change is one statement, and so atomic. */
export class PostgresBackend implements Backend {
  readonly name = 'postgres'
  readonly #link: Link
  readonly #schema: string
  readonly #writer: Writer

  /** Opens the memory at a URL (`postgres://`, `postgresql://`, optionally with `?schema=`), or through the caller's own pool of the package `pg`. */
  static async open(target: string | PgPool, options: PostgresOptions = {}): Promise<PostgresBackend> {
    return new PostgresBackend(await openLink(...takeParameter(target, 'schema', options)))
  }

  private constructor(opened: OpenedLink) {
    this.#link = opened.link
    this.#schema = opened.schema
    this.#writer = new Writer(opened)
  }

  async read(id: string, want: Want, deadline: number): Promise<Reading> {
    const { operation, snapshot, ranges, first, last, before, after, summariesAfter, maxBytes, about = false } = want
    const isNothing = ranges?.length === 0
    const args = {
      key: keyOf(id),
      ...(operation !== undefined && { operation: shortKeyOf(operation) }),
      ...(snapshot !== undefined && { snapshot: shortKeyOf(snapshot) }),
      ...(ranges !== undefined && !isNothing && { ranges: ranges.flat() }),
      ...(last !== undefined && !isNothing && { last }),
      ...(first !== undefined && { first }),
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
      ...(summariesAfter !== undefined && { summaries_after: summariesAfter }),
      ...(maxBytes !== undefined && { max_bytes: maxBytes }),
      ...(about && { about }),
    }
    return toReading(id, await this.#readSession('read_session_2', args, deadline), about)
  }

  async commit(id: string, change: Change, deadline: number): Promise<Committed> {
    const writing = this.#writer.commit(id, change, deadline)
    const reply = await writing.catch((error) => this.#tellLoss(id, error, deadline))
    const outcome = toOutcome(id, change, reply)
    if (outcome === null) throw await this.#lost(id, deadline)
    if (outcome instanceof Error) throw outcome
    return outcome
  }

  async stage(_id: string, copy: string, entries: readonly StagedEntry[], deadline: number): Promise<void> {
    await this.#writer.call('stage_2', stageArguments(copy, entries), deadline)
  }

  async unstage(_id: string, copy: string, deadline: number): Promise<boolean> {
    const args = { copy: shortKeyOf(copy) }
    return isTrue(await this.#writer.call('unstage_2', args, deadline))
  }

  async snapshots(id: string, deadline: number): Promise<SnapshotList> {
    const args = { key: keyOf(id) }
    return toSnapshotList(id, await this.#readSession('read_snapshots_2', args, deadline))
  }

  async drop(id: string, { ifPath, ranges, epochs, limit }: Drop, deadline: number): Promise<Reclaimed | null> {
    const args = { key: keyOf(id), if_path: ifPath, ranges: ranges.flat(), epochs, limit }
    const reply = await this.#writer.callFor(id, 'drop_entries_2', args, deadline)
    if (reply.status === 'LOST') throw await this.#lost(id, deadline)
    return reply.status === 'OK' ? removedBy(reply) : null
  }

  async sessions(cursor: string | null, limit: number, deadline: number): Promise<ListedPage> {
    if (cursor !== null && !/^[0-9a-f]{64}$/.test(cursor))
      throw misuse('options.cursor: expected the cursor of an earlier page')
    const args = { after: Buffer.from(cursor ?? '', 'hex'), limit }
    const rows = (await this.#read('list_sessions_2', args, deadline)) as KeyedRow[]
    const known = rows.filter(({ has_row }) => has_row)
    return {
      sessions: rows.map(toListed),
      cursor: known.length < limit ? null : (known.at(-1)?.key.toString('hex') ?? null),
    }
  }

  async sessionsOf(owner: string, cursor: string | null, limit: number, deadline: number): Promise<ListedPage> {
    const after = cursor === null ? null : ownerCursorFromText(cursor)
    const args = {
      owner: textToJson(owner),
      limit,
      ...(after && { updated_at: after.updatedAt, id: Buffer.from(after.id) }),
    }
    const rows = (await this.#read('list_owned_2', args, deadline)) as OwnedRow[]
    const page = rows.slice(0, limit)
    const last = rows.length > limit ? page.at(-1) : undefined
    return {
      sessions: page.map(toListed),
      cursor: last ? ownerCursorToText({ updatedAt: last.updated_at, id: textOf(last.id) }) : null,
    }
  }

  async erase(id: string, { operation, ...conditions }: Erasure, deadline: number): Promise<boolean> {
    const args = { key: keyOf(id), operation: shortKeyOf(operation), ...conditionArguments(conditions) }
    const reply = await this.#writer.callFor(id, 'erase_session_2', args, deadline)
    const refused = refusedBy(id, { operation: { id: operation, digest: '' }, ...conditions }, reply)
    if (refused !== null) throw refused
    return isTrue(reply)
  }

  async takeTurn(id: string, { token, milliseconds }: Lease, deadline: number): Promise<number | null> {
    const args = { key: keyOf(id), token, milliseconds }
    const reply = await this.#writer.callFor(id, 'take_turn_2', args, deadline)
    return (reply.status === 'OK' ? reply.details : [])[0] as number | null
  }

  async renewTurn(id: string, { token, milliseconds }: Lease, deadline: number): Promise<boolean> {
    const args = { key: keyOf(id), token, milliseconds }
    return isTrue(await this.#writer.callFor(id, 'renew_turn_2', args, deadline))
  }

  async endTurn(id: string, token: string, deadline: number): Promise<void> {
    await this.#writer.callFor(id, 'end_turn_2', { key: keyOf(id), token }, deadline)
  }

  async reclaim(scope: ReclaimScope, deadline: number): Promise<Reclaimed> {
    const args = scope === 'erased' ? {} : { expired_for: scope === 'all' ? 0 : expiredKept }
    return removedBy(await this.#writer.call('reclaim_2', args, deadline))
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
    return toldAsBackendError(
      'no',
      this.#link.use((send) => readHealth(send, this.#schema), deadline),
    )
  }

  /** Drops the schema with every session and all remembered operations. For tests: other processes are not told. */
  async forgetEverything(deadline: number): Promise<void> {
    this.#writer.requireWritable()
    await toldAsBackendError('unknown', this.#link.query(`DROP SCHEMA ${this.#schema} CASCADE`, [], deadline))
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
      return send(...callFunction('SELECT * FROM', this.#schema, name, args))
    }, deadline)
    return (await toldAsBackendError('no', reading)) as PartRow[]
  }

  #read(name: string, args: Arguments, deadline: number): Promise<readonly unknown[]> {
    return toldAsBackendError(
      'no',
      this.#link.query(...callFunction('SELECT * FROM', this.#schema, name, args), deadline),
    )
  }

  /** A row that must not exist yet is one that the session's state does not know. */
  async #tellLoss(session: string, error: Error, deadline: number): Promise<never> {
    if (stateOf(error.cause) !== '23505') throw error
    await this.read(session, {}, deadline)
    throw new MemoryLostError(session, [], 'it has rows that its state does not mention', { cause: error })
  }

  /** What is missing is in the error that reading it throws. */
  async #lost(session: string, deadline: number): Promise<Error> {
    await this.read(session, { about: true }, deadline)
    return new MemoryStoreBackendError('BACKEND_FAILED', 'the session was missing and has reappeared', {
      applied: 'no',
      retryable: true,
    })
  }
}

function isTrue(reply: Reply): boolean {
  return reply.status === 'OK' && reply.details[0] === true
}

function removedBy(reply: Reply): Reclaimed {
  const [entries, done] = (reply.status === 'OK' ? reply.details : []) as [entries: number, done: boolean]
  return { entries, done }
}

interface KeyedRow extends ListedRow {
  readonly key: Buffer
  /** False if nothing but its name is left. */
  readonly has_row: boolean
}

interface OwnedRow extends ListedRow {
  readonly updated_at: number
}
