import { createHash } from 'node:crypto'
import { appendFunctionSql } from './append-function.ts'
import { applyChangeFunctionSql } from './apply-change-function.ts'
import { listFunctionsSql } from './list-functions.ts'
import { readFunctionsSql } from './read-functions.ts'
import { removeFunctionsSql } from './remove-functions.ts'
import { sharedFunctionsSql } from './shared-functions.ts'
import { stageFunctionsSql } from './stage-functions.ts'
import { tablesSql } from './tables.ts'
import { addedTablesSql } from './tables-2.ts'
import { turnFunctionsSql } from './turn-functions.ts'

export interface SchemaPlan {
  /** The schema's name, quoted. */
  readonly schema: string
  /** The number of partitions by session; 0 for none. */
  readonly partitions: number
}

/**
 * Each brings a schema from the version of its index to the next. Never change the tables that a released one makes: add another. The functions carry
 * the version that made them in their names, and the last migration alone makes them: it drops the old ones, so that a process of an older version
 * fails and writes nothing.
 */
const migrations: readonly ((plan: SchemaPlan) => string)[] = [
  ({ schema, partitions }) =>
    [
      `CREATE SCHEMA IF NOT EXISTS ${schema};`,
      `CREATE TABLE ${schema}.unforget_version (version integer NOT NULL);`,
      `INSERT INTO ${schema}.unforget_version VALUES (0);`,
      tablesSql(schema, partitions),
    ].join('\n'),
  ({ schema }) =>
    [
      dropFunctionsSql(schema, 1),
      addedTablesSql(schema),
      sharedFunctionsSql(schema, lockOf(schema)),
      applyChangeFunctionSql(schema),
      appendFunctionSql(schema),
      readFunctionsSql(schema),
      listFunctionsSql(schema),
      removeFunctionsSql(schema),
      stageFunctionsSql(schema),
      turnFunctionsSql(schema),
    ].join('\n'),
]

export const schemaVersion = migrations.length

/** The statements that bring a schema from a version to the present one, to be run in one transaction. */
export function migrationSql(plan: SchemaPlan, from: number): string {
  const steps = migrations.slice(from).map((migration) => migration(plan))
  return [...steps, `UPDATE ${plan.schema}.unforget_version SET version = ${schemaVersion};`].join('\n')
}

/** The advisory lock under which a schema is migrated, and the seed of those of its sessions, so that two schemas do not wait for each other. */
export function lockOf(schema: string): string {
  return createHash('sha256').update(`unforget ${schema}`).digest().readBigInt64BE().toString()
}

/** All that makes a schema, as one script that can be run by any client. */
export function schemaScript(plan: SchemaPlan): string {
  const lock = `SELECT pg_advisory_xact_lock(${lockOf(plan.schema)});`
  return ['BEGIN;', lock, migrationSql(plan, 0), 'COMMIT;', ''].join('\n')
}

/** Drops the functions that a version made. */
function dropFunctionsSql(schema: string, version: number): string {
  return `
DO $unforget$
DECLARE
  v_function regprocedure;
BEGIN
  FOR v_function IN SELECT p.oid FROM pg_proc p
    WHERE p.pronamespace = '${schema}'::regnamespace AND p.proname LIKE '%\\_${version}' LOOP
    EXECUTE 'DROP FUNCTION ' || v_function;
  END LOOP;
END
$unforget$;
`
}
