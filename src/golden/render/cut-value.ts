const ellipsis = '…'

/** A long value without its middle, and its length. Values are SQL literals; lengths are those of the values. */
export function cutValue(value: string, width: number): string {
  return value.length <= width ? value : `${withoutMiddle(value, width)} (${lengthOf(value)} ${unitOf(value)}s)`
}

/** Two differing values, cut so that the first difference shows. */
export function cutPair(before: string, after: string, width: number): [before: string, after: string] {
  if (withoutMiddle(before, width) !== withoutMiddle(after, width))
    return [cutValue(before, width), cutValue(after, width)]
  let first = 0
  while (before[first] === after[first]) first++
  const from = Math.max(0, first - (width >> 2))
  const window = (value: string) =>
    `${from > 0 ? ellipsis : ''}${slice(value, from, from + width)}${from + width < value.length ? ellipsis : ''} (from ${unitOf(value)} ${positionIn(value, from)} of ${lengthOf(value)})`
  return [window(before), window(after)]
}

const isBlob = (literal: string) => literal.startsWith("x'")
const unitOf = (literal: string) => (isBlob(literal) ? 'byte' : 'character')

/** Which character or byte of the value is at an index of its literal, from 1. */
function positionIn(literal: string, index: number): number {
  return Math.max(1, unitsIn(literal, literal.slice(0, index)) + 1)
}

const lengthOf = (literal: string) => unitsIn(literal, literal.replace(/'$/, ''))

function unitsIn(literal: string, begin: string): number {
  if (isBlob(literal)) return Math.max(0, begin.length - 2) >> 1
  const said = literal.startsWith("'") ? begin.slice(1).replaceAll(/''|\\(?:u[0-9a-f]{4}|.)/g, '.') : begin
  return [...said].length
}

function withoutMiddle(value: string, width: number): string {
  if (value.length <= width) return value
  const half = Math.max(4, (width - 1) >> 1)
  return `${slice(value, 0, half)}${ellipsis}${slice(value, value.length - half)}`
}

function slice(value: string, from: number, to = value.length): string {
  return value.slice(from, to).toWellFormed().replaceAll('\ufffd', ellipsis)
}
