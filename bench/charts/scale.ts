export interface Scale {
  readonly ticks: readonly number[]
  /** The place of a value between 0 and 1. */
  place(value: number): number
}

/** From 0 to a little more than the largest value, with ticks at round numbers. */
export function linearScale(largest: number): Scale {
  const top = largest * 1.05
  const rough = top / 6
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
  const ticks = Array.from({ length: Math.floor(top / step) + 1 }, (_, index) => Number((index * step).toPrecision(12)))
  return { ticks, place: (value) => Math.min(1, Math.max(0, value / top)) }
}

/** Whole powers of ten around the values, with a tick at each. What is 0 or less is at the beginning. */
export function logScale(values: readonly number[]): Scale {
  const positive = values.filter((value) => value > 0)
  const from = Math.floor(Math.log10(Math.min(...positive)) + 1e-9)
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(...positive)) - 1e-9))
  const ticks = Array.from({ length: to - from + 1 }, (_, index) => Number((10 ** (from + index)).toPrecision(3)))
  const place = (value: number) => Math.min(1, Math.max(0, (Math.log10(value) - from) / (to - from)))
  return { ticks, place: (value) => (value > 0 ? place(value) : 0) }
}
