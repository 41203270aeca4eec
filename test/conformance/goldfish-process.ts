import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Case } from '../../src/conformance/case.ts'
import { allCases, defineGoldfish, findGoldfish, goldfishModule, lookAt, missingFor, runCase } from './built-kit.ts'
import type { GoldfishResult, Question } from './goldfish-results.ts'

/** Runs goldfish on the cases, one after the other, in a process in which their stray errors harm nobody. Its argument is all ids, the cheapest first. */
const places = new Map((JSON.parse(process.argv[2] ?? '[]') as string[]).map((id, place) => [id, place]))
const byCost = allCases.toSorted((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0))

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
/** Each goldfish has to be sound in one of so many parts of the cases, the same for each cost. */
const parts = 5
/** The deadline is that of users: most goldfish that hang are caught by it. */
const options = { seed: 1, deadline: 20_000 }
/** Random programs look for a bug until the deadline is near, and on a busy machine they need more time for as many. */
const optionsFor = ({ level }: Case) => (level === 'model' ? { ...options, deadline: 120_000 } : options)

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
    return await work(definition, folder, async (one) => (await runCase(one, place, optionsFor(one))) !== null)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function judgeOnOne(name: string, catcher: string): Promise<GoldfishResult> {
  return withGoldfish(name, async (_definition, _folder, isCaught) => {
    const one = allCases.find(({ id }) => id === catcher)
    const caughtBy = one !== undefined && (await isCaught(one)) ? [catcher] : []
    return { name, sampled: 1, passed: 1 - caughtBy.length, caughtBy, times: caughtBy.length }
  })
}

function judge(name: string): Promise<GoldfishResult> {
  const goldfish = findGoldfish(name)
  return withGoldfish(name, async (definition, folder, isCaught) => {
    const offer = await lookAt(definition, join(folder, 'look'))
    const offered = byCost.filter((one) => missingFor(one, offer).length === 0)
    const named = allCases.filter((one) => offered.includes(one) && goldfish.breaks.includes(one.clause))
    const caughtBy: string[] = []
    for (const one of named) if (await isCaught(one)) caughtBy.push(one.id)
    const sampled = offered.filter((_, place) => (place + name.length) % parts === 0)
    let passed = 0
    for (const one of sampled) {
      if (passed >= sampled.length * 0.75) break
      const fails = named.includes(one) ? caughtBy.includes(one.id) : await isCaught(one)
      if (!fails) passed += 1
    }
    const catcher = allCases.find(({ id }) => id === goldfish.races)
    let times = 0
    for (let turn = 0; catcher && turn < repetitions; turn++) if (await isCaught(catcher)) times += 1
    return { name, sampled: sampled.length, passed, caughtBy: catcher ? [catcher.id] : caughtBy, times }
  })
}
