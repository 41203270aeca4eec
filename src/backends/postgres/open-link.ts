import { MemoryStoreBackendError, misuse } from '../../core/errors.ts'
import { leastToOpen, untilItWorks } from '../../core/until-it-works.ts'
import { messageOf } from '../../plain/message-of.ts'
import type { PgPool } from './client.ts'
import { Link } from './link.ts'
import { openSchema } from './open-schema.ts'
import { callersPool, ownPool } from './pool-source.ts'
import { toBackendError } from './postgres-error.ts'
import { quoteSchema } from './schema/schema-name.ts'

export interface PostgresOptions {
  /** The schema that holds the tables; default `unforget`. Two schemas are two memories. */
  schema?: string | undefined
  /**
   * `false`: neither creates nor upgrades the schema, for roles that may not; `unforget schema postgres` prints the SQL. A schema that is missing
   * (`NOT_A_MEMORY`), older (`SCHEMA_TOO_OLD`) or newer (`SCHEMA_TOO_NEW`) is rejected.
   */
  migrate?: boolean | undefined
  /** `power`: refuses servers that can lose acknowledged writes in a power failure. By default, only `health` says what can be lost. */
  durability?: 'power' | 'process' | undefined
  /** Every write rejects with `READ_ONLY`. The same happens for a role that may only read. */
  readOnly?: boolean | undefined
  /**
   * Whether statements are prepared once per connection, which is faster. Default: yes on our own direct connections to the server,
   * no behind a pooler and on the caller's own pool.
   */
  prepare?: boolean | undefined
  /** The maximum number of connections of our own pool; default 10. */
  connections?: number | undefined
  /**
   * The `timeout` of `MemoryStore`, in milliseconds; default 5,000. Opening may take as long, and at least ten seconds.
   */
  timeout?: number | undefined
}

export interface OpenedLink {
  readonly link: Link
  /** The schema's name, quoted. */
  readonly schema: string
  /** Why nothing can be written; `null` if it can. */
  readonly readOnly: string | null
  readonly isWrapping: boolean
}

/** Connects, and checks that the server and the schema meet the requirements. */
export async function openLink(target: string | PgPool, options: PostgresOptions): Promise<OpenedLink> {
  const { timeout = 5000, connections = 10, migrate = true, readOnly = false, durability } = options
  const schema = quoteSchema(options.schema ?? 'unforget')
  if (!Number.isInteger(connections) || connections < 1) {
    throw misuse('options.connections: expected a whole number, 1 or more')
  }
  const deadline = performance.now() + Math.max(timeout, leastToOpen)
  const isOwn = typeof target === 'string'
  const link = new Link(isOwn ? await ownPool(target, connections, timeout) : callersPool(target))
  try {
    const request = { schema, migrate: migrate && !readOnly, durability }
    const { facts, isDirect, isWritable } = await untilItWorks(
      () => openSchema(link, request, deadline),
      (error) => toBackendError(error, 'no').retryable,
      deadline,
    )
    link.prepares = options.prepare ?? (isOwn && isDirect)
    return {
      link,
      schema,
      readOnly: readOnly ? 'the memory was opened read-only' : isWritable ? null : 'the role may only read',
      isWrapping: facts.isolation !== 'read committed',
    }
  } catch (error) {
    await link.close()
    throw cannotOpen(error)
  }
}

function cannotOpen(error: unknown): Error {
  const failed = toBackendError(error, 'no')
  if (!(failed instanceof MemoryStoreBackendError) || failed === error || failed.code === 'NOT_A_MEMORY') return failed
  const message = messageOf(error)
  return new MemoryStoreBackendError('CANNOT_OPEN', `the PostgreSQL memory cannot be opened: ${message}`, {
    applied: 'no',
    cause: error,
    retryable: failed.retryable,
  })
}
