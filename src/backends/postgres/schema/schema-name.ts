import { misuse } from '../../../core/errors.ts'

/** A name that can stand in quotes anywhere in a statement. */
export function quoteSchema(name: unknown): string {
  if (typeof name !== 'string' || !/^[A-Za-z_][A-Za-z0-9_-]{0,62}$/.test(name) || name.startsWith('pg_')) {
    throw misuse('options.schema: expected letters, digits, "_" and "-", at most 63, not starting with "pg_"')
  }
  return `"${name}"`
}
