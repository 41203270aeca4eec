import { headColumns as columns } from '../../../core/head-values.ts'

/** The columns of a head: `end` is a word of SQL. */
export const headColumns: readonly string[] = columns.map((column) => (column === 'end' ? 'last' : column))

/** The columns of `names` that describe a session. */
export const aboutColumns: readonly string[] = ['owner', 'title', 'metadata']

/** The row of a session as reading functions return it, with the text of its path. */
export function headSql(row: string, path: string): string {
  return `json_build_array(${columnsOf(row, headColumns)}, ${path}, ${row}.session::text)::text`
}

/** What describes a session, as reading functions return it. */
export function aboutSql(name: string): string {
  return `json_build_array(${columnsOf(name, aboutColumns)})::text`
}

function columnsOf(row: string, names: readonly string[]): string {
  return names.map((name) => `${row}.${name}`).join(', ')
}
