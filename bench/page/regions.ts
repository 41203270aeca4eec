import { barOf, bars, printBar, setBarOf } from '../bars.ts'
import { chartsOf, heldOf } from '../charts/charts.ts'
import { mayHold } from '../holds/may-hold.ts'
import { short } from '../readable.ts'
import { type Line, printFigure, printMachine, printTimes, printVersions, type Report, table } from '../report.ts'
import { scalingTable } from '../scaling-table.ts'
import { pictureOf } from './picture-of.ts'

const isHold = ({ name }: Pick<Line, 'name'>) => name.startsWith('hold-')
const isScaling = ({ name }: Line) => name.startsWith('carries-')
const missing = 'Not measured in this run.'

/** What the pages hold of a run, by the name of its place. */
export function regionsOf(report: Report): Record<string, string> {
  const charts = Object.fromEntries(chartsOf(report).map((chart) => [`chart ${chart.name}`, pictureOf(chart)]))
  const names = ['append', 'throughput', 'long-history', 'langgraph-sqlite', 'langgraph-postgres', 'holds']
  return {
    ...Object.fromEntries(names.map((name) => [`chart ${name}`, missing])),
    ...charts,
    run: runOf(report),
    bars: barsOf(report.rows),
    unmet: unmetOf(report.rows),
    figures: figuresOf(report.rows),
    holds: holdsOf(report.rows),
    carries: scalingTable(report.rows).join('\n'),
  }
}

function runOf({ rows, failed, machine, versions }: Report): string {
  return [
    `- when: ${printTimes(rows)}`,
    `- machine: ${printMachine(machine)}`,
    `- versions: ${printVersions(versions)}`,
    ...failed.map(({ what, error }) => `- failed: ${what}: ${error.replaceAll(/\s+/g, ' ')}`),
  ].join('\n')
}

/** Every row that has a bar; the rows of what a call holds are counted by backend. */
function barsOf(rows: readonly Line[]): string {
  const barred = rows.filter((row) => row.met !== null)
  const own = barred.filter((row) => !isHold(row))
  const header = ['what', 'compared with', 'bar', 'measured', 'middle half', 'rounds', 'result', 'figures']
  const cells = own.map(({ what, baseline, bar, ratio, rounds, met, figures }) => [
    what,
    baseline ?? '–',
    bar === null ? '–' : printBar(bar),
    ratio === null ? '–' : `${short(ratio.median)} x`,
    ratio === null || rounds === 1 ? '–' : `${short(ratio.q1)} – ${short(ratio.q3)}`,
    String(rounds),
    met ? 'met' : '**not met**',
    figures.map(printFigure).join(', '),
  ])
  const unmeasured = bars
    .filter(({ row }) => !row.endsWith('*') && !rows.some(({ name }) => name === row))
    .map(({ row, bar }) => [`\`${row}\``, '–', printBar(bar), '–', '–', '–', 'not measured', '–'])
  const met = barred.filter((row) => row.met).length
  return [
    `${met} of ${barred.length} bars are met, those of what a call holds included.`,
    '',
    ...table([header, ...cells, ...heldTotals(barred.filter(isHold)), ...unmeasured]),
  ].join('\n')
}

function heldTotals(rows: readonly Line[]): string[][] {
  const places = [...new Set(rows.map(({ what }) => what.split(':')[0] ?? ''))]
  return places.map((place) => {
    const own = rows.filter(({ what }) => what.startsWith(`${place}:`))
    const met = own.filter((row) => row.met).length
    const worst = own.reduce((most, row) => ((row.ratio?.median ?? 0) > (most.ratio?.median ?? 0) ? row : most))
    return [
      `${place}: every public call`,
      own[0]?.baseline ?? '–',
      '≤ 1 x',
      `at most ${short(worst.ratio?.median ?? 0)} x`,
      '–',
      '1 – 3',
      met === own.length ? 'met' : `**not met** by ${own.length - met} of ${own.length}`,
      `the most: ${worst.what.slice(place.length + 2)}`,
    ]
  })
}

function unmetOf(rows: readonly Line[]): string {
  const missed = rows.filter(({ met }) => met === false)
  if (missed.length === 0) return 'Every bar is met.'
  const reasons = [...new Set(missed.map(reasonOf))]
  return reasons
    .map((reason) => {
      const own = missed.filter((line) => reasonOf(line) === reason)
      return `${own.map(missedLine).join('\n')}\n\n  ${reason}`
    })
    .join('\n\n')
}

function reasonOf({ name }: Line): string {
  return setBarOf(name)?.unmet ?? 'There is no measurement yet that shows why.'
}

function missedLine({ what, baseline, ratio, figures, name }: Line): string {
  const bar = barOf(name)
  return `- **${what}**: ${short(ratio?.median ?? 0)} x ${baseline ?? ''}, the bar is ${bar === null ? '–' : printBar(bar)} (${figures.map(printFigure).join(', ')})`
}

function figuresOf(rows: readonly Line[]): string {
  const own = rows.filter((row) => row.bar === null && !isScaling(row))
  const header = ['what', 'compared with', 'measured', 'middle half', 'rounds', 'figures']
  const cells = own.map(({ what, baseline, ratio, rounds, figures }) => [
    what,
    baseline ?? '–',
    ratio === null ? '–' : `${short(ratio.median)} x`,
    ratio === null || rounds === 1 ? '–' : `${short(ratio.q1)} – ${short(ratio.q3)}`,
    String(rounds),
    figures.map(printFigure).join(', '),
  ])
  return own.length === 0 ? missing : table([header, ...cells]).join('\n')
}

function holdsOf(rows: readonly Line[]): string {
  const held = heldOf(rows)
  if (held.length === 0) return missing
  const cell = (value: number | undefined, limit: number) => {
    if (value === undefined) return '–'
    return value > limit ? `**${short(value)}**` : short(value)
  }
  const header = ['call', 'memory', 'SQLite', 'its write lock', 'Redis', 'PostgreSQL']
  const cells = held.map(({ call, loop, lock }) => [
    call,
    cell(loop.memory, mayHold.loop),
    cell(loop.SQLite, mayHold.loop),
    cell(lock, mayHold.lock),
    cell(loop.Redis, mayHold.loop),
    cell(loop.PostgreSQL, mayHold.loop),
  ])
  return table([header, ...cells]).join('\n')
}
