import { beforeAll, expect, test } from 'vitest'
import { levels } from '../../src/conformance/case.ts'
import { allCases } from '../../src/conformance/cases/all-cases.ts'
import { methodsAmong } from '../../src/conformance/offers.ts'
import { type Called, seeCalledMethods } from './needed-methods.ts'

let seen: Map<string, Called>

beforeAll(async () => {
  seen = await seeCalledMethods()
}, 3_600_000)

test('core has exactly 23 cases, of the four methods any store has', () => {
  const core = allCases.filter(({ level }) => level === 'core')
  expect(core.length).toBe(23)
  const methods = new Set(core.flatMap(({ needs }) => methodsAmong(needs)))
  expect([...methods].sort()).toEqual(['addMessages', 'clear', 'getHistory', 'trim'])
})

test('there are at least 120 cases, on every level, each with an id of its own', () => {
  expect(allCases.length).toBeGreaterThanOrEqual(120)
  expect(new Set(allCases.map(({ level }) => level))).toEqual(new Set(levels))
  expect(new Set(allCases.map(({ id }) => id)).size).toBe(allCases.length)
  for (const { id, clause } of allCases) expect(id).toMatch(new RegExp(`^${clause}/[\\w-]+$`))
})

test.each(allCases.map((one) => [one.id, one] as const))('%s needs the methods it calls', (id, { needs }) => {
  const { methods, failure } = seen.get(id) ?? expect.fail('was not run')
  expect(failure).toBeNull()
  expect(methodsAmong(needs), 'npm run needs').toEqual(methods)
})
