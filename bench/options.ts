import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

export interface Options {
  readonly help: boolean
  readonly list: boolean
  readonly quick: boolean
  /** Lower case. Default: every row. */
  readonly only: string | undefined
  /** `null`: nothing is written. */
  readonly json: string | null
}

export const help = `Compares unforget with bare SQLite, a bare Redis client and a bare PostgreSQL client, and prints one table of ratios. Takes about
half an hour; all but the rows of what a call holds (--only hold) take six minutes.

Usage: npm run bench -- [options]

  --only <text>  only rows whose name, or description, holds this text (see --list)
  --list         the names of all rows
  --quick        a small run to see that all works; nothing is compared with the bars
  --json <file>  where to write the result; bench/results.json for a full run, nowhere for a part or a quick run
  --help         this text

Examples: npm run bench -- --only append
          npm run bench -- --only redis
          npm run bench -- --only postgres
          npm run bench -- --only hold-sqlite

Exit codes: 0 measured, whether bars were met or missed; 2 could not run.
`

const results = fileURLToPath(new URL('./results.json', import.meta.url))

/** Called wrongly: told in one line, without a stack. */
export class UsageError extends Error {}

export function readOptions(args: readonly string[]): Options {
  const values = parse(args)
  const { quick, help, list } = values
  const whole = !quick && values.only === undefined
  return {
    help,
    list,
    quick,
    only: values.only?.toLowerCase(),
    json: values.json !== undefined ? path.resolve(values.json) : whole ? results : null,
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: 'string' },
        json: { type: 'string' },
        quick: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
