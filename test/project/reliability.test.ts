import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { renderPage } from '../../chaos/report/render-page.ts'
import { readResults } from '../../chaos/report/results.ts'

test('docs/reliability.md holds what the recorded runs did and found', () => {
  const page = readFileSync(new URL('../../docs/reliability.md', import.meta.url), 'utf8')
  expect(page === renderPage(readResults()), 'docs/reliability.md is stale: npm run chaos -- --write').toBe(true)
})
