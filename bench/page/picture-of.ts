import type { Chart } from '../charts/chart.ts'
import { escapeXml } from '../charts/svg.ts'
import type { Theme } from '../charts/theme.ts'

/** From docs/. */
export function imageOf({ name }: Pick<Chart, 'name'>, { name: theme }: Pick<Theme, 'name'>): string {
  return `images/performance/${name}-${theme}.svg`
}

export function pictureOf(chart: Chart): string {
  return [
    '<picture>',
    `  <source media="(prefers-color-scheme: dark)" srcset="${imageOf(chart, { name: 'dark' })}">`,
    `  <img alt="${escapeXml(`${chart.title}. ${chart.subtitle}. ${chart.description}`)}" src="${imageOf(chart, { name: 'light' })}">`,
    '</picture>',
  ].join('\n')
}
