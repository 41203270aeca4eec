import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { allCases } from '../../src/conformance/cases/all-cases.ts'
import { allGoldfish } from '../../src/conformance/goldfish/all-goldfish.ts'
import { catchersOn, catchesOf, catchesOn } from './goldfish-page.ts'
import { type GoldfishResult, judgeGoldfish } from './goldfish-results.ts'

const page = await readFile(new URL('../../docs/goldfish.md', import.meta.url), 'utf8')
let results: Map<string, GoldfishResult>

beforeAll(async () => {
  results = await judgeGoldfish(allGoldfish.map(({ name }) => ({ name })))
}, 3_600_000)

const resultOf = (name: string) => results.get(name) ?? expect.fail(`${name} was not judged`)

describe.each(allGoldfish.map((goldfish) => [goldfish.name, goldfish] as const))('%s', (name, { races }) => {
  test('is caught by the case that is recorded as its catcher', () => {
    expect(resultOf(name).caughtBy).toContain(catchersOn(page).get(name))
  })

  test.runIf(races)('is caught 20 out of 20 times', () => {
    expect(resultOf(name).times).toBe(20)
  })

  test('is otherwise sound: of a fifth of the cases, three quarters pass', () => {
    const { passed, sampled } = resultOf(name)
    expect(passed / sampled).toBeGreaterThanOrEqual(0.75)
  })
})

test.each(allCases.map(({ id }) => id))('%s catches a goldfish that stands next to it in docs/goldfish.md', (id) => {
  const seen = catchesOf(results).get(id) ?? []
  expect(
    catchesOn(page)
      .get(id)
      ?.filter((name) => seen.includes(name)),
  ).not.toEqual([])
})
