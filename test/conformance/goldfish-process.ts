import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Case, Level } from '../../src/conformance/case.ts'
import { allCases, defineGoldfish, findGoldfish, goldfishModule, lookAt, missingFor, runCase } from './built-kit.ts'
import type { GoldfishResult } from './goldfish-results.ts'

/** Runs goldfish on the cases, one after the other, in a process in which their stray errors harm nobody. */
process.on('unhandledRejection', () => {})
process.on('uncaughtException', () => {})
process.on('message', (name: string) => {
  judge(name).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => process.exit(0))

const repetitions = 20

/** The cases, those that a sound store passes fastest first, and those that take time by their nature last. */
const slow: readonly Level[] = ['processes', 'faults', 'model']
const byCost = measureCosts()

async function measureCosts(): Promise<Case[]> {
  const definition = await defineGoldfish({ name: 'sound', breaks: [], story: '' })
  const costs = new Map<Case, number>()
  for (const one of allCases) {
    const began = performance.now()
    const isSlow = slow.includes(one.level)
    if (!isSlow) await runCase(one, { definition, module: null }, { seed: 1, deadline: 20_000 })
    costs.set(one, isSlow ? Number.MAX_SAFE_INTEGER : performance.now() - began)
  }
  return allCases.toSorted((one, other) => (costs.get(one) ?? 0) - (costs.get(other) ?? 0))
}

async function judge(name: string): Promise<GoldfishResult> {
  const goldfish = findGoldfish(name)
  const definition = await defineGoldfish(goldfish)
  const folder = mkdtempSync(join(tmpdir(), 'unforget-goldfish-'))
  try {
    const offer = await lookAt(definition, join(folder, 'look'))
    const offered = (await byCost).filter((one) => missingFor(one, offer).length === 0)
    const isCaught = async (one: Case) =>
      (await runCase(one, { definition, module: goldfishModule(name), folder }, { seed: 1, deadline: 20_000 })) !== null
    const named = allCases.filter((one) => offered.includes(one) && goldfish.breaks.includes(one.clause))
    const caughtBy: string[] = []
    for (const one of named) if (await isCaught(one)) caughtBy.push(one.id)
    let passed = named.length - caughtBy.length
    for (const one of offered) {
      if (passed >= offered.length * 0.75) break
      if (!named.includes(one) && !(await isCaught(one))) passed += 1
    }
    const catcher = allCases.find(({ id }) => id === goldfish.races)
    let times = 0
    for (let turn = 0; catcher && turn < repetitions; turn++) if (await isCaught(catcher)) times += 1
    return { name, offered: offered.length, passed, caughtBy: catcher ? [catcher.id] : caughtBy, times }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
