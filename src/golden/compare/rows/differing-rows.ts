import type { DatabasePair, Side } from './database-pair.ts'
import { decodeSide, hasLoneColumns, pairedBag, selectSide } from './lone-columns.ts'
import type { DifferingRow, RowSource } from './row-source.ts'
import { joinBalanced, quoteName } from './sql-names.ts'
import { decodeRow, selectExact } from './values.ts'

/**
 * Yields the rows that differ. SQLite finds them exactly: by type, bytes and the sign of zero, without collations; only they
 * reach JavaScript.
 */
export function* differingRows(pair: DatabasePair, source: RowSource): Generator<DifferingRow> {
  const { before, after } = source.from
  if (before === null || after === null) {
    yield* rowsOfOneSide(pair, source)
  } else if (source.key.length === 0 && hasLoneColumns(source)) {
    yield* pairedBag(pair, source, () => '')
  } else if (source.key.length === 0) {
    const { rowid } = source
    if (rowid !== null) collectMismatched(pair, source, before, after, rowid)
    yield* differingBag(pair, source, (side) =>
      rowid === null ? '' : `WHERE t.${rowid} IN (SELECT id FROM temp.mismatched WHERE side = '${side}')`,
    )
  } else {
    yield* differingByKey(pair, source, before, after)
    const nullKeys = source.key.map((column) => `t.${quoteName(column)} IS NULL`).join(' OR ')
    const bag = hasLoneColumns(source) ? pairedBag : differingBag
    if (source.keyMayBeNull) yield* bag(pair, source, () => `WHERE ${nullKeys}`)
  }
}

function* rowsOfOneSide(pair: DatabasePair, { from, columns }: RowSource): Generator<DifferingRow> {
  const side = from.before === null ? 'after' : 'before'
  const selected = selectExact(columns.map((column) => `t.${quoteName(column)}`))
  for (const raw of pair.rows(`SELECT ${selected} FROM ${from[side]} AS t`)) {
    const row = decodeRow(raw, 0, columns.length, pair.encodings[side])
    yield side === 'before' ? { before: row, after: null } : { before: null, after: row }
  }
}

function* differingByKey(
  pair: DatabasePair,
  source: RowSource,
  before: string,
  after: string,
): Generator<DifferingRow> {
  const { columns, key } = source
  const width = columns.length
  const encoding = pair.encodings.before
  const names = columns.map(quoteName)
  const keys = key.map(quoteName)
  const paired = keys
    .map((name) => `b.${name} = a.${name} COLLATE BINARY AND typeof(b.${name}) = typeof(a.${name})`)
    .join(' AND ')
  const hasKey = (alias: string) => keys.map((name) => `${alias}.${name} IS NOT NULL`).join(' AND ')
  const select = { before: selectSide(source, 'before', 'b'), after: selectSide(source, 'after', 'a') }
  const isSame = hasLoneColumns(source) ? 'FALSE' : same(names)
  let removed = 0n
  const changedOrRemoved = `SELECT ${select.before}, ${select.after}, a.${keys[0]} IS NULL
    FROM ${before} AS b LEFT JOIN ${after} AS a ON ${paired} WHERE ${hasKey('b')} AND (a.${keys[0]} IS NULL OR NOT ${isSame})`
  for (const raw of pair.rows(changedOrRemoved)) {
    const isRemoved = raw.at(-1) === 1n
    if (isRemoved) removed++
    yield {
      before: decodeSide(source, 'before', raw, 0, encoding),
      after: isRemoved ? null : decodeSide(source, 'after', raw, width + 1, encoding),
    }
  }
  const count = (table: string, alias: string) =>
    pair.get<{ count: bigint }>(`SELECT count(*) AS count FROM ${table} AS ${alias} WHERE ${hasKey(alias)}`).count
  if (count(before, 'b') - removed === count(after, 'a')) return
  const added = `SELECT ${select.after} FROM ${after} AS a LEFT JOIN ${before} AS b ON ${paired} WHERE ${hasKey('a')} AND b.${keys[0]} IS NULL`
  for (const raw of pair.rows(added)) yield { before: null, after: decodeSide(source, 'after', raw, 0, encoding) }
}

function* differingBag(
  pair: DatabasePair,
  { from, columns }: RowSource,
  where: (side: Side) => string,
): Generator<DifferingRow> {
  const aliases = columns.map((_, index) => `c${index}`)
  const select = (side: Side, weight: number) =>
    `SELECT ${[weight, ...columns.map((column) => `t.${quoteName(column)}`)].join(', ')} FROM ${from[side]} AS t ${where(side)}`
  const exact = aliases.flatMap((name) => [`${name} COLLATE BINARY`, `typeof(${name})`, signOfZero(name)])
  const sql = `WITH rows_of_both(weight, ${aliases.join(', ')}) AS (${select('before', 1)} UNION ALL ${select('after', -1)})
    SELECT ${selectExact(aliases)}, sum(weight) FROM rows_of_both GROUP BY ${exact.join(', ')} HAVING sum(weight) <> 0`
  for (const raw of pair.rows(sql)) {
    const row = decodeRow(raw, 0, columns.length, pair.encodings.before)
    const surplus = Number(raw.at(-1))
    for (let copy = 0; copy < Math.abs(surplus); copy++) {
      yield surplus > 0 ? { before: row, after: null } : { before: null, after: row }
    }
  }
}

/** Equal rows with the same rowid cancel out, so that only the others are put into a bag. */
function collectMismatched(
  pair: DatabasePair,
  { columns }: RowSource,
  before: string,
  after: string,
  rowid: string,
): void {
  const identical = same(columns.map(quoteName))
  const mismatched = (table: string, alias: string, other: string, otherAlias: string, side: Side) =>
    `INSERT INTO temp.mismatched SELECT '${side}', ${alias}.${rowid} FROM ${table} AS ${alias} LEFT JOIN ${other} AS ${otherAlias}
       ON ${otherAlias}.${rowid} = ${alias}.${rowid} WHERE ${otherAlias}.${rowid} IS NULL OR NOT ${identical};`
  pair.execute(
    'CREATE TABLE IF NOT EXISTS temp.mismatched (side, id, PRIMARY KEY (side, id)) WITHOUT ROWID; DELETE FROM temp.mismatched;',
  )
  pair.execute(mismatched(before, 'b', after, 'a', 'before') + mismatched(after, 'a', before, 'b', 'after'))
}

function same(names: readonly string[]): string {
  const terms = names.map((name) => {
    const before = `b.${name}`
    const after = `a.${name}`
    return `(typeof(${before}) = typeof(${after}) AND ${before} IS ${after} COLLATE BINARY
      AND (${before} IS NOT 0.0 OR ${signOfZero(before)} IS ${signOfZero(after)}))`
  })
  return joinBalanced(terms, 'AND')
}

const signOfZero = (value: string) =>
  `CASE WHEN ${value} IS 0.0 AND typeof(${value}) = 'real' THEN atan2(${value}, -1) END`
