const ellipsis = '…'

/** A long value without its middle, and how long it is. */
export function cutValue(value: string, width: number): string {
  return value.length <= width ? value : `${withoutMiddle(value, width)} (${value.length} characters)`
}

/** Two values that differ, cut so that it is seen where they begin to. */
export function cutPair(before: string, after: string, width: number): [before: string, after: string] {
  if (withoutMiddle(before, width) !== withoutMiddle(after, width))
    return [cutValue(before, width), cutValue(after, width)]
  let first = 0
  while (before[first] === after[first]) first++
  const from = Math.max(0, first - (width >> 2))
  const window = (value: string) =>
    `${from > 0 ? ellipsis : ''}${slice(value, from, from + width)}${from + width < value.length ? ellipsis : ''} (from character ${from + 1} of ${value.length})`
  return [window(before), window(after)]
}

function withoutMiddle(value: string, width: number): string {
  if (value.length <= width) return value
  const half = Math.max(4, (width - 1) >> 1)
  return `${slice(value, 0, half)}${ellipsis}${slice(value, value.length - half)}`
}

function slice(value: string, from: number, to = value.length): string {
  return value.slice(from, to).toWellFormed().replaceAll('\ufffd', ellipsis)
}
