import type { Bar } from '../bars.ts'
import type { Spread } from '../measure.ts'
import { short } from '../readable.ts'
import { type Chart, margin } from './chart.ts'
import { linearScale } from './scale.ts'
import { element, label, line } from './svg.ts'
import type { Theme } from './theme.ts'

export interface Ratio {
  readonly name: string
  readonly comparedWith: string
  readonly ratio: Spread
  readonly bar: Bar | null
  readonly met: boolean | null
}

const plot = { from: 304, to: 606 }
const rowHeight = 46

/** A bar for each ratio, from 0, with the middle half of its rounds and the bar it must keep. */
export function ratioChart(
  { name, title, subtitle, axis }: Pick<Chart, 'name' | 'title' | 'subtitle'> & { readonly axis: string },
  ratios: readonly Ratio[],
): Chart {
  const largest = Math.max(1, ...ratios.flatMap(({ ratio, bar }) => [ratio.q3, bar === null ? 0 : limitOf(bar)]))
  const scale = linearScale(largest)
  const x = (value: number) => plot.from + scale.place(value) * (plot.to - plot.from)
  const bottom = ratios.length * rowHeight
  return {
    name,
    title,
    subtitle,
    description: ratios.map((one) => `${one.name}, compared with ${one.comparedWith}: ${verdict(one)}`).join('. '),
    height: bottom + 82,
    draw: (theme) => [
      ...scale.ticks.flatMap((tick) => [
        line(x(tick), 0, x(tick), bottom, { stroke: theme.grid }),
        label(x(tick), bottom + 16, `${short(tick)} x`, { class: 'note', 'text-anchor': 'middle' }),
      ]),
      line(x(1), 0, x(1), bottom, { stroke: theme.muted, 'stroke-dasharray': '4 3' }),
      label((plot.from + plot.to) / 2, bottom + 36, axis, { class: 'note', 'text-anchor': 'middle' }),
      ...ratios.flatMap((one, index) => drawRatio(one, index * rowHeight, x, theme)),
      ...legend(bottom + 66, theme),
    ],
  }
}

function drawRatio(one: Ratio, top: number, x: (value: number) => number, theme: Theme): string[] {
  const { name, comparedWith, ratio, bar, met } = one
  const middle = top + rowHeight / 2
  const color = met === null ? theme.muted : met ? theme.met : theme.missed
  const whisker = { stroke: theme.text, 'stroke-width': 1.5 }
  return [
    label(margin, middle - 4, name, { class: 'name' }),
    label(margin, middle + 12, `against ${comparedWith}`, { class: 'note' }),
    element('rect', { x: x(0), y: middle - 9, width: x(ratio.median) - x(0), height: 18, fill: color }),
    line(x(ratio.q1), middle, x(ratio.q3), middle, whisker),
    ...[ratio.q1, ratio.q3].map((end) => line(x(end), middle - 4, x(end), middle + 4, whisker)),
    ...(bar === null ? [] : [limitMark(x(limitOf(bar)), middle, 15, theme)]),
    label(plot.to + 12, middle - 4, `${short(ratio.median)} x`, { class: 'name' }),
    label(plot.to + 12, middle + 12, outcome(one), { class: met === false ? 'missed' : 'note' }),
  ]
}

function legend(y: number, theme: Theme): string[] {
  const whisker = { stroke: theme.text, 'stroke-width': 1.5 }
  const square = (x: number, fill: string) => element('rect', { x, y: y - 10, width: 12, height: 12, fill })
  const words = (x: number, text: string) => label(x, y, text, { class: 'note' })
  return [
    square(16, theme.met),
    words(34, 'bar met'),
    square(98, theme.missed),
    words(116, 'bar not met'),
    square(202, theme.muted),
    words(220, 'no bar'),
    limitMark(278, y - 4, 9, theme),
    words(288, 'the bar'),
    line(348, y - 4, 372, y - 4, whisker),
    line(348, y - 8, 348, y, whisker),
    line(372, y - 8, 372, y, whisker),
    words(380, 'middle half of the rounds'),
    line(548, y - 12, 548, y + 4, { stroke: theme.muted, 'stroke-dasharray': '4 3' }),
    words(556, 'what it is compared with (1 x)'),
  ]
}

function limitMark(x: number, middle: number, reach: number, theme: Theme): string {
  return line(x, middle - reach, x, middle + reach, { stroke: theme.text, 'stroke-width': 3 })
}

function limitOf(bar: Bar): number {
  return 'atMost' in bar ? bar.atMost : bar.atLeast
}

function outcome({ bar, met }: Ratio): string {
  if (bar === null) return 'no bar'
  const limit = 'atMost' in bar ? `≤ ${bar.atMost} x` : `≥ ${bar.atLeast} x`
  return met === null ? limit : `${limit}: ${met ? 'met' : 'not met'}`
}

function verdict(one: Ratio): string {
  return `${short(one.ratio.median)} x (${outcome(one)})`
}
