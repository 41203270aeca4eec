import { type Bar, barOf } from './bars.ts'
import { type Round, type Spread, spreadOf } from './measure.ts'

export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
}

export interface Measured {
  readonly rounds: number
  /** What the bar is about; `null` where there is nothing to compare with. */
  readonly ratio: Spread | null
  readonly figures: readonly Figure[]
}

export interface Heading {
  /** Short and stable: what `--only` finds and JSON is keyed by. */
  readonly name: string
  readonly what: string
  readonly baseline: string | null
  readonly bar: Bar | null
}

/** Its bar is in bars.ts. */
export interface Row<Fixture> extends Omit<Heading, 'bar'> {
  measure(fixture: Fixture): Promise<Measured>
}

/** What a row may use of the run. */
export interface Bench {
  /** The size of a full run, or that of a quick one. */
  size(full: number, quick: number): number
  /** A path on a real disk where no file is yet. */
  freshFile(name: string): string
  /** How many milliseconds a row may take. What is not done by then is given up, with the rows after it that share its fixture. */
  readonly patience: number
}

/** Rows that share what they are measured on. */
export interface Group {
  readonly headings: readonly Heading[]
  run(bench: Bench, isWanted: (heading: Heading) => boolean, tell: Tell): Promise<void>
}
export interface Tell {
  begun(heading: Heading): void
  done(heading: Heading, measured: Measured): void
  /** Ends the run if it throws. */
  failed(heading: Heading, error: unknown): void
  notClosed(error: unknown): void
}

export function rowGroup<Fixture>(
  open: (bench: Bench) => Promise<Fixture>,
  close: (fixture: Fixture) => Promise<void> | void,
  rows: readonly Row<Fixture>[],
): Group {
  const headed = rows.map((row) => ({ ...row, bar: barOf(row.name) }))
  return {
    headings: headed,
    async run(bench, isWanted, tell) {
      const wanted = headed.filter(isWanted)
      if (wanted[0] === undefined) return
      tell.begun(wanted[0])
      let fixture: Fixture
      try {
        fixture = await open(bench)
      } catch (error) {
        for (const row of wanted) tell.failed(row, error)
        return
      }
      for (const [index, row] of wanted.entries()) {
        tell.begun(row)
        const result = await within(bench.patience, row.measure(fixture))
        if ('value' in result) tell.done(row, result.value)
        else tell.failed(row, result.error)
        if (!('isLate' in result)) continue
        for (const after of wanted.slice(index + 1)) tell.failed(after, new Error('a row before it did not end'))
        return
      }
      const closed = await within(bench.patience, Promise.resolve(fixture).then(close))
      if ('error' in closed) tell.notClosed(closed.error)
    },
  }
}

type Result<Value> = { readonly value: Value } | { readonly error: unknown; readonly isLate?: true }

async function within<Value>(milliseconds: number, working: Promise<Value>): Promise<Result<Value>> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Result<Value>>((resolve) => {
    const error = new Error(`not done after ${milliseconds / 1000} seconds`)
    timer = setTimeout(resolve, milliseconds, { error, isLate: true })
  })
  const done = working.then(
    (value): Result<Value> => ({ value }),
    (error: unknown): Result<Value> => ({ error }),
  )
  try {
    return await Promise.race([done, late])
  } finally {
    clearTimeout(timer)
  }
}

/** How much longer ours takes than the baseline, round by round. */
export function timesTheTime(rounds: readonly Round[], ours: string, baseline: string): Measured {
  return compare(rounds, (round) => round.ours / round.baseline, ours, baseline)
}

/** How much more ours gets done than the baseline, round by round. */
export function timesTheThroughput(rounds: readonly Round[], ours: string, baseline: string): Measured {
  return compare(rounds, (round) => round.baseline / round.ours, ours, baseline)
}

function compare(rounds: readonly Round[], ratio: (round: Round) => number, ours: string, baseline: string): Measured {
  return {
    rounds: rounds.length,
    ratio: spreadOf(rounds.map(ratio)),
    figures: [
      { name: ours, value: spreadOf(rounds.map((round) => round.ours)).median, unit: 'ms' },
      { name: baseline, value: spreadOf(rounds.map((round) => round.baseline)).median, unit: 'ms' },
    ],
  }
}
