import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { barOf, isMet } from './bars.ts'
import type { Failure, Line, Report } from './report.ts'

/** The rows of a run, written to a file as they come: whatever ends the run, they are kept. */
export class Results {
  readonly #file: string | null
  readonly #order: readonly string[]
  #report: Report

  /** `order`: the names of all rows, in the order of the table. `file: null`: nothing is written. */
  constructor(file: string | null, order: readonly string[], start: Report) {
    this.#file = file
    this.#order = order
    this.#report = start
  }

  get report(): Report {
    return this.#report
  }

  /** In place of what was there of this row. */
  add(line: Line): void {
    this.#keep([line], [])
  }

  /** What an earlier run measured stays. */
  fail(failure: Failure): void {
    if (!this.#report.rows.some(({ name }) => name === failure.name)) this.#keep([], [failure])
  }

  #keep(lines: readonly Line[], failures: readonly Failure[]): void {
    const isNew = ({ name }: { name: string }) => [...lines, ...failures].some((one) => one.name === name)
    const merge = <Row extends { name: string }>(rows: readonly Row[], added: readonly Row[]) =>
      [...rows.filter((row) => !isNew(row)), ...added].sort((a, b) => this.#placeOf(a.name) - this.#placeOf(b.name))
    const { rows, failed } = this.#report
    this.#report = { ...this.#report, rows: merge(rows, lines), failed: merge(failed, failures) }
    if (this.#file !== null) writeReport(this.#report, this.#file)
  }

  #placeOf(name: string): number {
    return this.#order.indexOf(name)
  }
}

/** With the bars of today: what was measured does not change with them. */
export function readReport(file: string | URL): Report {
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report
  const judge = (line: Line): Line => {
    const bar = barOf(line.name)
    return {
      ...line,
      bar,
      met: bar === null || line.ratio === null || report.quick ? null : isMet(bar, line.ratio.median),
    }
  }
  return { ...report, rows: report.rows.map(judge) }
}

/** In one step, so that a run that ends at any moment leaves a whole file. */
function writeReport(report: Report, file: string): void {
  const round = (_: string, value: unknown) =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value
  writeFileSync(`${file}.new`, `${JSON.stringify(report, round, 2)}\n`)
  renameSync(`${file}.new`, file)
}
