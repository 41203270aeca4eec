import { readFileSync } from 'node:fs'
import type { Case } from '../../src/conformance/case.ts'
import type { StoreDefinition } from '../../src/conformance/store-definition.ts'
import type { Backend } from '../../src/core/backend.ts'
import { CoverageOf, type Place } from './covered-mutants.ts'

/** Judges the store in a folder by the kit, which is the sound one, until a case fails. */
export interface Question {
  /** Where the mutated store is. */
  readonly folder: string
  /** The ids of the cases in the order in which they are run. */
  readonly order: readonly string[]
  readonly deadline: number
  /** Instead of judging: tell which case runs which of these places. */
  readonly cover?: readonly Place[]
}

export type News =
  | { readonly kind: 'running'; readonly id: string; readonly deadline: number }
  | { readonly kind: 'passed'; readonly id: string; readonly milliseconds: number }
  | { readonly kind: 'killed'; readonly id: string; readonly how: string }
  | { readonly kind: 'survived' }
  /** The indexes of the places that ran; `null` for the id when the store was loaded. */
  | { readonly kind: 'covered'; readonly id: string | null; readonly places: readonly number[] }

/** Slow is not broken: a case that is still getting answers at its deadline gets so many times as long. */
const patience = 4

const { folder, order, deadline, cover } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Question
const kit = async <Module>(file: string) =>
  (await import(new URL(`../../dist/${file}`, import.meta.url).href)) as Module
const store = async <Module>(file: string) => (await import(`${folder}/${file}`)) as Module
const tell = (news: News) => new Promise<void>((resolve) => void process.send?.(news, () => resolve()))

process.on('unhandledRejection', () => {})
process.on(
  'uncaughtException',
  (error) => void tell({ kind: 'killed', id: 'the process', how: error.message }).then(() => process.exit(0)),
)

async function define(): Promise<StoreDefinition> {
  const { MemoryBackend } = await store<typeof import('../../src/backends/memory/memory-backend.ts')>(
    'backends/memory/memory-backend.js',
  )
  const { storeOn } = await store<typeof import('../../src/core/store-on.ts')>('core/store-on.js')
  const { memoryStoreCapabilities } = await kit<typeof import('../../src/conformance/index.ts')>('conformance/index.js')
  const memories = new Map<string, Backend>()
  return {
    name: 'mutant',
    capabilities: { ...memoryStoreCapabilities, summaryMessage: true, turns: true, owners: true },
    async open({ location, ttl, timeout, summaryMessage, wrapBackend = (one) => one }) {
      const memory = memories.get(location) ?? new MemoryBackend()
      memories.set(location, memory)
      const shared = new Proxy(memory, {
        get: (target, name) => {
          if (name === 'close') return async () => {}
          const value: unknown = Reflect.get(target, name)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
      return storeOn(wrapBackend(shared), { ttl, timeout, summaryMessage })
    },
    close: (one) => (one as { close(): Promise<void> }).close(),
    destroy: ({ location }) => memories.delete(location),
  }
}

async function judge(): Promise<void> {
  const { allCases } = await kit<typeof import('../../src/conformance/cases/all-cases.ts')>(
    'conformance/cases/all-cases.js',
  )
  const { missingFor, lookAt } = await kit<typeof import('../../src/conformance/offers.ts')>('conformance/offers.js')
  const { runCase } = await kit<typeof import('../../src/conformance/running/child/run-case.ts')>(
    'conformance/running/child/run-case.js',
  )
  const coverage = cover && new CoverageOf(folder, cover)
  await coverage?.begin()
  const definition = await define()
  if (coverage) await tell({ kind: 'covered', id: null, places: await coverage.take() })
  const offer = await lookAt(definition, `${folder}/look`)
  const offered = allCases.filter((one) => missingFor(one, offer).length === 0)
  const failureOf = async (one: Case) => {
    const failure = await runCase(one, { definition, module: null }, { seed: 1, deadline })
    if (failure?.kind !== 'slow') return failure
    await tell({ kind: 'running', id: one.id, deadline: deadline * patience })
    return runCase(one, { definition, module: null }, { seed: 1, deadline: deadline * patience })
  }
  const byId = new Map(offered.map((one) => [one.id, one]))
  const chosen: Case[] = coverage ? offered : order.flatMap((id) => byId.get(id) ?? [])
  for (const one of chosen) {
    await tell({ kind: 'running', id: one.id, deadline })
    const began = performance.now()
    const failure = await failureOf(one)
    if (failure !== null) return tell({ kind: 'killed', id: one.id, how: `${failure.kind}: ${failure.message}` })
    await tell({ kind: 'passed', id: one.id, milliseconds: performance.now() - began })
    if (coverage) await tell({ kind: 'covered', id: one.id, places: await coverage.take() })
  }
  return tell({ kind: 'survived' })
}

await judge().catch((error: unknown) => tell({ kind: 'killed', id: 'opening the store', how: String(error) }))
process.exit(0)
