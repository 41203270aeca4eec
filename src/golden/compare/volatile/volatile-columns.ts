import { GoldenError } from '../../errors.ts'
import { type JsonStep, parseJsonPath } from '../json/json-path.ts'
import type { Table } from '../rows/read-schema.ts'
import type { VolatileColumns, Volatility } from './shapes.ts'

/** How the values of a column vary: as a whole, or inside of their JSON. */
export interface VolatileColumn {
  readonly whole: Volatility | null
  readonly inside: readonly { readonly path: readonly JsonStep[]; readonly volatility: Volatility }[]
}

/** By the column's name. */
export type VolatileTable = ReadonlyMap<string, VolatileColumn>

type Resolved = Map<string, Map<string, VolatileColumn>>

/**
 * The declared columns by table, and those that reference them: what is declared for an id holds for every foreign key to it.
 * Missing tables are ignored, because tests share a declaration; a missing column is a mistake. A table of two sides has the columns of both.
 */
export function resolveVolatile(
  declared: VolatileColumns,
  tables: readonly (readonly [before: Table | undefined, after: Table | undefined])[],
): ReadonlyMap<string, VolatileTable> {
  const known = tables.flatMap(([before, after]) => merge(before, after))
  const resolved: Resolved = new Map()
  for (const [name, volatility] of Object.entries(declared)) {
    const owners = known.filter((table) => name.startsWith(`${table.name}.`))
    const isTaken = owners.some((owner) => declare(resolved, owner, name.slice(owner.name.length + 1), volatility))
    if (!isTaken && owners[0] !== undefined) {
      throw new GoldenError(
        'BAD_OPTION',
        `volatile names ${name}, but ${owners[0].name} has only ${owners[0].columns.join(', ')}.`,
      )
    }
  }
  while (known.some((table) => inherit(table, known, resolved))) {
    // until nothing more is reached
  }
  return resolved
}

function merge(before: Table | undefined, after: Table | undefined): Table[] {
  const known = after ?? before
  return known === undefined
    ? []
    : [{ ...known, columns: [...new Set([...known.columns, ...(before?.columns ?? [])])] }]
}

/** Whether the table has the column, or the column that the path leads into. */
function declare(resolved: Resolved, { name, columns }: Table, declared: string, volatility: Volatility): boolean {
  if (columns.includes(declared)) return add(resolved, name, declared, { whole: volatility })
  return columns.some((column) => {
    const path = declared.startsWith(`${column}$`) ? parseJsonPath(declared.slice(column.length)) : null
    return path !== null && add(resolved, name, column, { inside: [{ path, volatility }] })
  })
}

function add(resolved: Resolved, table: string, column: string, more: Partial<VolatileColumn>): true {
  const columns = resolved.get(table) ?? new Map<string, VolatileColumn>()
  const { whole, inside } = columns.get(column) ?? { whole: null, inside: [] }
  columns.set(column, { whole: more.whole ?? whole, inside: [...inside, ...(more.inside ?? [])] })
  resolved.set(table, columns)
  return true
}

function inherit(child: Table, tables: readonly Table[], resolved: Resolved): boolean {
  let reached = false
  for (const { columns, table, parentColumns } of child.foreignKeys) {
    const parent = tables.find(({ name }) => name.toLowerCase() === table.toLowerCase())
    const targets = parentColumns.length > 0 ? parentColumns : (parent?.key ?? [])
    for (const [index, column] of columns.entries()) {
      const whole = resolved.get(parent?.name ?? '')?.get(targets[index] ?? '')?.whole ?? null
      const isKnown = resolved.get(child.name)?.get(column)?.whole != null
      if (whole !== null && !isKnown) reached = add(resolved, child.name, column, { whole })
    }
  }
  return reached
}
