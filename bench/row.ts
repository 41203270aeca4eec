import { type Round, type Spread, spreadOf } from './measure.ts'

export type Bar = { readonly atMost: number } | { readonly atLeast: number }

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

export interface Row<Fixture> extends Heading {
  measure(fixture: Fixture): Promise<Measured>
}

/** What a row may use of the run. */
export interface Bench {
  /** The size of a full run, or that of a quick one. */
  size(full: number, quick: number): number
  /** A path on a real disk where no file is yet. */
  freshFile(name: string): string
}

/** Rows that share what they are measured on. */
export interface Group {
  readonly headings: readonly Heading[]
  run(bench: Bench, isWanted: (heading: Heading) => boolean, tell: Tell): Promise<void>
}
export interface Tell {
  begun(heading: Heading): void
  done(heading: Heading, measured: Measured): void
}

export function rowGroup<Fixture>(
  open: (bench: Bench) => Promise<Fixture>,
  close: (fixture: Fixture) => Promise<void> | void,
  rows: readonly Row<Fixture>[],
): Group {
  return {
    headings: rows,
    async run(bench, isWanted, tell) {
      const wanted = rows.filter(isWanted)
      if (wanted[0] === undefined) return
      tell.begun(wanted[0])
      const fixture = await open(bench)
      try {
        for (const row of wanted) {
          tell.begun(row)
          tell.done(row, await row.measure(fixture))
        }
      } finally {
        await close(fixture)
      }
    },
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
