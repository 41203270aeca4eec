import { expect, test } from 'vitest'
import { bars } from '../../bench/bars.ts'
import { fillRegions } from '../../bench/page/fill-regions.ts'
import { regionsOf } from '../../bench/page/regions.ts'
import { sampleReport } from './sample-report.ts'

const report = sampleReport()
const regions = regionsOf(report)

test('a region is written anew, as often as one likes, and the rest stays', () => {
  const page = 'before\n\n<!-- bench: run -->\nold\n<!-- /bench -->\n\nafter $& it'
  const filled = fillRegions(page, { run: 'new $& text' })
  expect(filled).toBe('before\n\n<!-- bench: run -->\n\nnew $& text\n\n<!-- /bench -->\n\nafter $& it')
  expect(fillRegions(filled, { run: 'new $& text' })).toBe(filled)
  expect(() => fillRegions(page, {})).toThrow('a region that the bench does not know: run')
})

test('the run is told with its time, its machine, its versions and what failed', () => {
  expect(regions['run']).toMatch(/^- when: 2026-11-18 11:30 to 11:30 UTC, \d+ minutes of measuring$/m)
  expect(regions['run']).toContain('2 cores, 24 GiB, Linux, a page synced in 0.1 ms')
  expect(regions['run']).toMatch(/unforget 0\.2\.0, Node 24\.21\.0, .*PostgreSQL 18\.4/)
  expect(regions['run']).toContain('- failed: recall over 10,000 x 384: Error: no such <table>')
})

test('every bar is listed: met, not met, or not measured', () => {
  const lines = (regions['bars'] ?? '').split('\n')
  const lineOf = (start: string) => lines.find((line) => line.startsWith(`| ${start}`)) ?? ''
  expect(lineOf('append, described')).toMatch(
    /\| ≤ 1\.5 x +\| 1\.62 x +\| 1\.51 – 1\.72 +\| 30 +\| \*\*not met\*\* +\|/,
  )
  expect(lineOf('append-64-one, described')).toMatch(/\| ≥ 5 x +\| 5\.4 x .+\| met +\|/)
  expect(lineOf('`processes-fairness`')).toMatch(/\| ≥ 0\.6 x .+\| not measured +\|/)
  expect(lineOf('memory, 1,000,000 entries: every')).toMatch(/\| at most 3\.36 x .+\| \*\*not met\*\* by 1 of \d+ +\|/)
  for (const { row } of bars.filter((bar) => !bar.row.endsWith('*'))) expect(regions['bars']).toContain(row)
})

test('a bar that is not met is explained, and one that is met is not', () => {
  expect(regions['unmet']).toContain(
    '- **append, described**: 1.62 x a bare insert in its own transaction, the bar is ≤ 1.5 x',
  )
  expect(regions['unmet']).toContain('The time is spent inside SQLite')
  expect(regions['unmet']).not.toContain('**append-64-one, described')
  const met = report.rows.map((row) => ({ ...row, met: row.met === null ? null : true }))
  expect(regionsOf({ ...report, rows: met })['unmet']).toBe('Every bar is met.')
})

test('what is over its bar is bold in the table of calls', () => {
  expect(regions['holds']).toMatch(/^\| importSession +\| \*\*168\*\* +\| \*\*149\*\* +\| \*\*240\*\* +\|/m)
  expect(regions['holds']).toMatch(/^\| sweep +\| [\d.]+ +\| [\d.]+ +\| \*\*240\*\* +\|/m)
})

test('a chart is a picture for both themes, with all it says as its text', () => {
  expect(regions['chart append']).toContain('srcset="images/performance/append-dark.svg"')
  expect(regions['chart append']).toMatch(
    /<img alt="Appending one .+ 1\.62 x .+" src="images\/performance\/append-light\.svg">/,
  )
  expect(regionsOf({ ...report, rows: [] })['chart append']).toBe('Not measured in this run.')
})
