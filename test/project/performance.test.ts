import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pagesOf } from '../../bench/page/write-pages.ts'
import { readReport } from '../../bench/results.ts'

const docs = new URL('../../docs/', import.meta.url)
const report = readReport(new URL('../../bench/results.json', import.meta.url))
const pages = pagesOf(report)

test('the results are those of a full run', () => {
  expect(report.quick).toBe(false)
  expect(report.rows.length).toBeGreaterThan(15)
})

test.each([...pages])('docs/%s holds what the last full run of the bench measured', (file, text) => {
  const isFresh = readFileSync(new URL(file, docs), 'utf8') === text
  expect(isFresh, `docs/${file} is stale: npm run bench -- --page`).toBe(true)
})

test('there is no chart of an earlier run', () => {
  const images = readdirSync(new URL('images/performance/', docs)).map((file) => `images/performance/${file}`)
  expect(images.filter((file) => !pages.has(file))).toEqual([])
})
