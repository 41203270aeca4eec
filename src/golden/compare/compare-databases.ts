import { messageOf } from '../../plain/message-of.ts'
import { errorCode, GoldenError } from '../errors.ts'
import type { DatabaseDiff, SchemaChange, SettingChange } from './diff.ts'
import { DatabasePair, type Side } from './rows/database-pair.ts'
import { differingRows } from './rows/differing-rows.ts'
import { groupBy } from './rows/group-by.ts'
import { readObjects, readTables, type Table } from './rows/read-schema.ts'
import type { DifferingRow } from './rows/row-source.ts'
import { rowSources } from './rows/row-sources.ts'
import { diffOfPlainRows, diffOfRows } from './table-diff.ts'
import { matchVolatile } from './volatile/match-volatile.ts'
import type { VolatileColumns } from './volatile/shapes.ts'
import { resolveVolatile } from './volatile/volatile-columns.ts'
import type { VolatileRows } from './volatile/volatile-rows.ts'

export interface CompareOptions {
  readonly volatile?: VolatileColumns | undefined
  /** Maximum rows per table in the diff; the others are counted. Default: 20. */
  readonly rowLimit?: number | undefined
}

/**
 * Compares the content of two databases exactly: schema, rows, sequences and settings. The files must be copies that nobody else has open; null
 * stands for a database without content.
 */
export function compareDatabases(
  before: string | null,
  after: string | null,
  options: CompareOptions = {},
): DatabaseDiff {
  const pair = new DatabasePair(before, after)
  try {
    return compare(pair, options)
  } catch (error) {
    if (!errorCode(error).startsWith('SQLITE_')) throw error
    throw new GoldenError('CORRUPT', `${before} and ${after} cannot be compared: ${messageOf(error)}.`, {
      cause: error,
    })
  } finally {
    pair.close()
  }
}

function compare(pair: DatabasePair, options: CompareOptions): DatabaseDiff {
  if (!pair.comparable) {
    const change = { name: 'encoding', before: pair.encodings.before, after: pair.encodings.after }
    return { settings: [change], schema: [], tables: [], brokenForeignKeys: [] }
  }
  const tables = { before: readTables(pair, 'before'), after: readTables(pair, 'after') }
  const schema = compareSchema(pair)
  const found = compareTables(pair, tables, options)
  const differs = schema.length + found.length > 0
  return {
    settings: compareSettings(pair),
    schema,
    tables: found,
    brokenForeignKeys: differs ? newlyBrokenForeignKeys(pair) : [],
  }
}

function compareTables(
  pair: DatabasePair,
  tables: Readonly<Record<Side, Map<string, Table>>>,
  { volatile = {}, rowLimit = 20 }: CompareOptions,
): DatabaseDiff['tables'] {
  const volatileTables = resolveVolatile(
    volatile,
    [...new Set([...tables.before.keys(), ...tables.after.keys()])].map((name) => [
      tables.before.get(name),
      tables.after.get(name),
    ]),
  )
  const sources = rowSources(pair, tables)
  const plain = sources.filter(({ name }) => !volatileTables.has(name))
  const varying = sources.flatMap((source): VolatileRows[] => {
    const columns = volatileTables.get(source.name)
    if (columns === undefined) return []
    const differing: DifferingRow[] = [...differingRows(pair, source)]
    const { foreignKeys = [] } = tables.after.get(source.name) ?? tables.before.get(source.name) ?? {}
    const references = new Set(foreignKeys.flatMap((foreignKey) => foreignKey.columns))
    return [{ source, volatile: columns, references, differing }]
  })
  const matched = varying.length === 0 ? [] : matchVolatile(pair, varying)
  return [
    ...plain.map((source) => diffOfRows(source, differingRows(pair, source), rowLimit)),
    ...varying.map(({ source }, index) =>
      diffOfPlainRows(source, matched[index] ?? { before: [], after: [] }, rowLimit),
    ),
  ]
    .filter(({ changed, removed, added }) => changed + removed + added > 0)
    .sort((a, b) => (a.table < b.table ? -1 : 1))
}

function compareSchema(pair: DatabasePair): SchemaChange[] {
  const sides = { before: readObjects(pair, 'before'), after: readObjects(pair, 'after') }
  const both = groupBy(
    (['before', 'after'] as const).flatMap((side) => sides[side].map((object) => ({ side, ...object }))),
    ({ type, name }) => JSON.stringify([type, name]),
  )
  return [...both.values()].flatMap((found): SchemaChange[] => {
    const [first] = found
    const before = found.find(({ side }) => side === 'before')?.sql ?? null
    const after = found.find(({ side }) => side === 'after')?.sql ?? null
    return first === undefined || before === after ? [] : [{ type: first.type, name: first.name, before, after }]
  })
}

const autoVacuumModes = ['none', 'full', 'incremental']

function compareSettings(pair: DatabasePair): SettingChange[] {
  return ['user_version', 'application_id', 'auto_vacuum'].flatMap((name): SettingChange[] => {
    const read = (side: Side) => Number(Object.values(pair.get<Record<string, bigint>>(`PRAGMA ${side}.${name}`))[0])
    const show = (value: number) => (name === 'auto_vacuum' ? (autoVacuumModes[value] ?? String(value)) : String(value))
    const before = show(read('before'))
    const after = show(read('after'))
    return before === after ? [] : [{ name, before, after }]
  })
}

function newlyBrokenForeignKeys(pair: DatabasePair): string[] {
  const read = (side: Side) =>
    pair
      .all<{ table: string; rowid: bigint | null; parent: string }>(`PRAGMA ${side}.foreign_key_check`)
      .map(
        ({ table, rowid, parent }) =>
          `${table}${rowid === null ? '' : ` rowid ${rowid}`} points to a missing row of ${parent}`,
      )
  try {
    const known = new Set(read('before'))
    return read('after').filter((line) => !known.has(line))
  } catch (error) {
    const isDeclaredWrongly = errorCode(error) === 'SQLITE_ERROR'
    if (isDeclaredWrongly) return []
    throw error
  }
}
