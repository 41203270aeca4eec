import { InvalidArgumentError } from 'commander'

/** For an option that takes a positive whole number. */
export function parsePositive(text: string): number {
  const number = Number(text)
  if (/^\d{1,15}$/.test(text) && number > 0) return number
  throw new InvalidArgumentError('Expected a whole number, 1 or more.')
}
