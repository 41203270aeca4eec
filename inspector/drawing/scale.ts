/** Places on the log in pixels. Place n is right after entry n, and 0 is before the first. */
export interface Scale {
  readonly width: number
  readonly x: (place: number) => number
}

/** So that two neighbors can be told apart and clicked. */
const least = 26

/**
 * A scale on which every place where something happened is well apart from the next, and long stretches where nothing
 * did are shortened. It fills `available`, or is wider if everything does not fit.
 */
export function makeScale(places: Iterable<number>, available: number): Scale {
  const stops = [...new Set([0, ...places])].sort((a, b) => a - b)
  const lengths = stops.slice(1).map((stop, index) => {
    const entries = stop - (stops[index] ?? 0)
    return least + 14 * Math.log2(1 + entries) + 4 * Math.min(entries, 12)
  })
  const natural = lengths.reduce((sum, length) => sum + length, 0)
  const tightest = least * lengths.length
  const width = Math.max(available, tightest)
  const factor = natural === 0 ? 0 : (width - tightest) / Math.max(1, natural - tightest)
  const xs = [0]
  for (const length of lengths) xs.push((xs.at(-1) ?? 0) + least + (length - least) * factor)
  return { width, x: (place) => interpolate(stops, xs, place) }
}

function interpolate(stops: readonly number[], xs: readonly number[], place: number): number {
  let low = 0
  let high = stops.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((stops[middle] ?? 0) <= place) low = middle
    else high = middle - 1
  }
  const [from = 0, start = 0] = [stops[low], xs[low]]
  const [to, end] = [stops[low + 1], xs[low + 1]]
  return to === undefined || end === undefined ? start : start + ((end - start) * (place - from)) / (to - from)
}
