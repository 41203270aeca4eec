import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { allCases } from '../../src/conformance/cases/all-cases.ts'
import { readClauses } from '../../src/conformance/clauses.ts'
import { allGoldfish } from '../../src/conformance/goldfish/all-goldfish.ts'
import { catchesOf, catchesOn, goldfishPage } from './goldfish-page.ts'
import { type GoldfishResult, judgeGoldfish } from './goldfish-results.ts'

let results: Map<string, GoldfishResult>

beforeAll(async () => {
  results = await judgeGoldfish()
}, 1_200_000)

const resultOf = (name: string) => results.get(name) ?? expect.fail(`${name} was not judged`)

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

describe.each(allGoldfish.map((goldfish) => [goldfish.name, goldfish] as const))('%s', (name, { races }) => {
  test('is caught by a clause it names', () => {
    expect(resultOf(name).caughtBy).not.toEqual([])
  })

  test.runIf(races)('is caught twenty times of twenty', () => {
    expect(resultOf(name).times).toBe(20)
  })

  test('is otherwise sound: three quarters of the cases pass', () => {
    const { passed, offered } = resultOf(name)
    expect(passed / offered).toBeGreaterThanOrEqual(0.75)
  })
})

test.each(allCases.map(({ id }) => id))('%s catches a goldfish that names its clause', (id) => {
  expect([...results.values()].filter(({ caughtBy }) => caughtBy.includes(id))).not.toEqual([])
})

describe('docs/goldfish.md', async () => {
  const page = await readFile(new URL('../../docs/goldfish.md', import.meta.url), 'utf8')
  const claimed = catchesOn(page)

  test('has every clause, case and goldfish there is, as npm run goldfish writes them', () => {
    expect(page).toBe(goldfishPage(claimed))
    expect(new Set(claimed.keys())).toEqual(new Set(allCases.map(({ id }) => id)))
  })

  test('each case catches a goldfish that the page has beside it, and each goldfish is caught by such a case', () => {
    const seen = catchesOf(results)
    const confirmed = new Map(
      [...claimed].map(([id, names]) => [id, names.filter((name) => seen.get(id)?.includes(name))]),
    )
    expect([...confirmed].filter(([, names]) => names.length === 0).map(([id]) => id)).toEqual([])
    const caught = new Set([...confirmed.values()].flat())
    expect(allGoldfish.map(({ name }) => name).filter((name) => !caught.has(name))).toEqual([])
  })
})
