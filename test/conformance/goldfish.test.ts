import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import { allCases } from '../../src/conformance/cases/all-cases.ts'
import { readClauses } from '../../src/conformance/clauses.ts'
import { allGoldfish } from '../../src/conformance/goldfish/all-goldfish.ts'
import { catchersIn, catchersOn, catchesOn, goldfishPage } from './goldfish-page.ts'
import { type GoldfishResult, judgeGoldfish } from './goldfish-results.ts'

const page = await readFile(new URL('../../docs/goldfish.md', import.meta.url), 'utf8')
const recorded = catchersOn(page)
let results: Map<string, GoldfishResult>

beforeAll(async () => {
  results = await judgeGoldfish([...recorded].map(([name, catcher]) => ({ name, catcher })))
})

test('there are at least fifty, each with a name of its own, a story and clauses that there are', () => {
  const clauses = readClauses()
  expect(allGoldfish.length).toBeGreaterThanOrEqual(50)
  expect(new Set(allGoldfish.map(({ name }) => name)).size).toBe(allGoldfish.length)
  for (const { name, breaks, story, seen } of allGoldfish) {
    expect(name).toMatch(/^[a-z0-9-]+$/)
    expect(story.length, name).toBeLessThanOrEqual(240)
    for (const clause of breaks) expect([...clauses.keys()], name).toContain(clause)
    if (seen !== undefined) expect(seen).toMatch(/^https:\/\//)
  }
})

test('docs/goldfish.md has every clause, case and goldfish there is, as npm run goldfish writes them', () => {
  const claimed = catchesOn(page)
  expect(page).toBe(goldfishPage(claimed))
  expect(new Set(claimed.keys())).toEqual(new Set(allCases.map(({ id }) => id)))
  expect(recorded).toEqual(catchersIn(claimed))
})

test.each(allGoldfish.map(({ name, breaks }) => [name, breaks] as const))(
  '%s is caught by the case that is recorded as its catcher',
  (name, breaks) => {
    const catcher = recorded.get(name) ?? expect.fail(`run npm run goldfish -- ${name}`)
    expect(breaks).toContain(catcher.slice(0, catcher.indexOf('/')))
    expect(results.get(name)?.caughtBy).toEqual([catcher])
  },
)
