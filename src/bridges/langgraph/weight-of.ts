/** About how many bytes a value takes in memory. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 16
  if (typeof value !== 'object' || value === null) return 8
  if (ArrayBuffer.isView(value)) return value.byteLength + 64
  let weight = 32
  for (const key in value) weight += 16 + weightOf((value as Record<string, unknown>)[key])
  return weight
}
