import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { renderChart } from '../charts/chart.ts'
import { chartsOf } from '../charts/charts.ts'
import { themes } from '../charts/theme.ts'
import type { Report } from '../report.ts'
import { fillRegions } from './fill-regions.ts'
import { imageOf } from './picture-of.ts'
import { regionsOf } from './regions.ts'

const docs = new URL('../../docs/', import.meta.url)

/** Every file that shows the results: its place in docs/ and its text. */
export function pagesOf(report: Report): Map<string, string> {
  const regions = regionsOf(report)
  const pages = ['performance.md', 'scaling.md'].map(
    (page) => [page, fillRegions(readFileSync(new URL(page, docs), 'utf8'), regions)] as const,
  )
  const images = chartsOf(report).flatMap((chart) =>
    themes.map((theme) => [imageOf(chart, theme), renderChart(chart, theme)] as const),
  )
  return new Map([...pages, ...images])
}

export function writePages(report: Report): void {
  const images = new URL('images/performance/', docs)
  const files = pagesOf(report)
  rmSync(images, { recursive: true, force: true })
  mkdirSync(images, { recursive: true })
  for (const [file, text] of files) writeFileSync(new URL(file, docs), text)
}
