import { mayHold } from '../holds/may-hold.ts'
import type { Line, Report } from '../report.ts'
import type { Chart } from './chart.ts'
import { growthChart, type Panel, type Point } from './growth-chart.ts'
import { type Held, holdChart } from './hold-chart.ts'
import { type Ratio, ratioChart } from './ratio-chart.ts'
import type { Backend } from './theme.ts'

type Rows = readonly Line[]

/** Each row of a chart of ratios, and what it is called there. */
type Named = readonly (readonly [row: string, name: string])[]

const alone: Named = [
  ['append', 'SQLite'],
  ['redis-append', 'Redis'],
  ['redis-synced-append', 'Redis, appendfsync always'],
  ['postgres-append', 'PostgreSQL'],
]
const throughput: Named = [
  ['append-64-one', 'SQLite, 64 on one session'],
  ['append-64-each', 'SQLite, 64 on 64 sessions'],
  ['redis-append-64-one', 'Redis, 64 on one session'],
  ['redis-append-64-each', 'Redis, 64 on 64 sessions'],
  ['redis-synced-append-64-one', 'Redis synced, 64 on one session'],
  ['redis-append-64-one-peer', 'Redis, 64 on one session'],
  ['redis-append-peer', 'Redis, one at a time'],
  ['postgres-append-64-one', 'PostgreSQL, 64 on one session'],
  ['postgres-append-64-each', 'PostgreSQL, 64 on 64 sessions'],
  ['processes', 'SQLite, 8 processes, one session'],
]
const lengths: Named = [
  ['history-last-50', 'SQLite: getHistory last 50'],
  ['page-50', 'SQLite: a page of 50 anywhere'],
  ['snapshot-long', 'SQLite: snapshot'],
  ['rollback-long', 'SQLite: rollback'],
  ['redis-history-last-50', 'Redis: getHistory last 50'],
  ['redis-page-50', 'Redis: a page of 50 anywhere'],
  ['redis-snapshot-long', 'Redis: snapshot'],
  ['redis-rollback-long', 'Redis: rollback'],
  ['postgres-history-last-50', 'PostgreSQL: getHistory last 50'],
  ['postgres-page-50', 'PostgreSQL: a page of 50 anywhere'],
  ['postgres-snapshot-long', 'PostgreSQL: snapshot'],
  ['postgres-rollback-long', 'PostgreSQL: rollback'],
]

/** What can be drawn of a run; a chart of which no row was measured is left out. */
export function chartsOf({ rows }: Pick<Report, 'rows'>): Chart[] {
  return [
    ...ratios(rows, alone, {
      name: 'append',
      title: 'Appending one message at a time',
      subtitle: 'Time of addMessages against the bare client. Lower is better',
      axis: "times the bare client's time",
    }),
    ...ratios(rows, throughput, {
      name: 'throughput',
      title: 'Appending at once, and against others',
      subtitle: 'Messages per second of addMessages against what stands below each name. Higher is better',
      axis: 'times the messages per second',
    }),
    ...ratios(rows, lengths, {
      name: 'long-history',
      title: 'What a long history costs',
      subtitle: 'Time on a session of 1,000,000 entries (Redis: 100,000) against a short one. Lower is better',
      axis: 'times the time on the short session',
    }),
    ...langgraph(rows, 'sqlite', 'SQLite', 'SqliteSaver'),
    ...langgraph(rows, 'postgres', 'PostgreSQL', 'PostgresSaver'),
    ...holds(rows),
  ]
}

function ratios(rows: Rows, named: Named, heading: Parameters<typeof ratioChart>[0]): Chart[] {
  const found = named.flatMap(([row, name]): Ratio[] => {
    const line = rows.find((one) => one.name === row)
    if (line === undefined || line.ratio === null) return []
    const { ratio, bar, met, baseline } = line
    return [{ name, comparedWith: (baseline ?? '').replace(/^(at|of) /, 'a session of '), ratio, bar, met }]
  })
  return found.length === 0 ? [] : [ratioChart(heading, found)]
}

function langgraph(rows: Rows, where: string, backend: string, theirs: string): Chart[] {
  const panels = (
    [
      ['bytes', 'Bytes stored', 'bytes'],
      ['put', 'One put', 'ms'],
      ['get', 'getTuple, nothing cached', 'ms'],
      ['list', 'list of 10', 'ms'],
    ] as const
  ).flatMap(([what, title, unit]): Panel[] => {
    const points = rows.flatMap((line): Point[] => {
      const at = new RegExp(`^langgraph-${where}-(\\d+)-${what}$`).exec(line.name)?.[1]
      const [ours, peer] = line.figures
      if (at === undefined || !ours || !peer || line.ratio === null) return []
      return [{ at: Number(at), ours: ours.value, theirs: peer.value, ratio: line.ratio.median }]
    })
    return points.length === 0 ? [] : [{ title, unit, points: points.sort((a, b) => a.at - b.at) }]
  })
  if (panels.length === 0) return []
  const heading = {
    name: `langgraph-${where}`,
    title: `A LangGraph thread on ${backend}, as it grows`,
    subtitle: `UnforgetSaver and ${theirs}, the state is 100 messages of 500 bytes. Lower is better; both axes are logarithmic`,
  }
  return [growthChart(heading, { ours: 'UnforgetSaver', theirs, counted: 'checkpoints' }, panels)]
}

function holds(rows: Rows): Chart[] {
  const held = heldOf(rows)
  if (held.length === 0) return []
  const heading = {
    name: 'holds',
    title: 'How long a call keeps others waiting, at 1,000,000 entries',
    subtitle: "The longest turn of the event loop, and the longest hold of SQLite's write lock. Lower is better",
  }
  return [holdChart(heading, mayHold, held)]
}

const places: readonly Backend[] = ['memory', 'SQLite', 'Redis', 'PostgreSQL']

/** By call, in the order of the rows. */
export function heldOf(rows: Rows): Held[] {
  const calls = new Map<string, { call: string; loop: Partial<Record<Backend, number>>; lock: number | undefined }>()
  for (const { name, what, figures } of rows) {
    const [, place, call = ''] = /^(\w+), [\d,]+ entries: (.+)$/.exec(name.startsWith('hold-') ? what : '') ?? []
    const backend = places.find((one) => one === place)
    if (backend === undefined) continue
    const held = calls.get(call) ?? { call, loop: {}, lock: undefined }
    const figure = (wanted: string) => figures.find((one) => one.name === wanted)?.value
    const loop = figure('event loop held')
    if (loop !== undefined) held.loop[backend] = loop
    held.lock ??= figure('lock held')
    calls.set(call, held)
  }
  return [...calls.values()]
}
