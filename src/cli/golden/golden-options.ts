import { InvalidArgumentError } from 'commander'
import type { VolatileKind } from '../../golden/compare/volatile/shapes.ts'

export type VolatileOption = Readonly<Record<string, VolatileKind>>

export function toRows(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('Expected a whole number')
  return Number(value)
}

/** Adds one `table.column=kind` to the previous ones. */
export function addVolatile(value: string, before: VolatileOption = {}): VolatileOption {
  const [, column = '', kind = ''] = /^(.+\..+)=(uuid|time|random)$/s.exec(value) ?? []
  if (column === '') throw new InvalidArgumentError('Expected table.column=uuid, =time or =random')
  return { ...before, [column]: kind as VolatileKind }
}
