import { expect, test } from 'vitest'
import { urlStoreModule } from '../../src/cli/url.store.ts'
import { type FullStore, levels } from '../../src/conformance/case.ts'
import { allCases } from '../../src/conformance/cases/all-cases.ts'
import { loadStore } from '../../src/conformance/load-store.ts'
import { Observation } from '../../src/conformance/observe.ts'
import { methodsAmong } from '../../src/conformance/offers.ts'
import { runCase } from '../../src/conformance/run-case.ts'

const module = urlStoreModule('sqlite:')
const definition = await loadStore(module)

/** Methods that a case may call only to watch, or not at all if it goes another way. */
const perhaps: readonly (keyof FullStore)[] = []

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

test.each(allCases.map((one) => [one.id, one] as const))('%s needs what it says, and holds', async (_, one) => {
  const observation = new Observation()
  expect(await runCase(one, { definition, module }, { seed: 7, deadline: 60_000 }, observation)).toBeNull()
  const called = [...observation.methods].filter((name) => !perhaps.includes(name as keyof FullStore))
  expect(new Set(methodsAmong(one.needs))).toEqual(new Set(called))
})
