import { MemoryStoreBackendError } from '../../core/errors.ts'
import type { Link, Send } from './link.ts'
import { lockOf, migrationSql, schemaVersion } from './schema/schema-sql.ts'
import { tableNames } from './schema/tables-2.ts'
import { readServerFacts, type ServerFacts, unsafeSettings } from './server-facts.ts'
import { stateOf } from './state-of.ts'

export interface SchemaRequest {
  /** The schema's name, quoted. */
  readonly schema: string
  readonly migrate: boolean
  readonly durability: 'power' | 'process' | undefined
}

export interface OpenedSchema {
  readonly facts: ServerFacts
  /** Whether a connection goes directly to the server: a pooler announces another process than the one that responds. */
  readonly isDirect: boolean
  /** Whether the role may write. */
  readonly isWritable: boolean
}

/** Checks the server and the schema, and creates or upgrades the schema if it may. */
export async function openSchema(link: Link, request: SchemaRequest, deadline: number): Promise<OpenedSchema> {
  const { schema, migrate, durability } = request
  const { facts, isDirect, version } = await link.use(async (send, { connection: { processID } }) => {
    const found = await readServerFacts(send, schema)
    return {
      facts: found,
      isDirect: found.processId === processID,
      version: found.isMemory ? await readVersion(send, schema) : null,
    }
  }, deadline)
  if (facts.encoding !== 'UTF8') {
    throw cannotOpen(
      `the database must be encoded in UTF8, which can store any text; it is encoded in ${facts.encoding}`,
    )
  }
  const [unsafe] = unsafeSettings(facts)
  if (durability === 'power' && unsafe !== undefined) {
    throw cannotOpen(`durability 'power' needs a server that keeps what it acknowledged, but ${unsafe} is off`)
  }
  if (version !== schemaVersion) {
    if (version !== null && version > schemaVersion) throw tooNew(schema, version)
    if (!migrate || facts.isStandby) throw version === null ? missing(schema) : tooOld(schema, version)
    await migrateSchema(link, schema, deadline)
  }
  return { facts, isDirect, isWritable: await link.use((send) => mayWrite(send, schema), deadline) }
}

async function readVersion(send: Send, schema: string): Promise<number> {
  const [row] = (await send(`SELECT version FROM ${schema}.unforget_version`)) as { version: number }[]
  if (row === undefined) throw notAMemory(schema)
  return row.version
}

/** Any number of processes may do this at the same time: one does, the others wait and find it done. */
async function migrateSchema(link: Link, schema: string, deadline: number): Promise<void> {
  try {
    await link.inTransaction(async (send) => {
      await send(`SET LOCAL lock_timeout = ${Math.max(1, Math.floor(deadline - performance.now()))}`)
      await send('SELECT pg_advisory_xact_lock($1)', [lockOf(schema)])
      const { isMemory } = await readServerFacts(send, schema)
      const version = isMemory ? await readVersion(send, schema) : 0
      if (version > schemaVersion) throw tooNew(schema, version)
      if (version < schemaVersion) await send(migrationSql({ schema, partitions: 0 }, version))
    }, deadline)
  } catch (error) {
    if (stateOf(error) === '42501') {
      throw new MemoryStoreBackendError(
        'NOT_A_MEMORY',
        `${noMemory(schema)}, and the role may not create it; ${advice}`,
        {
          applied: 'no',
          cause: error,
        },
      )
    }
    throw error
  }
}

async function mayWrite(send: Send, schema: string): Promise<boolean> {
  const [row] = (await send(
    `SELECT bool_and(has_table_privilege(name, 'SELECT') AND has_table_privilege(name, 'INSERT')
       AND has_table_privilege(name, 'UPDATE') AND has_table_privilege(name, 'DELETE')) AS may
     FROM unnest($1::text[]) name`,
    [tableNames.map((name) => `${schema}.${name}`)],
  )) as { may: boolean }[]
  return row?.may ?? false
}

const advice = 'unforget schema postgres prints the SQL that creates one'

function noMemory(schema: string): string {
  return `there is no memory in the schema ${schema}`
}

function missing(schema: string): MemoryStoreBackendError {
  return new MemoryStoreBackendError('NOT_A_MEMORY', `${noMemory(schema)}; ${advice}`, { applied: 'no' })
}

function notAMemory(schema: string): MemoryStoreBackendError {
  return new MemoryStoreBackendError('NOT_A_MEMORY', `the schema ${schema} does not state its version`, {
    applied: 'no',
  })
}

function tooOld(schema: string, version: number): MemoryStoreBackendError {
  const reason = `the schema ${schema} has version ${version}, and ${schemaVersion} is needed; open it once with a role that may change it`
  return new MemoryStoreBackendError('SCHEMA_TOO_OLD', reason, { applied: 'no' })
}

function tooNew(schema: string, version: number): MemoryStoreBackendError {
  const reason = `the schema ${schema} has version ${version}, and this unforget knows versions up to ${schemaVersion}; upgrade unforget`
  return new MemoryStoreBackendError('SCHEMA_TOO_NEW', reason, { applied: 'no' })
}

function cannotOpen(reason: string): MemoryStoreBackendError {
  return new MemoryStoreBackendError('CANNOT_OPEN', reason, { applied: 'no' })
}
