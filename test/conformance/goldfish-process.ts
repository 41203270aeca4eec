import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Case, Level } from '../../src/conformance/case.ts'
import { allCases, defineGoldfish, findGoldfish, goldfishModule, lookAt, missingFor, runCase } from './built-kit.ts'
import type { GoldfishResult, Question } from './goldfish-results.ts'

/** Runs goldfish on the cases, one after the other, in a process in which their stray errors harm nobody. */
process.on('unhandledRejection', () => {})
process.on('uncaughtException', () => {})
process.on('message', ({ name, catcher }: Question) => {
  const judging = catcher === undefined ? judge(name) : judgeOnOne(name, catcher)
  judging.then(
    (result) => process.send?.(result),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => process.exit(0))

const repetitions = 20
/** The deadline is that of users: most goldfish that hang are caught by it. */
const options = { seed: 1, deadline: 20_000 }

/** The cases, those that a sound store passes fastest first, and those that take time by their nature last. */
const slow: readonly Level[] = ['processes', 'faults', 'model']
let byCost: Promise<Case[]> | undefined

async function measureCosts(): Promise<Case[]> {
  const definition = await defineGoldfish({ name: 'sound', breaks: [], story: '' })
  const costs = new Map<Case, number>()
  for (const one of allCases) {
    const began = performance.now()
    const isSlow = slow.includes(one.level)
    if (!isSlow) await runCase(one, { definition, module: null }, options)
    costs.set(one, isSlow ? Number.MAX_SAFE_INTEGER : performance.now() - began)
  }
  return allCases.toSorted((one, other) => (costs.get(one) ?? 0) - (costs.get(other) ?? 0))
}

/** Hands a goldfish to `work`, with what tells whether a case catches it and which cases it offers what they need. */
async function withGoldfish<T>(
  name: string,
  work: (
    definition: Awaited<ReturnType<typeof defineGoldfish>>,
    folder: string,
    isCaught: (one: Case) => Promise<boolean>,
  ) => Promise<T>,
): Promise<T> {
  const definition = await defineGoldfish(findGoldfish(name))
  const folder = mkdtempSync(join(tmpdir(), 'unforget-goldfish-'))
  try {
    const place = { definition, module: goldfishModule(name), folder }
    return await work(definition, folder, async (one) => (await runCase(one, place, options)) !== null)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function judgeOnOne(name: string, catcher: string): Promise<GoldfishResult> {
  return withGoldfish(name, async (_definition, _folder, isCaught) => {
    const one = allCases.find(({ id }) => id === catcher)
    const caughtBy = one !== undefined && (await isCaught(one)) ? [catcher] : []
    return { name, offered: 1, passed: 1 - caughtBy.length, caughtBy, times: caughtBy.length }
  })
}

function judge(name: string): Promise<GoldfishResult> {
  const goldfish = findGoldfish(name)
  return withGoldfish(name, async (definition, folder, isCaught) => {
    byCost ??= measureCosts()
    const offer = await lookAt(definition, join(folder, 'look'))
    const offered = (await byCost).filter((one) => missingFor(one, offer).length === 0)
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
  })
}
