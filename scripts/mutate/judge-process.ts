import type { Case } from '../../src/conformance/case.ts'
import type { StoreDefinition } from '../../src/conformance/store-definition.ts'
import type { Backend } from '../../src/core/backend.ts'

/** Judges the store in a folder by the kit, which is the sound one, until a case fails. */
export interface Question {
  /** Where the mutated store is. */
  readonly folder: string
  /** The ids of the cases in the order in which they are run. */
  readonly order: readonly string[]
  readonly deadline: number
}

export type News =
  /** The cases that the store qualifies for. */
  | { readonly kind: 'offered'; readonly ids: readonly string[] }
  | { readonly kind: 'running'; readonly id: string }
  | { readonly kind: 'passed'; readonly id: string; readonly milliseconds: number }
  | { readonly kind: 'killed'; readonly id: string; readonly how: string }
  | { readonly kind: 'survived' }

const { folder, order, deadline } = JSON.parse(process.argv[2] ?? '') as Question
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
  const definition = await define()
  const offer = await lookAt(definition, `${folder}/look`)
  const offered = allCases.filter((one) => missingFor(one, offer).length === 0)
  await tell({ kind: 'offered', ids: offered.map(({ id }) => id) })
  const place = (id: string) => (order.includes(id) ? order.indexOf(id) : order.length)
  const sorted: Case[] = offered.toSorted((one, other) => place(one.id) - place(other.id))
  for (const one of sorted) {
    await tell({ kind: 'running', id: one.id })
    const began = performance.now()
    const failure = await runCase(one, { definition, module: null }, { seed: 1, deadline })
    if (failure !== null) return tell({ kind: 'killed', id: one.id, how: `${failure.kind}: ${failure.message}` })
    await tell({ kind: 'passed', id: one.id, milliseconds: performance.now() - began })
  }
  return tell({ kind: 'survived' })
}

await judge().catch((error: unknown) => tell({ kind: 'killed', id: 'opening the store', how: String(error) }))
process.exit(0)
