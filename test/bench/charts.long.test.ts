import { expect, test } from 'vitest'
import { renderChart } from '../../bench/charts/chart.ts'
import { chartsOf } from '../../bench/charts/charts.ts'
import { themes } from '../../bench/charts/theme.ts'
import { readReport } from '../../bench/results.ts'
import { useBrowser } from '../inspector/support/browser.ts'
import { sampleReport } from './sample-report.ts'

const open = useBrowser()
const recorded = readReport(new URL('../../bench/results.json', import.meta.url))

test.each([
  ['made-up results', sampleReport()],
  ['the recorded results', recorded],
])('in a browser, no text of a chart of %s overlaps another or leaves the picture', async (_, report) => {
  const page = await open('about:blank')
  for (const chart of chartsOf(report)) {
    for (const theme of themes) {
      await page.setContent(`<body style="margin: 0">${renderChart(chart, theme)}</body>`)
      const boxes = await page.locator('svg text').evaluateAll((texts) =>
        texts.map((text) => {
          const { left, right, top, bottom } = text.getBoundingClientRect()
          return { text: text.textContent, left, right, top, bottom }
        }),
      )
      const size = await page.locator('svg').boundingBox()
      expect(boxes.length).toBeGreaterThan(5)
      for (const box of boxes) {
        const isInside = box.left >= 0 && box.right <= (size?.width ?? 0) && box.bottom <= (size?.height ?? 0)
        expect(isInside, `${chart.name}: ${box.text}`).toBe(true)
      }
      // the box of a line has some room above and below the letters
      const room = 3
      const overlapping = boxes.flatMap((one, index) =>
        boxes
          .slice(index + 1)
          .filter((other) => one.left < other.right && other.left < one.right)
          .filter((other) => one.top + room < other.bottom - room && other.top + room < one.bottom - room)
          .map((other) => `${chart.name}: '${one.text}' and '${other.text}'`),
      )
      expect(overlapping).toEqual([])
    }
  }
})
