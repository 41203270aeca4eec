import { parseArgs } from 'node:util'
import type { Part } from './part.ts'

export interface Options {
  readonly help: boolean
  readonly list: boolean
  readonly json: boolean
  readonly write: boolean
  readonly minutes: number
  readonly seed: number
  readonly only: readonly string[]
  readonly most: number | undefined
}

export const help = (
  parts: readonly Part[],
) => `Hurts unforget in every way we can produce, and checks that nothing acknowledged is lost.

Usage: npm run chaos -- [options]

  --minutes <n>  how long, all parts together; default 20. A part ends with the round that it is in, and each does at least one
  --only <list>  only these parts, separated by commas
  --most <n>     how much each part does at most: rounds, kills, states, faults, failovers
  --seed <n>     what chance is made of; default: another one each time. A violation prints it
  --json         the result as JSON on stdout, progress on stderr
  --write        adds the result to chaos/results.json and writes docs/reliability.md from it
  --list         the names of the parts
  --help         this text

Parts:
${parts.map(({ name, what }) => `  ${name.padEnd(13)}${what}`).join('\n')}

It works on 127.0.0.1 and in a temporary folder, and needs redis-server or valkey-server, PostgreSQL and, for power and io, Linux and gcc.

Exit codes: 0 nothing was found; 1 something was lost, doubled or wrong; 2 could not run.
`

/** Called wrongly: told in one line, without a stack. */
export class UsageError extends Error {}

export function readOptions(args: readonly string[], names: readonly string[]): Options {
  const { minutes, seed, only, most, ...flags } = parse(args)
  const wanted = only === undefined ? names : only.split(',').map((name) => name.trim())
  const unknown = wanted.find((name) => !names.includes(name))
  if (unknown !== undefined) throw new UsageError(`there is no part '${unknown}'; --list names them`)
  return {
    ...flags,
    minutes: numberOf('minutes', minutes) ?? 20,
    seed: Math.floor(numberOf('seed', seed) ?? Math.random() * 1e6),
    only: wanted,
    most: numberOf('most', most),
  }
}

function numberOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const number = Number(text)
  if (!(number > 0 && Number.isFinite(number))) throw new UsageError(`--${name}: ${text} is no number above 0`)
  return number
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        minutes: { type: 'string' },
        seed: { type: 'string' },
        only: { type: 'string' },
        most: { type: 'string' },
        json: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
