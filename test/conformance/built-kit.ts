import { requireFreshBuild } from '../support/fresh-build.ts'

requireFreshBuild()

/** The built kit: the processes that its cases start load it several times as fast as its sources. */
async function built<Module>(file: string): Promise<Module> {
  return (await import(new URL(`../../dist/${file}`, import.meta.url).href)) as Module
}

export const { allCases } = await built<typeof import('../../src/conformance/cases/all-cases.ts')>(
  'conformance/cases/all-cases.js',
)
export const { findGoldfish } = await built<typeof import('../../src/conformance/goldfish/all-goldfish.ts')>(
  'conformance/goldfish/all-goldfish.js',
)
export const { goldfishModule } = await built<typeof import('../../src/conformance/goldfish/goldfish.store.ts')>(
  'conformance/goldfish/goldfish.store.js',
)
export const { defineGoldfish } = await built<typeof import('../../src/conformance/goldfish/open-goldfish.ts')>(
  'conformance/goldfish/open-goldfish.js',
)
export const { loadStore } =
  await built<typeof import('../../src/conformance/load-store.ts')>('conformance/load-store.js')
export const { Observation } = await built<typeof import('../../src/conformance/observe.ts')>('conformance/observe.js')
export const { lookAt, missingFor } =
  await built<typeof import('../../src/conformance/offers.ts')>('conformance/offers.js')
export const { runCase } = await built<typeof import('../../src/conformance/run-case.ts')>('conformance/run-case.js')
export const { urlStoreModule } = await built<typeof import('../../src/cli/url.store.ts')>('cli/url.store.js')
