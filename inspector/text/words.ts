const numbers = new Intl.NumberFormat('en')

export function countOf(number: number, one: string, many = `${one}s`): string {
  return `${numbers.format(number)} ${number === 1 ? one : many}`
}

export const countEntries = (number: number): string => countOf(number, 'entry', 'entries')

export const showNumber = (number: number): string => numbers.format(number)

/** The local time: of today without the day. */
export function showTime(milliseconds: number, now = Date.now()): string {
  const time = new Date(milliseconds)
  if (Number.isNaN(time.getTime())) return String(milliseconds)
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}`
  return new Date(now).toDateString() === time.toDateString() ? `today ${clock}` : `${day} ${clock}`
}

const units = ['bytes', 'KB', 'MB', 'GB', 'TB']

export function showBytes(bytes: number): string {
  let size = bytes
  let unit = 0
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000
    unit += 1
  }
  return unit === 0 ? countOf(bytes, 'byte') : `${size.toFixed(1)} ${units[unit]}`
}

export function showDuration(milliseconds: number): string {
  const steps = [
    [86_400_000, 'day'],
    [3_600_000, 'hour'],
    [60_000, 'minute'],
  ] as const
  for (const [length, name] of steps) {
    if (milliseconds >= length) return countOf(Math.round((milliseconds / length) * 10) / 10, name)
  }
  return countOf(Math.round(milliseconds / 1000), 'second')
}
