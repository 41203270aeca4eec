import { headColumns as columns } from '../../../core/head-values.ts'

/** The columns of a head: `end` is a word of SQL. */
export const headColumns: readonly string[] = columns.map((column) => (column === 'end' ? 'last' : column))
