import { isMet, printBar } from './bars.ts'
import type { Machine, Versions } from './machine.ts'
import { short } from './readable.ts'
import type { Figure, Heading, Measured } from './row.ts'

export interface Line extends Heading, Measured {
  /** `null` where there is no bar, or the run was too small to be compared with one. */
  readonly met: boolean | null
  /** When it was measured. */
  readonly date: string
  /** How long that took, with what was prepared for it. */
  readonly seconds: number
}

/** A row that threw instead of being measured. */
export interface Failure extends Pick<Heading, 'name' | 'what'> {
  readonly error: string
}

export interface Report {
  /** A smaller run, to see that all works: it says nothing about the bars. */
  readonly quick: boolean
  readonly machine: Machine
  readonly versions: Versions
  readonly rows: readonly Line[]
  readonly failed: readonly Failure[]
}

export function makeLine(
  heading: Heading,
  measured: Measured,
  quick: boolean,
  when: Pick<Line, 'date' | 'seconds'>,
): Line {
  const { name, what, baseline, bar } = heading
  const { ratio, rounds, figures } = measured
  const met = bar === null || ratio === null || quick ? null : isMet(bar, ratio.median)
  return { name, what, baseline, bar, rounds, ratio, met, figures, ...when }
}

const quickTitle = 'QUICK run: smaller sizes than named, few rounds, compared with no bar'

/** The table and below it the figures, as Markdown that reads well in a terminal. */
export function printReport({ rows, failed, machine, versions, quick }: Report): string {
  const header = ['what', 'compared with', 'bar', 'measured', 'quartiles', 'rounds', '']
  const cells = rows.map(({ what, baseline, bar, ratio, rounds, met }) => [
    what,
    baseline ?? '–',
    bar === null ? '–' : printBar(bar),
    ratio === null ? '–' : `${short(ratio.median)} x`,
    ratio === null ? '–' : `${short(ratio.q1)} – ${short(ratio.q3)}`,
    String(rounds),
    verdict({ bar, met }),
  ])
  const figures = rows.map(({ what, figures }) => `- ${what}: ${figures.map(printFigure).join(', ')}`)
  return [
    `${quick ? quickTitle : 'Rows of a full run'}, ${printTimes(rows)}`,
    printMachine(machine),
    printVersions(versions),
    '',
    ...table([header, ...cells]),
    '',
    ...figures,
    '',
    ...failed.map(({ what, error }) => `FAILED ${what}: ${error}`),
  ].join('\n')
}

/** One row as soon as it is measured, and how many seconds the others will take. */
export function printLine(line: Line, done: number, all: number, secondsLeft: number): string {
  const { what, baseline, ratio } = line
  const measured = ratio === null ? 'figures' : `${short(ratio.median)} x ${baseline ?? ''}`.trim()
  const minutes = Math.ceil(secondsLeft / 60)
  const rest = done === all ? 'the last row' : `about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} left`
  return `${done}/${all} ${what}: ${measured}, ${verdict(line)}; ${rest}`
}

export function verdict({ bar, met }: Pick<Line, 'bar' | 'met'>): string {
  if (bar === null) return 'figures'
  return met === null ? 'not compared' : met ? 'met' : 'NOT MET'
}

export function printMachine({ processor, cores, memoryGiB, system, syncMilliseconds }: Machine): string {
  return `${processor}, ${cores} cores, ${memoryGiB} GiB, ${system}, a page synced in ${short(syncMilliseconds)} ms`
}

export function printVersions(versions: Versions): string {
  const { node, sqlite, betterSqlite3, unforget, redisServer, postgresServer, redis, pg } = versions
  return [
    `unforget ${unforget}`,
    `Node ${node}`,
    `SQLite ${sqlite}`,
    `better-sqlite3 ${betterSqlite3}`,
    redisServer ?? 'no Redis server',
    `redis ${redis}`,
    postgresServer ?? 'no PostgreSQL server',
    `pg ${pg}`,
    `@langchain/redis ${versions.langchainRedis}`,
    `@langchain/langgraph-checkpoint-sqlite ${versions.langgraphCheckpointSqlite}`,
    `@langchain/langgraph-checkpoint-postgres ${versions.langgraphCheckpointPostgres}`,
  ].join(', ')
}

/** `2026-11-18 11:30 to 12:04 UTC, 33 minutes of measuring`. */
export function printTimes(rows: readonly Line[]): string {
  const dates = rows.map(({ date }) => date.slice(0, 16).replace('T', ' ')).sort()
  const [first = '', last = ''] = [dates[0], dates.at(-1)]
  const until = last.slice(0, 10) === first.slice(0, 10) ? last.slice(11) : last
  const minutes = Math.ceil(rows.reduce((sum, { seconds }) => sum + seconds, 0) / 60)
  return `${first} to ${until} UTC, ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} of measuring`
}

export function printFigure({ name, value, unit }: Figure): string {
  const number = unit === 'bytes' ? Math.round(value).toLocaleString('en') : short(value)
  return `${name} ${number}${unit && ` ${unit}`}`
}

export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  return rows.flatMap((row, index) => (index === 0 ? [line(row), rule] : [line(row)]))
}
