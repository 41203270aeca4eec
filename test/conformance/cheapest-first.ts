import type { Level } from '../../src/conformance/case.ts'
import { allCases, defineGoldfish, runCase } from './built-kit.ts'

const slow: readonly Level[] = ['processes', 'faults', 'model']

/** The ids of the cases, those that a sound store passes fastest first, and those that take time by their nature last. */
export async function cheapestFirst(): Promise<string[]> {
  const definition = await defineGoldfish({ name: 'sound', breaks: [], story: '' })
  const costs = new Map<string, number>()
  for (const one of allCases) {
    const began = performance.now()
    const isSlow = slow.includes(one.level)
    if (!isSlow) await runCase(one, { definition, module: null }, { seed: 1, deadline: 60_000 })
    costs.set(one.id, isSlow ? Number.MAX_SAFE_INTEGER : performance.now() - began)
  }
  const ids = allCases.map(({ id }) => id)
  return ids.toSorted((one, other) => (costs.get(one) ?? 0) - (costs.get(other) ?? 0))
}
