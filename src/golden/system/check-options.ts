import { quoteVisibly } from '../../plain/visible-text.ts'
import { GoldenError } from '../errors.ts'

/** What an option can be. */
export interface Rule {
  readonly is: (value: unknown) => boolean
  readonly what: string
}

export const isText = (value: unknown) => typeof value === 'string' && value !== ''
export const isUrl = (value: unknown) => typeof value === 'object' && value !== null && 'href' in value

export function requireText(name: string, value: unknown): void {
  if (typeof value !== 'string') refuse(name, value, 'a text')
}

export function refuse(name: string, value: unknown, what: string): never {
  throw new GoldenError('BAD_OPTION', `${name} is ${show(value)}; expected ${what}.`)
}

/** Rejects unknown or invalid options. */
export function checkOptions(
  owner: string,
  given: unknown,
  rules: Readonly<Record<string, Rule>>,
  others: readonly string[] = [],
): void {
  if (typeof given !== 'object' || given === null) refuse(`What configures ${owner}`, given, 'an object')
  for (const [name, value] of Object.entries(given as object)) {
    const rule = rules[name]
    if (rule === undefined && !others.includes(name)) {
      const known = Object.keys(rules).join(', ')
      throw new GoldenError('BAD_OPTION', `${owner} has no option ${quoteVisibly(name)}; it has ${known}.`)
    }
    if (rule !== undefined && value !== undefined && !rule.is(value)) {
      refuse(`The option ${name} of ${owner}`, value, rule.what)
    }
  }
}

function show(value: unknown): string {
  if (typeof value === 'string') return quoteVisibly(value)
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object'
  return typeof value === 'function' ? 'a function' : String(value)
}
