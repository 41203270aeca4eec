import type { DatabasePair, Side } from './database-pair.ts'
import type { Table } from './read-schema.ts'
import type { RowSource } from './row-source.ts'
import { quoteName } from './sql-names.ts'

/** What is compared: each table by all of its columns, and for each full-text table its index as well as its documents. */
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
  const columnsOf = { before: (before ?? known).columns, after: (after ?? known).columns }
  const shared = columnsOf.after.filter((column) => columnsOf.before.includes(column))
  const only = (own: Side, other: Side) => columnsOf[own].filter((column) => !columnsOf[other].includes(column))
  const lone = { before: only('before', 'after'), after: only('after', 'before') }
  const sameKey = before === undefined || after === undefined || before.key.join('\0') === after.key.join('\0')
  return {
    name,
    from: {
      before: before === undefined ? null : `before.${quoteName(name)}`,
      after: after === undefined ? null : `after.${quoteName(name)}`,
    },
    columns: [...shared, ...lone.before, ...lone.after],
    lone,
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
      lone: { before: [], after: [] },
      key: [],
      keyMayBeNull: false,
      rowid: null,
    },
  ]
}
