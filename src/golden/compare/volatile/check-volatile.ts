import { GoldenError } from '../../errors.ts'
import type { VolatileColumns } from './shapes.ts'

const kinds: readonly unknown[] = ['uuid', 'time', 'random']

/** Rejects what can only be a mistake: an unknown kind, or a column without its table. */
export function checkVolatile(volatile: VolatileColumns): void {
  for (const [column, kind] of Object.entries(volatile)) {
    if (!/.\../s.test(column)) {
      throw new GoldenError('BAD_OPTION', `volatile: ${JSON.stringify(column)} is not written as 'table.column'.`)
    }
    if (typeof kind !== 'function' && !kinds.includes(kind)) {
      const given = JSON.stringify(kind) ?? String(kind)
      throw new GoldenError(
        'BAD_OPTION',
        `volatile: ${column} is ${given}; expected 'uuid', 'time', 'random' or a function.`,
      )
    }
  }
}
