const units = [
  [1e9, 'GB'],
  [1e6, 'MB'],
  [1e3, 'kB'],
] as const

/** Three digits: `0.0357`, `1.87`, `28,570`. */
export function short(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)))
}

export function readable(value: number, unit: string): string {
  if (unit !== 'bytes') return `${short(value)}${unit && ` ${unit}`}`
  const [size, name] = units.find(([size]) => value >= size) ?? [1, 'bytes']
  return `${short(value / size)} ${name}`
}
