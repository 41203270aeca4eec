import { scatter } from './checksums.ts'

const one = 2 ** 32

/**
 * How many rows a list has and, in the lower 32 bits, all of their marks together, in any order: a row that vanishes is missed. Marks are
 * scattered first, since the checksums of ids that count up cancel each other out.
 */
export function sumOf(marks: readonly number[]): number {
  return marks.reduce(withMark, 0)
}

export function withMark(sum: number, mark: number): number {
  return toggled(sum, mark, 1)
}

export function withoutMark(sum: number, mark: number): number {
  return toggled(sum, mark, -1)
}

/** How many rows a sum is made of. */
export function countOf(sum: number): number {
  return Math.floor(sum / one)
}

function toggled(sum: number, mark: number, count: 1 | -1): number {
  return (countOf(sum) + count) * one + ((sum ^ scatter(mark)) >>> 0)
}
