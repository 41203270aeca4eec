import { element, escapeXml, label } from './svg.ts'
import type { Theme } from './theme.ts'

export const width = 760
export const margin = 16

/** A drawing before it has a theme. */
export interface Chart {
  /** Of its two files, before `-light.svg` and `-dark.svg`. */
  readonly name: string
  readonly title: string
  /** What is on the axis, and which direction is better. */
  readonly subtitle: string
  /** All that the drawing says, for whoever cannot see it. */
  readonly description: string
  /** Below the title. */
  readonly height: number
  /** Its own elements, from y = 0. */
  draw(theme: Theme): readonly string[]
}

const head = 64

export function renderChart({ title, subtitle, description, height, draw }: Chart, theme: Theme): string {
  const style = [
    `text { font: 13px -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: ${theme.text} }`,
    '.title { font-size: 16px; font-weight: 600 }',
    '.name { font-weight: 600 }',
    `.note { font-size: 12px; fill: ${theme.muted} }`,
    `.missed { font-size: 12px; font-weight: 600; fill: ${theme.missed} }`,
  ].join('\n')
  const whole = head + height
  const lines = [
    element('title', { id: 'title' }, escapeXml(title)),
    element('desc', { id: 'description' }, escapeXml(`${subtitle}. ${description}`)),
    element('style', {}, `\n${style}\n`),
    element('rect', { width, height: whole, rx: 6, fill: theme.canvas }),
    label(margin, 28, title, { class: 'title' }),
    label(margin, 48, subtitle, { class: 'note' }),
    element('g', { transform: `translate(0 ${head})` }, '\n', draw(theme).join('\n'), '\n'),
  ]
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    viewBox: `0 0 ${width} ${whole}`,
    width,
    height: whole,
    role: 'img',
    'aria-labelledby': 'title description',
  }
  return `${element('svg', attributes, '\n', lines.join('\n'), '\n')}\n`
}
