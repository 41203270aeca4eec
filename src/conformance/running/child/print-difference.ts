import { inspect } from 'node:util'
import { describeError } from './open-context.ts'

/** Maximum lines before and after the first difference, and maximum characters of each. */
const around = 2
const wide = 200

/** What was expected and what was seen, printed; where that would look the same, the place where they differ. */
export function printDifference(expected: unknown, actual: unknown): { expected: string; actual: string } {
  const short = { expected: print(expected, 20, 200), actual: print(actual, 20, 200) }
  if (short.expected !== short.actual) return short
  const wanted = print(expected, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY).split('\n')
  const seen = print(actual, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY).split('\n')
  const line = wanted.findIndex((one, index) => one !== seen[index])
  if (line === -1 && wanted.length >= seen.length) return short
  const first = line === -1 ? wanted.length : line
  const column = firstDifference(wanted[first] ?? '', seen[first] ?? '')
  return { expected: cutOut(wanted, first, column), actual: cutOut(seen, first, column) }
}

function print(value: unknown, maxArrayLength: number, maxStringLength: number): string {
  if (value instanceof Error) return describeError(value)
  return inspect(value, { depth: 6, maxArrayLength, maxStringLength, breakLength: 100 })
}

function firstDifference(one: string, other: string): number {
  let column = 0
  while (column < one.length && one[column] === other[column]) column += 1
  return column
}

function cutOut(lines: readonly string[], line: number, column: number): string {
  const from = Math.max(0, line - around)
  const shown = lines.slice(from, line + around + 1).map((text) => {
    if (text.length <= wide) return text
    const start = Math.max(0, column - wide / 2)
    return `${start > 0 ? '…' : ''}${text.slice(start, start + wide)}…`
  })
  return [...(from > 0 ? ['…'] : []), ...shown, ...(lines.length > line + around + 1 ? ['…'] : [])].join('\n')
}
