import { count } from '../../src/cli/terminal/wording.ts'

export { count as countOf, countEntries, showBytes } from '../../src/cli/terminal/wording.ts'

export const showNumber = (number: number): string => number.toLocaleString('en')

/** The local time: of today without the day. */
export function showTime(milliseconds: number, now = Date.now()): string {
  const time = new Date(milliseconds)
  if (Number.isNaN(time.getTime())) return String(milliseconds)
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}`
  return new Date(now).toDateString() === time.toDateString() ? `today ${clock}` : `${day} ${clock}`
}

export function showDuration(milliseconds: number): string {
  const steps = [
    [86_400_000, 'day'],
    [3_600_000, 'hour'],
    [60_000, 'minute'],
  ] as const
  for (const [length, name] of steps) {
    if (milliseconds >= length) return count(Math.round((milliseconds / length) * 10) / 10, name)
  }
  return count(Math.round(milliseconds / 1000), 'second')
}
