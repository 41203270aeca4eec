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
  /** The rows are put into the file next to those that it has. */
  readonly merge: boolean
  /** Only rows that the file does not have. */
  readonly missing: boolean
  /** Only the page and its charts, from the last results. */
  readonly page: boolean
}

export const help = `Compares unforget with bare SQLite, a bare Redis client and a bare PostgreSQL client, and prints one table of ratios. Takes at most
a quarter of an hour on a machine that does nothing else.

Usage: npm run bench -- [options]

  --only <text>  only rows whose name, or description, holds this text (see --list)
  --list         the names of all rows
  --quick        a small run to see that all works; nothing is compared with the bars
  --json <file>  where to write the result; bench/results.json for a full run, nowhere for a part or a quick run
  --merge        puts the rows into bench/results.json (or --json), in place of the same rows; the others stay
  --missing      only rows that are not there yet, for a run that was interrupted; merges as well
  --page         measures nothing; writes docs/performance.md, its charts and the table of docs/scaling.md from bench/results.json
  --help         this text

Examples: npm run bench -- --only append
          npm run bench -- --only redis
          npm run bench -- --only postgres
          npm run bench -- --only hold-sqlite --merge

Rows are written as they are measured. A row that fails is reported, and the others go on. A full or merged run ends with --page.

Exit codes: 0 measured, whether bars were met or not; 1 some rows failed; 2 could not run.
`

export const results = fileURLToPath(new URL('./results.json', import.meta.url))

/** Called wrongly: told in one line, without a stack. */
export class UsageError extends Error {}

export function readOptions(args: readonly string[]): Options {
  const values = parse(args)
  const { quick, help, list, missing, page } = values
  const merge = values.merge || missing
  const whole = !quick && (values.only === undefined || merge)
  return {
    help,
    list,
    quick,
    merge,
    missing,
    page,
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
        merge: { type: 'boolean', default: false },
        missing: { type: 'boolean', default: false },
        page: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
