import { writeFileSync } from 'node:fs'
import type { Machine, Versions } from './machine.ts'
import type { Bar, Figure, Heading, Measured } from './row.ts'

export interface Line extends Heading, Measured {
  /** `null` where there is no bar, or the run was too small to be compared with one. */
  readonly met: boolean | null
}

export interface Report {
  /** When the run began. */
  readonly date: string
  /** A smaller run, to see that all works: it says nothing about the bars. */
  readonly quick: boolean
  readonly seconds: number
  readonly machine: Machine
  readonly versions: Versions
  readonly rows: readonly Line[]
}

export function makeLine(heading: Heading, measured: Measured, quick: boolean): Line {
  const { name, what, baseline, bar } = heading
  const { ratio, rounds, figures } = measured
  const met = bar === null || ratio === null || quick ? null : isMet(bar, ratio.median)
  return { name, what, baseline, bar, rounds, ratio, met, figures }
}

export function writeJson(report: Report, file: string): void {
  const round = (_: string, value: unknown) =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value
  writeFileSync(file, `${JSON.stringify(report, round, 2)}\n`)
}

const quickTitle = 'QUICK run: smaller sizes than named, few rounds, compared with no bar'

/** The table and below it the figures, as Markdown that reads well in a terminal. */
export function printReport({ rows, machine, versions, quick, date, seconds }: Report): string {
  const header = ['what', 'compared with', 'bar', 'measured', 'quartiles', 'rounds', '']
  const cells = rows.map(({ what, baseline, bar, ratio, rounds, met }) => [
    what,
    baseline ?? '–',
    bar === null ? '–' : 'atMost' in bar ? `≤ ${bar.atMost} x` : `≥ ${bar.atLeast} x`,
    ratio === null ? '–' : `${short(ratio.median)} x`,
    ratio === null ? '–' : `${short(ratio.q1)} – ${short(ratio.q3)}`,
    String(rounds),
    verdict(bar, met),
  ])
  const figures = rows.map(({ what, figures }) => `- ${what}: ${figures.map(printFigure).join(', ')}`)
  const { processor, cores, memoryGiB, system, syncMilliseconds } = machine
  const { node, sqlite, betterSqlite3, unforget, langgraphCheckpointSqlite, redisServer } = versions
  const { redis, langchainRedis, pg, langgraphCheckpointPostgres } = versions
  return [
    `${quick ? quickTitle : 'Full run'}, ${date}, ${seconds} s`,
    `${processor}, ${cores} cores, ${memoryGiB} GiB, ${system}, a page synced in ${short(syncMilliseconds)} ms`,
    `Node ${node}, SQLite ${sqlite}, better-sqlite3 ${betterSqlite3}, unforget ${unforget}, @langchain/langgraph-checkpoint-sqlite ${langgraphCheckpointSqlite}, ${redisServer ?? 'no Redis server'}, redis ${redis}, @langchain/redis ${langchainRedis}, pg ${pg}, @langchain/langgraph-checkpoint-postgres ${langgraphCheckpointPostgres}`,
    '',
    ...table([header, ...cells]),
    '',
    ...figures,
    '',
  ].join('\n')
}

/** One row as soon as it is measured, and how long the others will take if they are like those before. */
export function printLine(
  { what, baseline, bar, ratio, met }: Line,
  done: number,
  all: number,
  milliseconds: number,
): string {
  const measured = ratio === null ? 'figures' : `${short(ratio.median)} x ${baseline ?? ''}`.trim()
  const left = Math.ceil(((milliseconds / done) * (all - done)) / 60_000)
  const rest = done === all ? 'the last row' : `about ${left} ${left === 1 ? 'minute' : 'minutes'} left`
  return `${done}/${all} ${what}: ${measured}, ${verdict(bar, met)}; ${rest}`
}

function isMet(bar: Bar, ratio: number): boolean {
  return 'atMost' in bar ? ratio <= bar.atMost : ratio >= bar.atLeast
}

function verdict(bar: Bar | null, met: boolean | null): string {
  if (bar === null) return 'figures'
  return met === null ? 'not compared' : met ? 'met' : 'MISSED'
}

function printFigure({ name, value, unit }: Figure): string {
  const number = unit === 'bytes' ? Math.round(value).toLocaleString('en') : short(value)
  return `${name} ${number}${unit && ` ${unit}`}`
}

function short(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)))
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  return rows.flatMap((row, index) => (index === 0 ? [line(row), rule] : [line(row)]))
}
