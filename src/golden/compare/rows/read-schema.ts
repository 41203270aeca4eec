import { errorCode } from '../../errors.ts'
import type { DatabasePair, Side } from './database-pair.ts'
import { groupBy } from './group-by.ts'
import { quoteName } from './sql-names.ts'

export interface Table {
  readonly name: string
  readonly kind: 'table' | 'virtual'
  /** The module of a virtual table, in lower case. */
  readonly module: string | null
  /** Every readable column, including generated ones. */
  readonly columns: readonly string[]
  /** The primary key's columns in order, or the hidden rowid of a full-text table. */
  readonly key: readonly string[]
  /** Whether key columns can be NULL, and so repeat. */
  readonly keyMayBeNull: boolean
  /** A name for reading the rowid, if there is one. */
  readonly rowid: string | null
  readonly foreignKeys: readonly ForeignKey[]
}

export interface ForeignKey {
  readonly columns: readonly string[]
  readonly table: string
  /** Columns of the parent; empty if the declaration implies its primary key. */
  readonly parentColumns: readonly string[]
}

export interface SchemaObject {
  readonly type: string
  readonly name: string
  readonly sql: string
}

interface ListedTable {
  readonly name: string
  readonly type: string
  readonly wr: bigint
}

interface ListedColumn {
  readonly name: string
  readonly type: string
  readonly notnull: bigint
  readonly pk: bigint
  readonly hidden: bigint
}

const hiddenColumn = 1n

/** What was declared, except SQLite's automatic indexes, statistics and the internal tables of virtual tables. */
export function readObjects(pair: DatabasePair, side: Side): SchemaObject[] {
  const shadows = new Set(listTables(pair, side).flatMap(({ name, type }) => (type === 'shadow' ? name : [])))
  return pair
    .all<SchemaObject & { tbl_name: string }>(
      `SELECT type, name, tbl_name, sql FROM ${side}.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name`,
    )
    .filter(({ tbl_name: table }) => !shadows.has(table))
    .map(({ type, name, sql }) => ({ type, name, sql }))
}

/** The tables whose rows are content. The internal tables of a virtual table count only if it cannot be read itself. */
export function readTables(pair: DatabasePair, side: Side): Map<string, Table> {
  const listed = listTables(pair, side)
  const unreadable = listed.filter(
    ({ name, type }) => type === 'virtual' && listColumns(pair, side, name) === undefined,
  )
  const isContent = ({ name, type }: ListedTable) => {
    if (type === 'shadow') return unreadable.some((virtual) => name.startsWith(`${virtual.name}_`))
    return (type === 'table' || type === 'virtual') && (!/^sqlite_/i.test(name) || name === 'sqlite_sequence')
  }
  const tables = listed.filter(isContent).flatMap((table) => readTable(pair, side, table))
  return new Map(tables.map((table) => [table.name, table]))
}

function listTables(pair: DatabasePair, side: Side): ListedTable[] {
  return pair.all<ListedTable>(`SELECT name, type, wr FROM pragma_table_list WHERE schema = '${side}' ORDER BY name`)
}

function readTable(pair: DatabasePair, side: Side, { name, type, wr }: ListedTable): Table[] {
  const listed = listColumns(pair, side, name)
  if (listed === undefined) return []
  const columns = listed.filter(({ hidden }) => hidden !== hiddenColumn)
  const names = columns.map((column) => column.name)
  const module = type === 'virtual' ? moduleOf(pair, side, name) : null
  const taken = new Set(listed.map((column) => column.name.toLowerCase()))
  const rowid = wr === 1n ? null : (['rowid', '_rowid_', 'oid'].find((alias) => !taken.has(alias)) ?? null)
  const declared = columns.filter(({ pk }) => pk > 0n).sort((a, b) => Number(a.pk - b.pk))
  const isFullText = module !== null && /^fts[345]$/.test(module)
  const key =
    name === 'sqlite_sequence'
      ? ['name']
      : isFullText && rowid !== null
        ? [rowid]
        : declared.map((column) => column.name)
  return [
    {
      name,
      kind: type === 'virtual' ? 'virtual' : 'table',
      module,
      columns: isFullText && rowid !== null ? [rowid, ...names] : names,
      key,
      keyMayBeNull: declared.some(({ notnull }) => notnull === 0n) && wr === 0n && !isRowid(pair, side, name, declared),
      rowid: type === 'virtual' ? null : rowid,
      foreignKeys: readForeignKeys(pair, side, name),
    },
  ]
}

/** Undefined for a virtual table that needs a module or function that only its application has. */
function listColumns(pair: DatabasePair, side: Side, table: string): ListedColumn[] | undefined {
  try {
    return pair.all<ListedColumn>(`PRAGMA ${side}.table_xinfo(${quoteName(table)})`)
  } catch (error) {
    if (errorCode(error) === 'SQLITE_ERROR') return undefined
    throw error
  }
}

function isRowid(pair: DatabasePair, side: Side, table: string, key: readonly ListedColumn[]): boolean {
  if (key.length !== 1) return false
  const indexes = pair.all<{ origin: string }>(`PRAGMA ${side}.index_list(${quoteName(table)})`)
  return indexes.every(({ origin }) => origin !== 'pk')
}

function moduleOf(pair: DatabasePair, side: Side, table: string): string {
  const { sql } = pair.get<{ sql: string }>(
    `SELECT sql FROM ${side}.sqlite_schema WHERE name = ? AND type = 'table'`,
    table,
  )
  return (/\bUSING\s+["'`[]?(\w+)/i.exec(sql)?.[1] ?? '').toLowerCase()
}

function readForeignKeys(pair: DatabasePair, side: Side, table: string): ForeignKey[] {
  const lines = pair.all<{ id: bigint; table: string; from: string; to: string | null }>(
    `PRAGMA ${side}.foreign_key_list(${quoteName(table)})`,
  )
  return [...groupBy(lines, ({ id }) => id).values()].map((group) => ({
    columns: group.map(({ from }) => from),
    table: group[0]?.table ?? '',
    parentColumns: group.flatMap(({ to }) => to ?? []),
  }))
}
