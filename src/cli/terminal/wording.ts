/** `1 entry`, `1,200 entries`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`
}

export function countEntries(number: number): string {
  return count(number, 'entry', 'entries')
}

/** The local time, to the minute. */
export function showTime(milliseconds: number): string {
  const time = new Date(milliseconds)
  if (Number.isNaN(time.getTime())) return String(milliseconds)
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`
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
