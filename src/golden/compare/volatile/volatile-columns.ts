import { GoldenError } from '../../errors.ts'
import type { Table } from '../rows/read-schema.ts'
import type { VolatileColumns, Volatility } from './shapes.ts'

/** The volatility of each column of a table, by the column's name. */
export type VolatileTable = ReadonlyMap<string, Volatility>

/**
 * The declared columns by table, and those that reference them: what is declared for an id holds for every foreign key to it.
 * Missing tables are ignored, because tests share a declaration; a missing column is a mistake.
 */
export function resolveVolatile(declared: VolatileColumns, tables: Iterable<Table>): Map<string, VolatileTable> {
  const known = [...tables]
  const resolved = new Map<string, Map<string, Volatility>>()
  const add = (table: string, column: string, volatility: Volatility): boolean => {
    const columns = resolved.get(table) ?? new Map<string, Volatility>()
    if (columns.has(column)) return false
    resolved.set(table, columns.set(column, volatility))
    return true
  }
  for (const [name, volatility] of Object.entries(declared)) {
    const owners = known.filter((table) => name.startsWith(`${table.name}.`))
    const owner = owners.find((table) => table.columns.includes(name.slice(table.name.length + 1)))
    if (owner !== undefined) add(owner.name, name.slice(owner.name.length + 1), volatility)
    else if (owners[0] !== undefined) {
      throw new GoldenError(
        'BAD_OPTION',
        `volatile names ${name}, but ${owners[0].name} has only ${owners[0].columns.join(', ')}.`,
      )
    }
  }
  while (known.some((table) => inherit(table, known, resolved, add))) {
    // until nothing more is reached
  }
  return resolved
}

function inherit(
  child: Table,
  tables: readonly Table[],
  resolved: ReadonlyMap<string, VolatileTable>,
  add: (table: string, column: string, volatility: Volatility) => boolean,
): boolean {
  let reached = false
  for (const { columns, table, parentColumns } of child.foreignKeys) {
    const parent = tables.find(({ name }) => name.toLowerCase() === table.toLowerCase())
    const targets = parentColumns.length > 0 ? parentColumns : (parent?.key ?? [])
    for (const [index, column] of columns.entries()) {
      const volatility = resolved.get(parent?.name ?? '')?.get(targets[index] ?? '')
      if (volatility !== undefined && add(child.name, column, volatility)) reached = true
    }
  }
  return reached
}
