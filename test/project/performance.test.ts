import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { printReport } from '../../bench/report.ts'

test('docs/performance.md holds the last full run, its table and its figures', async () => {
  const results = JSON.parse(await readFile(new URL('../../bench/results.json', import.meta.url), 'utf8'))
  const page = await readFile(new URL('../../docs/performance.md', import.meta.url), 'utf8')
  const lines = printReport(results)
    .split('\n')
    .filter((line) => /^[|-] ?/.test(line))
  expect(results.quick).toBe(false)
  expect(lines.length).toBeGreaterThan(15)
  for (const line of lines) expect(page).toContain(line)
})
