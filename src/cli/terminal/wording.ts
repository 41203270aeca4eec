/** `1 entry`, `1,200 entries`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`
}

export function countEntries(number: number): string {
  return count(number, 'entry', 'entries')
}

/** In UTC, to the minute: `2026-01-02 10:04Z`. It means the same to whoever reads it, and `expire --at` takes it. */
export function showTime(milliseconds: number): string {
  const time = new Date(milliseconds)
  if (Number.isNaN(time.getTime())) return String(milliseconds)
  return time.toISOString().replace(/T(.*):\d\d\.\d+Z$/, ' $1Z')
}

export function showBytes(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
  let size = bytes
  let unit = 0
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000
    unit += 1
  }
  return unit === 0 ? count(bytes, 'byte') : `${size.toFixed(1)} ${units[unit]}`
}
