import { readable } from '../readable.ts'
import { type Chart, margin, width } from './chart.ts'
import { logScale } from './scale.ts'
import { element, label, line } from './svg.ts'
import type { Backend, Theme } from './theme.ts'

/** What a call held, in milliseconds. */
export interface Held {
  readonly call: string
  readonly loop: Readonly<Partial<Record<Backend, number>>>
  /** The write lock of SQLite's file. */
  readonly lock: number | undefined
}

const backends: readonly Backend[] = ['memory', 'SQLite', 'Redis', 'PostgreSQL']
const plot = { from: 250, to: 480 }
const rowHeight = 28
const lane = 5

/** A line for each call, with a mark for each backend; what is over its bar is told in words as well. */
export function holdChart(
  heading: Pick<Chart, 'name' | 'title' | 'subtitle'>,
  limits: { readonly loop: number; readonly lock: number },
  calls: readonly Held[],
): Chart {
  const values = calls.flatMap(({ loop, lock }) => [...Object.values(loop), lock ?? limits.lock])
  const scale = logScale([...values, limits.loop, limits.lock, 0.1].map((value) => Math.max(value, 0.1)))
  const x = (value: number) => plot.from + scale.place(value) * (plot.to - plot.from)
  const bottom = calls.length * rowHeight
  const top = 52
  const missedOf = (held: Held) => over(held, limits)
  return {
    ...heading,
    description: calls.map((held) => `${held.call}: ${missedOf(held).join(', ') || 'met'}`).join('. '),
    height: top + bottom + 50,
    draw: (theme) => [
      ...legend(theme),
      element(
        'g',
        { transform: `translate(0 ${top})` },
        [
          ...calls.flatMap((_, index) => (index % 2 === 1 ? [] : [stripe(index * rowHeight, theme)])),
          ...scale.ticks.flatMap((tick, index) => [
            line(x(tick), 0, x(tick), bottom, { stroke: theme.grid }),
            label(x(tick), bottom + 16, `${index === 0 ? '≤ ' : ''}${readable(tick, 'ms')}`, {
              class: 'note',
              'text-anchor': 'middle',
            }),
          ]),
          label((plot.from + plot.to) / 2, bottom + 36, 'milliseconds held at a stretch (logarithmic)', {
            class: 'note',
            'text-anchor': 'middle',
          }),
          line(x(limits.loop), -4, x(limits.loop), bottom, { stroke: theme.text, 'stroke-width': 2 }),
          label(x(limits.loop) - 4, -8, `loop: ${limits.loop} ms`, { class: 'note', 'text-anchor': 'end' }),
          line(x(limits.lock), -4, x(limits.lock), bottom, {
            stroke: theme.text,
            'stroke-width': 2,
            'stroke-dasharray': '5 4',
          }),
          label(width - margin, -8, 'over its bar, ms', { class: 'note', 'text-anchor': 'end' }),
          label(x(limits.lock) + 4, -8, `lock: ${limits.lock} ms`, { class: 'note' }),
          ...calls.flatMap((held, index) =>
            drawCall(held, index * rowHeight + rowHeight / 2, x, missedOf(held), theme),
          ),
        ].join('\n'),
      ),
    ],
  }
}

function drawCall(
  { call, loop, lock }: Held,
  middle: number,
  x: (value: number) => number,
  missed: readonly string[],
  theme: Theme,
): string[] {
  const marks = backends.flatMap((backend, index) => {
    const value = loop[backend]
    return value === undefined ? [] : [marker(backend, x(value), middle + (index - 2) * lane, theme)]
  })
  return [
    label(margin, middle + 4, call),
    ...marks,
    ...(lock === undefined ? [] : [lockMarker(x(lock), middle + 2 * lane, theme)]),
    missed.length === 0 ? label(plot.to + 24, middle + 4, 'met', { class: 'note' }) : overText(missed, middle),
  ]
}

/** In two lines where one has no room. */
function overText(missed: readonly string[], middle: number): string {
  const lines = [missed.slice(0, 3), missed.slice(3)].filter((line) => line.length > 0)
  return lines
    .map((line, index) => {
      const y = middle + 4 + (index - (lines.length - 1) / 2) * 13
      return label(plot.to + 24, y, line.join(', '), { class: 'missed', style: 'font-size: 11px' })
    })
    .join('\n')
}

function over({ loop, lock }: Held, limits: { readonly loop: number; readonly lock: number }): string[] {
  const loops = backends.flatMap((backend) => {
    const value = loop[backend]
    return value !== undefined && value > limits.loop ? [`${backend} ${Math.round(value)}`] : []
  })
  return lock !== undefined && lock > limits.lock ? [...loops, `lock ${Math.round(lock)}`] : loops
}

function legend(theme: Theme): string[] {
  const entries = backends.map((backend, index) => {
    const x = margin + 6 + index * 110
    return `${marker(backend, x, 6, theme)}\n${label(x + 10, 10, backend)}`
  })
  const x = margin + 6 + backends.length * 110 + 10
  return [...entries, lockMarker(x, 6, theme), label(x + 10, 10, "write lock of SQLite's file")]
}

function stripe(y: number, theme: Theme): string {
  return element('rect', { x: margin - 6, y, width: width - 2 * margin + 12, height: rowHeight, fill: theme.stripe })
}

function marker(backend: Backend, x: number, y: number, theme: Theme): string {
  const fill = theme.backends[backend]
  if (backend === 'memory') return element('circle', { cx: x, cy: y, r: 4, fill })
  if (backend === 'SQLite') return element('rect', { x: x - 3.5, y: y - 3.5, width: 7, height: 7, fill })
  const corners = backend === 'Redis' ? '0,-4.5 4.5,3.5 -4.5,3.5' : '0,-5 5,0 0,5 -5,0'
  return element('polygon', { points: corners, fill, transform: `translate(${at(x)} ${at(y)})` })
}

function lockMarker(x: number, y: number, theme: Theme): string {
  const stroke = theme.backends.SQLite
  return element('rect', { x: x - 3, y: y - 3, width: 6, height: 6, fill: theme.canvas, stroke, 'stroke-width': 1.5 })
}

function at(value: number): number {
  return Number(value.toFixed(1))
}
