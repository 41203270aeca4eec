import type { Health } from '../../core/backend.ts'
import type { Send } from './link.ts'
import { failoverWarnings, readReplication } from './replication.ts'

/** What a server says of itself, and what this role may do in a schema. */
export interface ServerFacts {
  readonly version: string
  readonly versionNumber: number
  readonly encoding: string
  readonly fsync: boolean
  readonly fullPageWrites: boolean
  readonly synchronousCommit: string
  readonly isStandby: boolean
  readonly isolation: string
  /** The process that answers. */
  readonly processId: number
  /** Whether the schema has a table with its version. */
  readonly isMemory: boolean
}

export async function readServerFacts(send: Send, schema: string): Promise<ServerFacts> {
  const [row] = await send(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::integer AS number,
       current_setting('server_encoding') AS encoding, current_setting('fsync') AS fsync,
       current_setting('full_page_writes') AS full_page_writes, current_setting('synchronous_commit') AS synchronous_commit,
       pg_is_in_recovery() AS standby, current_setting('default_transaction_isolation') AS isolation,
       pg_backend_pid() AS process_id,
       EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = $1 AND c.relname = 'unforget_version') AS is_memory`,
    [schema.slice(1, -1)],
  )
  const facts = row as Record<string, string | number | boolean | null>
  return {
    version: String(facts['version']),
    versionNumber: Number(facts['number']),
    encoding: String(facts['encoding']),
    fsync: facts['fsync'] === 'on',
    fullPageWrites: facts['full_page_writes'] === 'on',
    synchronousCommit: String(facts['synchronous_commit']),
    isStandby: facts['standby'] === true,
    isolation: String(facts['isolation']),
    processId: Number(facts['process_id']),
    isMemory: facts['is_memory'] === true,
  }
}

/** The oldest version that still gets fixes for what loses data. */
const oldestSupported = 140_000

/** What can lose memory on this server, each in plain words. */
export function warningsOf(facts: ServerFacts): string[] {
  const warnings: string[] = []
  if (!facts.fsync) warnings.push('a power failure can lose or damage the whole memory (fsync is off)')
  if (!facts.fullPageWrites)
    warnings.push('a power failure can damage pages of the memory beyond repair (full_page_writes is off)')
  if (facts.synchronousCommit === 'off')
    warnings.push('a crash of the server can take the last acknowledged writes (synchronous_commit is off)')
  if (facts.isStandby) {
    warnings.push('the server is a standby: it may lag behind the primary, and every write will be rejected')
  }
  if (facts.versionNumber < oldestSupported) {
    warnings.push(
      `PostgreSQL ${facts.version} is too old: it gets no more fixes, and unforget is tested on 15 and later`,
    )
  }
  return warnings
}

/** Which settings let a power cut take an acknowledged write. */
export function unsafeSettings({ fsync, fullPageWrites, synchronousCommit }: ServerFacts): string[] {
  return [
    ...(fsync ? [] : ['fsync']),
    ...(fullPageWrites ? [] : ['full_page_writes']),
    ...(synchronousCommit === 'off' ? ['synchronous_commit'] : []),
  ]
}

export async function readHealth(send: Send, schema: string): Promise<Health> {
  const facts = await readServerFacts(send, schema)
  const replication = facts.isStandby ? null : await readReplication(send)
  const [row] = (await send(
    `SELECT version, (SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c
       WHERE c.relnamespace = to_regnamespace($1) AND c.relkind = 'r') AS bytes FROM ${schema}.unforget_version`,
    [schema],
  )) as { version: number; bytes: number }[]
  return {
    backend: 'postgres',
    ok: true,
    warnings: [...warningsOf(facts), ...(replication === null ? [] : failoverWarnings(replication))],
    details: {
      version: `PostgreSQL ${facts.version}`,
      schema: row?.version ?? 0,
      bytes: row?.bytes ?? 0,
      standby: facts.isStandby,
      ...(replication !== null && { standbys: replication.standbys ?? 'unknown' }),
      fsync: facts.fsync,
      synchronousCommit: facts.synchronousCommit,
      isolation: facts.isolation,
    },
  }
}
