import { readable, short } from '../readable.ts'
import { type Chart, margin, width } from './chart.ts'
import { logScale } from './scale.ts'
import { element, label, line } from './svg.ts'
import type { Theme } from './theme.ts'

export interface Panel {
  readonly title: string
  readonly unit: string
  /** In ascending order of `at`. */
  readonly points: readonly Point[]
}
export interface Point {
  readonly at: number
  readonly ours: number
  readonly theirs: number
  /** Of ours to theirs, as it was measured side by side. */
  readonly ratio: number
}

interface Names {
  readonly ours: string
  readonly theirs: string
  /** What the x axis counts. */
  readonly counted: string
}

const columns = 2
const gap = 24
const panel = { width: (width - 2 * margin - gap) / columns, height: 260 }
const plot = { left: 58, right: 8, top: 40, bottom: 40 }
const inset = 34
const legendHeight = 30

/** Small panels, each with two lines on logarithmic axes: what grows as fast as the axis rises by a decade a decade. */
export function growthChart(
  heading: Pick<Chart, 'name' | 'title' | 'subtitle'>,
  names: Names,
  panels: readonly Panel[],
): Chart {
  const rows = Math.ceil(panels.length / columns)
  return {
    ...heading,
    description: panels.map((one) => describe(one, names)).join('. '),
    height: legendHeight + rows * (panel.height + gap),
    draw: (theme) => [
      ...legend(names, theme),
      ...panels.map((one, index) => {
        const x = margin + (index % columns) * (panel.width + gap)
        const y = legendHeight + Math.floor(index / columns) * (panel.height + gap)
        return element('g', { transform: `translate(${x} ${y})` }, drawPanel(one, names, theme).join('\n'))
      }),
    ],
  }
}

function drawPanel({ title, unit, points }: Panel, names: Names, theme: Theme): string[] {
  const scale = logScale(points.flatMap(({ ours, theirs }) => [ours, theirs]))
  const [left, right] = [plot.left, panel.width - plot.right]
  const [top, bottom] = [plot.top, panel.height - plot.bottom]
  const y = (value: number) => bottom - 24 - scale.place(value) * (bottom - top - 42)
  const x = (index: number) => left + inset + (index * (right - left - 2 * inset)) / Math.max(1, points.length - 1)
  const side = (which: 'ours' | 'theirs', color: string, dashes: string) => {
    const d = points.map((point, index) => `${index === 0 ? 'M' : 'L'}${at(x(index))} ${at(y(point[which]))}`).join('')
    return [
      element('path', { d, fill: 'none', stroke: color, 'stroke-width': 2.5, 'stroke-dasharray': dashes }),
      ...points.map((point, index) => marker(which, x(index), y(point[which]), color)),
      ...points.map((point, index) => {
        const isUpper = which === 'ours' ? point.ours > point.theirs : point.theirs >= point.ours
        const place = y(point[which]) + (isUpper ? -9 : 19)
        const halo = { 'paint-order': 'stroke', stroke: theme.canvas, 'stroke-width': 3 }
        return label(x(index), place, readable(point[which], unit), {
          'text-anchor': 'middle',
          style: `font-size: 11px; fill: ${color}`,
          ...halo,
        })
      }),
    ]
  }
  const { text, isLost } = outcome(points, names)
  return [
    label(0, 14, title, { class: 'name' }),
    label(0, 31, text, { class: isLost ? 'missed' : 'note' }),
    ...scale.ticks.flatMap((tick) => [
      line(left, y(tick), right, y(tick), { stroke: theme.grid }),
      label(left - 6, y(tick) + 4, readable(tick, unit), { class: 'note', 'text-anchor': 'end' }),
    ]),
    ...points.map((point, index) =>
      label(x(index), bottom + 16, point.at.toLocaleString('en'), { class: 'note', 'text-anchor': 'middle' }),
    ),
    label((left + right) / 2, bottom + 34, names.counted, { class: 'note', 'text-anchor': 'middle' }),
    ...side('theirs', theme.muted, '6 4'),
    ...side('ours', theme.met, 'none'),
  ]
}

/** At the largest size, and where it is lost at a smaller one. */
function outcome(points: readonly Point[], { theirs, counted }: Names): { text: string; isLost: boolean } {
  const last = points.at(-1)
  const sizes = points.filter(({ ratio }) => ratio > 1).map(({ at }) => at.toLocaleString('en'))
  if (last === undefined) return { text: '', isLost: false }
  const size = `at ${last.at.toLocaleString('en')}`
  if (last.ratio > 1) return { text: `lost: ${short(last.ratio)} x ${theirs} ${size} ${counted}`, isLost: true }
  const less = `${short(1 / last.ratio)} x less`
  if (sizes.length === 0) return { text: `${less} than ${theirs} ${size} ${counted}`, isLost: false }
  return { text: `lost at ${sizes.join(' and ')}; ${less} ${size}`, isLost: true }
}

function legend({ ours, theirs }: Names, theme: Theme): string[] {
  const second = margin + 170
  return [
    line(margin, 6, margin + 36, 6, { stroke: theme.met, 'stroke-width': 2.5 }),
    marker('ours', margin + 18, 6, theme.met),
    label(margin + 44, 10, ours),
    line(second, 6, second + 36, 6, { stroke: theme.muted, 'stroke-width': 2.5, 'stroke-dasharray': '6 4' }),
    marker('theirs', second + 18, 6, theme.muted),
    label(second + 44, 10, theirs),
  ]
}

function marker(which: 'ours' | 'theirs', x: number, y: number, fill: string): string {
  return which === 'ours'
    ? element('circle', { cx: x, cy: y, r: 4.5, fill })
    : element('rect', { x: x - 4, y: y - 4, width: 8, height: 8, fill })
}

function describe({ title, unit, points }: Panel, { ours, theirs, counted }: Names): string {
  const each = points.map(
    (point) =>
      `at ${point.at.toLocaleString('en')} ${counted} ${ours} ${readable(point.ours, unit)}, ${theirs} ${readable(point.theirs, unit)}`,
  )
  return `${title}: ${each.join('; ')}`
}

function at(value: number): number {
  return Number(value.toFixed(1))
}
