import type { DatabasePair, Side } from './database-pair.ts'
import type { RowSource } from './differing-rows.ts'
import type { Table } from './read-schema.ts'
import { quoteName } from './sql-names.ts'

/** What is compared: each table by the columns of both sides, and for each full-text table its index as well as its documents. */
export function rowSources(pair: DatabasePair, tables: Readonly<Record<Side, Map<string, Table>>>): RowSource[] {
  const names = new Set([...tables.before.keys(), ...tables.after.keys()])
  return [...names].flatMap((name) => {
    const before = tables.before.get(name)
    const after = tables.after.get(name)
    const source = tableSource(name, before, after)
    return source === undefined ? [] : [source, ...indexSource(pair, name, before, after)]
  })
}

function tableSource(name: string, before: Table | undefined, after: Table | undefined): RowSource | undefined {
  const known = after ?? before
  if (known === undefined) return undefined
  const columns = known.columns.filter((column) => before?.columns.includes(column) !== false)
  if (columns.length === 0) return undefined
  const sameKey = before === undefined || after === undefined || before.key.join('\0') === after.key.join('\0')
  return {
    name,
    from: {
      before: before === undefined ? null : `before.${quoteName(name)}`,
      after: after === undefined ? null : `after.${quoteName(name)}`,
    },
    columns,
    key: sameKey ? known.key : [],
    keyMayBeNull: known.keyMayBeNull || before?.keyMayBeNull === true,
    rowid: before?.rowid === after?.rowid ? known.rowid : null,
  }
}

/** The index can disagree with the documents, and then full-text search finds something else. */
function indexSource(pair: DatabasePair, name: string, before?: Table, after?: Table): RowSource[] {
  if (before?.module !== 'fts5' || after?.module !== 'fts5') return []
  for (const side of ['before', 'after'] as const) {
    const vocabulary = quoteName(`${side} ${name}`)
    const literal = `'${name.replaceAll("'", "''")}'`
    pair.execute(`CREATE VIRTUAL TABLE temp.${vocabulary} USING fts5vocab('${side}', ${literal}, 'instance')`)
  }
  return [
    {
      name: `${name} (full-text index)`,
      from: { before: `temp.${quoteName(`before ${name}`)}`, after: `temp.${quoteName(`after ${name}`)}` },
      columns: ['term', 'doc', 'col', 'offset'],
      key: [],
      keyMayBeNull: false,
      rowid: null,
    },
  ]
}
